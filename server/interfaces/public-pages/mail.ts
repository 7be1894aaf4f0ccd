import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../accounts/accounts.ts';
import { CONFIRMATION_PATH, type MailConfirmations } from '../../channels/mail/confirmation.ts';
import { MAIL_REMOVAL_PATH, type MailRemovals } from '../../channels/mail/removal.ts';
import type { Logger } from '../../observability/log.ts';
import { harmlessName } from '../../text/harmless-name.ts';
import { escapeHtml } from '../../text/html.ts';
import { framePages, isCrossSite, MAX_BODY } from './frame.ts';
import { type MailWords, mailWords } from './mail-words.ts';
import { languageFor, sendPage } from './page.ts';
import { type Words, words } from './words.ts';

interface MailPagesOptions {
  readonly removals: MailRemovals;
  readonly confirmations: MailConfirmations;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly log: Logger;
}

type CodeRequest = FastifyRequest<{ Params: { code: string } }>;

/** What a mail program posts (RFC 8058, 3.1), as a form of either sort. */
const oneClick = /List-Unsubscribe(=|"\r?\n\r?\n)One-Click/i;

/**
 * The pages behind the links in mails, a Fastify plugin, in the language of the browser:
 * - `/mail/remove/:code`: `GET` shows the page of removal and changes nothing, since whoever checks a mail for viruses
 *   follows its links; `POST`, the press of its button or that in a mail program (RFC 8058), removes.
 * - `/mail/confirm/:code`: the same for the confirmation that one wants to be in a list.
 */
export async function mailPages(app: FastifyInstance, options: MailPagesOptions): Promise<void> {
  const { removals, confirmations, accounts, log } = options;
  const { unknown } = framePages(app, log);
  // What is posted says who pressed: the person or their mail program.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY }, (_request, body, next) =>
    next(null, body),
  );

  const senderOf = async (accountId: number) => {
    const account = await accounts.byId(accountId);
    return account && harmlessName(account.name);
  };
  const removal = `${MAIL_REMOVAL_PATH}:code`;
  const confirmation = `${CONFIRMATION_PATH}:code`;

  app.get(removal, async (request: CodeRequest, reply) => {
    const found = removals.read(request.params.code);
    const from = found && (await senderOf(found.accountId));
    if (!found || from === undefined) return unknown(request, reply);
    const isRemoved = await removals.isRemoved(found);
    return show(request, reply, isRemoved ? removedPage : removePage, { from });
  });

  app.post(removal, async (request: CodeRequest, reply) => {
    const found = removals.read(request.params.code);
    const from = found && (await senderOf(found.accountId));
    if (!found || from === undefined) return unknown(request, reply);
    const body = typeof request.body === 'string' ? request.body : '';
    await removals.remove(found, oneClick.test(body) ? 'one-click' : 'page');
    return show(request, reply, removedPage, { from });
  });

  app.get(confirmation, async (request: CodeRequest, reply) => {
    const found = await confirmations.find(request.params.code);
    const from = found && (await senderOf(found.accountId));
    if (!found || from === undefined) return unknown(request, reply);
    return show(request, reply, found.confirmed ? confirmedPage : confirmPage, {
      from,
      list: harmlessName(found.listName),
    });
  });

  app.post(confirmation, async (request: CodeRequest, reply) => {
    const found = await confirmations.find(request.params.code);
    const from = found && (await senderOf(found.accountId));
    if (!found || from === undefined) return unknown(request, reply);
    const isConfirmed = found.confirmed || !isCrossSite(request);
    if (!found.confirmed && isConfirmed) await confirmations.confirm(found);
    return show(request, reply, isConfirmed ? confirmedPage : confirmPage, {
      from,
      list: harmlessName(found.listName),
    });
  });
}

/** A page: which words it has. Without a button it says what is done. */
type PageOf = (words: Words & MailWords) => { title: string; text: string; button?: string };

const removePage: PageOf = (one) => ({
  title: one.removeTitle,
  text: one.removeText,
  button: one.removeButton,
});
const removedPage: PageOf = (one) => ({ title: one.removedTitle, text: one.removedText });
const confirmPage: PageOf = (one) => ({
  title: one.confirmTitle,
  text: one.confirmText,
  button: one.confirmButton,
});
const confirmedPage: PageOf = (one) => ({ title: one.confirmedTitle, text: one.confirmedText });

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageOf,
  names: { readonly from: string; readonly list?: string },
): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const { title, text, button } = page({ ...words[language], ...mailWords[language] });
  // In one go: a name may look like the place of the other.
  const filled = text.replace(
    /\{(from|list)\}/g,
    (_place, what: 'from' | 'list') => `<bdi>${escapeHtml(names[what] ?? '')}</bdi>`,
  );
  // Without an action the form goes to where the page came from, whatever stands in front of this service.
  const body =
    button === undefined
      ? `<p role="status">${filled}</p>`
      : `<p>${filled}</p>\n<form method="post"><button type="submit">${button}</button></form>`;
  return sendPage(reply, 200, { language, title, body });
}
