import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { displayRecipient } from '../../kit/numbers/phone-numbers.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { harmlessName } from '../../kit/text/harmless-name.ts';
import { ALERT_CONTACT_PATH, type AlertContacts, type LinkedContact } from '../../modules/alerts/contacts.ts';
import { alertContactWords } from './alert-contact-words.ts';
import { framePages, isCrossSite } from './frame.ts';
import { buttonForm, languageFor, sendPage, withNames } from './page.ts';

interface AlertContactOptions {
  readonly contacts: Pick<AlertContacts, 'find' | 'confirm'>;
  readonly log: Logger;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * The page on which the owner of an address or number confirms alerts, a Fastify plugin. `GET /a/:token` changes
 * nothing, because mail scanners fetch links; `POST /a/:token`, the button, confirms. A POST that another site caused
 * only shows the page.
 */
export async function alertContactPages(app: FastifyInstance, options: AlertContactOptions): Promise<void> {
  const { contacts, log } = options;
  const { unknown } = framePages(app, log);
  const path = `${ALERT_CONTACT_PATH}:token`;

  app.get(path, async (request: TokenRequest, reply) => {
    const found = await contacts.find(request.params.token);
    return found ? show(request, reply, found) : unknown(request, reply);
  });

  app.post(path, async (request: TokenRequest, reply) => {
    const { token } = request.params;
    if (!isCrossSite(request)) await contacts.confirm(token);
    const found = await contacts.find(token);
    return found ? show(request, reply, found) : unknown(request, reply);
  });
}

function show(request: FastifyRequest, reply: FastifyReply, found: LinkedContact): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const words = alertContactWords[language];
  const names = { account: harmlessName(found.accountName), recipient: displayRecipient(found.recipient) };
  const brand = names.account;
  if (found.confirmed) {
    const body = `<p role="status">${withNames(words.doneText, names)}</p>`;
    return sendPage(reply, 200, { language, title: words.doneTitle, brand, body });
  }
  const body = `<p>${withNames(words.askText, names)}</p>\n${buttonForm(words.askButton)}`;
  return sendPage(reply, 200, { language, title: words.askTitle, brand, body });
}
