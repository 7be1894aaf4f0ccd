import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { displayRecipient } from '../../kit/numbers/phone-numbers.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import { ALERT_CONTACT_PATH, type AlertContacts, type LinkedContact } from '../../modules/alerts/contacts.ts';
import { alertContactWords } from './alert-contact-words.ts';
import { framePages, isCrossSite } from './frame.ts';
import { type Brand, brandOf, buttonForm, languageFor, sendPage, withNames } from './page.ts';

interface AlertContactOptions {
  readonly contacts: Pick<AlertContacts, 'find' | 'confirm'>;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly log: Logger;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * The page on which the owner of an address or number confirms alerts, a Fastify plugin. `GET /a/:token` changes
 * nothing, because mail scanners fetch links; `POST /a/:token`, the button, confirms. A POST that another site caused
 * only shows the page.
 */
export async function alertContactPages(app: FastifyInstance, options: AlertContactOptions): Promise<void> {
  const { contacts, accounts, log } = options;
  const { unknown } = framePages(app, log);
  const path = `${ALERT_CONTACT_PATH}:token`;
  const answer = async (request: TokenRequest, reply: FastifyReply, found: LinkedContact | undefined) => {
    const account = found && (await accounts.byId(found.accountId));
    return found && account ? show(request, reply, found, brandOf(account)) : unknown(request, reply);
  };

  app.get(path, async (request: TokenRequest, reply) => {
    const found = await contacts.find(request.params.token);
    return answer(request, reply, found);
  });

  app.post(path, async (request: TokenRequest, reply) => {
    const { token } = request.params;
    if (!isCrossSite(request)) await contacts.confirm(token);
    const found = await contacts.find(token);
    return answer(request, reply, found);
  });
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  found: LinkedContact,
  brand: Brand,
): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const words = alertContactWords[language];
  const names = { account: brand.name, recipient: displayRecipient(found.recipient) };
  if (found.confirmed) {
    const body = `<p role="status">${withNames(words.doneText, names)}</p>`;
    return sendPage(reply, 200, { language, title: words.doneTitle, brand, body });
  }
  const body = `<p>${withNames(words.askText, names)}</p>\n${buttonForm(words.askButton)}`;
  return sendPage(reply, 200, { language, title: words.askTitle, brand, body });
}
