import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clicks } from '../../engine/links/clicks.ts';
import type { Codes } from '../../engine/links/codes.ts';
import type { Removal, Removals } from '../../engine/links/removals.ts';
import { visitorOf } from '../../engine/links/visitors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { framePages } from './frame.ts';
import { buttonForm, sendPage, withNames } from './page.ts';
import { words } from './words.ts';

interface LinkPagesOptions {
  readonly codes: Codes;
  readonly clicks: Clicks;
  readonly removals: Removals;
  readonly log: Logger;
}

type CodeRequest = FastifyRequest<{ Params: { code: string } }>;

/**
 * Pages of links in messages, a Fastify plugin:
 * - `GET /l/:code` redirects to the target of a short link, and counts the click;
 * - `GET /u/:code` shows the removal page and changes nothing, because link previews fetch it; `POST /u/:code`, its
 * button, puts the number on the blacklist.
 * Redirects go only to addresses that the sender of the message chose, never to one from the request.
 */
export async function linkPages(app: FastifyInstance, options: LinkPagesOptions): Promise<void> {
  const { codes, clicks, removals, log } = options;
  const { unknown } = framePages(app, log);

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
    return removal ? ask(reply, removal) : unknown(request, reply);
  });

  app.post('/u/:code', async (request: CodeRequest, reply) => {
    const removal = await removals.find(request.params.code);
    if (!removal) return unknown(request, reply);
    await removals.remove(removal);
    return removed(reply, removal);
  });
}

function ask(reply: FastifyReply, { language, source }: Removal): FastifyReply {
  const { removeTitle, removeText, removeButton } = words[language];
  const body = `<p>${withNames(removeText, { from: source })}</p>\n${buttonForm(removeButton)}`;
  return sendPage(reply, 200, { language, title: removeTitle, body });
}

function removed(reply: FastifyReply, { language, source }: Removal): FastifyReply {
  const { removedTitle, removedText } = words[language];
  const body = `<p role="status">${withNames(removedText, { from: source })}</p>`;
  return sendPage(reply, 200, { language, title: removedTitle, body });
}
