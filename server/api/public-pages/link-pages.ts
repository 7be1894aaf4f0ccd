import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clicks } from '../../engine/links/clicks.ts';
import type { Codes } from '../../engine/links/codes.ts';
import type { Removal, Removals } from '../../engine/links/removals.ts';
import { visitorOf } from '../../engine/links/visitors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import { framePages, isCrossSite, MAX_BODY } from './frame.ts';
import { brandOf, buttonForm, factList, isUndo, sendPage, undoForm, withNames } from './page.ts';
import { type Words, words } from './words.ts';

interface LinkPagesOptions {
  readonly codes: Codes;
  readonly clicks: Clicks;
  readonly removals: Removals;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly log: Logger;
}

type CodeRequest = FastifyRequest<{ Params: { code: string } }>;

/**
 * Pages of links in messages, a Fastify plugin:
 * - `GET /l/:code` redirects to the target of a short link, and counts the click;
 * - `GET /u/:code` shows the removal page and changes nothing, because link previews fetch it; `POST /u/:code`, its
 * button, puts the number on the blacklist, and the button of the page after it takes it off.
 * Redirects go only to addresses that the sender of the message chose, never to one from the request.
 */
export async function linkPages(app: FastifyInstance, options: LinkPagesOptions): Promise<void> {
  const { codes, clicks, removals, accounts, log } = options;
  const { unknown } = framePages(app, log);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY },
    (_request, body, done) => done(null, body),
  );

  /** Sends the page of a removal, with the name of the account and the end of the number. */
  async function show(reply: FastifyReply, removal: Removal, page: PageOf): Promise<FastifyReply> {
    const { accountId, language, source, phone } = removal;
    const account = await accounts.byId(accountId);
    const { title, text, form } = page(words[language]);
    const lead = withNames(text, { from: source });
    const body = `<p${form.isResult ? ' role="status"' : ''}>${lead}</p>\n${factList([[words[language].phone, endOf(phone)]])}${form.html}`;
    return sendPage(reply, 200, { language, title, brand: account && brandOf(account), body });
  }

  app.get('/l/:code', async (request: CodeRequest, reply) => {
    const target = await codes.find(request.params.code);
    const linkId = target?.linkId ?? null;
    if (!target || linkId === null) return unknown(request, reply);
    const url = await codes.urlOf(target.accountId, linkId);
    if (url === undefined) return unknown(request, reply);
    clicks.add(target, linkId, visitorOf(request.method, request.headers));
    return reply
      .code(302)
      .headers({ location: url, 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
      .send();
  });

  app.get('/u/:code', async (request: CodeRequest, reply) => {
    const removal = await removals.find(request.params.code);
    return removal ? show(reply, removal, askPage) : unknown(request, reply);
  });

  app.post('/u/:code', async (request: CodeRequest, reply) => {
    const removal = await removals.find(request.params.code);
    if (!removal) return unknown(request, reply);
    if (isUndo(request.body)) {
      const isRestored = !isCrossSite(request) && (await removals.restore(removal));
      return show(reply, removal, isRestored ? restoredPage : removedPage(false));
    }
    await removals.remove(removal);
    return show(reply, removal, removedPage(await removals.mayRestore(removal)));
  });
}

/** The end of a number: whoever guesses a code does not learn the number. */
const endOf = (phone: string): string => `••• ${phone.slice(-4)}`;

/** Texts of a page of a removal, and its form. */
type PageOf = (words: Words) => {
  readonly title: string;
  readonly text: string;
  readonly form: { readonly html: string; readonly isResult: boolean };
};

const askPage: PageOf = (one) => ({
  title: one.removeTitle,
  text: one.removeText,
  form: { html: buttonForm(one.removeButton), isResult: false },
});
const removedPage =
  (mayUndo: boolean): PageOf =>
  (one) => ({
    title: one.removedTitle,
    text: one.removedText,
    form: { html: mayUndo ? undoForm(one.undoButton) : '', isResult: true },
  });
const restoredPage: PageOf = (one) => ({
  title: one.restoredTitle,
  text: one.restoredText,
  form: { html: '', isResult: true },
});
