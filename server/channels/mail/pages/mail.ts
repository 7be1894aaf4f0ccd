import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { framePages, isCrossSite, MAX_BODY } from '../../../api/public-pages/frame.ts';
import { buttonForm, languageFor, sendPage, withNames } from '../../../api/public-pages/page.ts';
import { type Words, words } from '../../../api/public-pages/words.ts';
import { harmlessName } from '../../../kit/text/harmless-name.ts';
import type { CoreContext } from '../../../run/services.ts';
import { CONFIRMATION_PATH, type MailConfirmations } from '../confirmation.ts';
import { MAIL_REMOVAL_PATH, type MailRemovals } from '../removal.ts';
import { type MailWords, mailWords } from './mail-words.ts';

interface MailPagesOptions extends Pick<CoreContext, 'accounts' | 'log'> {
  readonly removals: MailRemovals;
  readonly confirmations: MailConfirmations;
}

type CodeRequest = FastifyRequest<{ Params: { code: string } }>;

/** Body that an email client posts (RFC 8058, 3.1), in either form encoding. */
const oneClick = /List-Unsubscribe(=|"\r?\n\r?\n)One-Click/i;

/**
 * Pages behind the links in emails, a Fastify plugin, in the language of the browser:
 * - `/mail/remove/:code`: `GET` shows the unsubscribe page and changes nothing, because virus scanners follow links;
 * `POST`, by its button or that of an email client (RFC 8058), unsubscribes.
 * - `/mail/confirm/:code`: the same for the confirmation of a list.
 */
export async function mailPages(app: FastifyInstance, options: MailPagesOptions): Promise<void> {
  const { removals, confirmations, accounts, log } = options;
  const { unknown } = framePages(app, log);
  // The body shows who pressed the button: the person or their email client.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY }, (_request, body, next) =>
    next(null, body),
  );

  /** Answers with the page of a code, with the name of the account that sent it. */
  const route =
    <Found extends { readonly accountId: number }>(
      find: (code: string) => Found | undefined | Promise<Found | undefined>,
      open: (found: Found, request: CodeRequest) => Promise<{ page: PageOf; list?: string }>,
    ) =>
    async (request: CodeRequest, reply: FastifyReply) => {
      const found = await find(request.params.code);
      const account = found && (await accounts.byId(found.accountId));
      if (!found || !account) return unknown(request, reply);
      const { page, ...names } = await open(found, request);
      return show(request, reply, page, { from: harmlessName(account.name), ...names });
    };
  const readRemoval = (code: string) => removals.read(code);
  const findConfirmation = (code: string) => confirmations.find(code);

  app.get(
    `${MAIL_REMOVAL_PATH}:code`,
    route(readRemoval, async (found) => ({
      page: (await removals.isRemoved(found)) ? removedPage : removePage,
    })),
  );
  app.post(
    `${MAIL_REMOVAL_PATH}:code`,
    route(readRemoval, async (found, { body }) => {
      await removals.remove(found, typeof body === 'string' && oneClick.test(body) ? 'one-click' : 'page');
      return { page: removedPage };
    }),
  );
  app.get(
    `${CONFIRMATION_PATH}:code`,
    route(findConfirmation, async (found) => ({
      page: found.confirmed ? confirmedPage : confirmPage,
      list: namesOf(found),
    })),
  );
  app.post(
    `${CONFIRMATION_PATH}:code`,
    route(findConfirmation, async (found, request) => {
      const isConfirmed = found.confirmed || !isCrossSite(request);
      if (!found.confirmed && isConfirmed) {
        await confirmations.confirm(found, languageFor(request.headers['accept-language']));
      }
      return { page: isConfirmed ? confirmedPage : confirmPage, list: namesOf(found) };
    }),
  );
}

/** Returns the names of the lists of a confirmation, as one text. */
const namesOf = ({ lists }: { readonly lists: readonly { readonly name: string }[] }): string =>
  lists.map(({ name }) => harmlessName(name)).join(', ');

/** Texts of a page. A page without a button shows a result. */
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
  const filled = withNames(text, { list: '', ...names });
  const body =
    button === undefined ? `<p role="status">${filled}</p>` : `<p>${filled}</p>\n${buttonForm(button)}`;
  return sendPage(reply, 200, { language, title, body });
}
