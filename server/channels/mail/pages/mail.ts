import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { framePages, isCrossSite, MAX_BODY } from '../../../api/public-pages/frame.ts';
import {
  type Brand,
  brandOf,
  buttonForm,
  factList,
  isUndo,
  languageFor,
  sendPage,
  undoForm,
  withNames,
} from '../../../api/public-pages/page.ts';
import { type Words, words } from '../../../api/public-pages/words.ts';
import { harmlessName } from '../../../kit/text/harmless-name.ts';
import type { CoreContext } from '../../../run/services.ts';
import { CONFIRMATION_PATH, type MailConfirmations } from '../confirmation.ts';
import { MAIL_REMOVAL_PATH, type MailRemoval, type MailRemovals } from '../removal.ts';
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
 * `POST`, by its button or that of an email client (RFC 8058), unsubscribes, and by the button of the page after it undoes
 * that.
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
      open: (found: Found, request: CodeRequest) => Promise<Omit<Shown, 'brand'>>,
    ) =>
    async (request: CodeRequest, reply: FastifyReply) => {
      const found = await find(request.params.code);
      const account = found && (await accounts.byId(found.accountId));
      if (!found || !account) return unknown(request, reply);
      return show(request, reply, { brand: brandOf(account), ...(await open(found, request)) });
    };
  const readRemoval = (code: string) => removals.read(code);
  const findConfirmation = (code: string) => confirmations.find(code);
  const factsOf = async (found: MailRemoval) => ({
    address: found.address,
    list: (await removals.listsOf(found)).map(harmlessName).join(', '),
  });

  app.get(
    `${MAIL_REMOVAL_PATH}:code`,
    route(readRemoval, async (found) => ({
      page: (await removals.isRemoved(found)) ? removedPage : removePage,
      ...(await factsOf(found)),
    })),
  );
  app.post(
    `${MAIL_REMOVAL_PATH}:code`,
    route(readRemoval, async (found, request) => {
      const { body } = request;
      const facts = await factsOf(found);
      if (isUndo(body)) {
        const isRestored = !isCrossSite(request) && (await removals.restore(found));
        return { page: isRestored ? restoredPage : removedPage, ...facts };
      }
      await removals.remove(found, typeof body === 'string' && oneClick.test(body) ? 'one-click' : 'page');
      return { page: removedPage, ...facts };
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

/** Texts of a page. A page without a button shows a result, which can be undone by `undo`. */
type PageOf = (words: Words & MailWords) => { title: string; text: string; button?: string; undo?: string };

const removePage: PageOf = (one) => ({
  title: one.removeTitle,
  text: one.removeText,
  button: one.removeButton,
});
const removedPage: PageOf = (one) => ({
  title: one.removedTitle,
  text: one.removedText,
  undo: one.undoButton,
});
const restoredPage: PageOf = (one) => ({ title: one.restoredTitle, text: one.restoredText });
const confirmPage: PageOf = (one) => ({
  title: one.confirmTitle,
  text: one.confirmText,
  button: one.confirmButton,
});
const confirmedPage: PageOf = (one) => ({ title: one.confirmedTitle, text: one.confirmedText });

/** Content of a page. The texts of confirmations name the list; other pages list their facts. */
interface Shown {
  readonly page: PageOf;
  readonly brand: Brand;
  readonly list: string;
  readonly address?: string;
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, brand, list, address }: Shown,
): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const t = { ...words[language], ...mailWords[language] };
  const { title, text, button, undo } = page(t);
  const facts: [string, string][] =
    address === undefined
      ? []
      : [
          [t.address, address],
          [t.list, list],
        ];
  const body = [
    `<p${button === undefined ? ' role="status"' : ''}>${withNames(text, { from: brand.name, list })}</p>`,
    factList(facts),
    button === undefined ? '' : buttonForm(button),
    undo === undefined ? '' : undoForm(undo),
  ].join('\n');
  return sendPage(reply, 200, { language, title, brand, body });
}
