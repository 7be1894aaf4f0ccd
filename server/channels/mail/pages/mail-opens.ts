import type { FastifyInstance, FastifyRequest } from 'fastify';
import { framePages } from '../../../api/public-pages/frame.ts';
import { visitorOf } from '../../../engine/links/visitors.ts';
import type { Logger } from '../../../kit/observability/log.ts';
import { CLICK_PATH, OPEN_PATH } from '../compose.ts';
import type { MailOpens } from '../opens.ts';

/** 1×1 and transparent. */
const image = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const headers = {
  'cache-control': 'no-store, private',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  // Web mail shows it on its own site.
  'cross-origin-resource-policy': 'cross-origin',
};

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * Resources of emails, a Fastify plugin:
 * - `GET /m/o/:token` is the image in an email, and counts an open;
 * - `GET /m/c/:token` redirects to the target of a link in an email, and counts the click.
 * Redirects go only to addresses that the sender of the email chose, never to one from the request.
 */
export async function mailOpenPages(
  app: FastifyInstance,
  { opens, log }: { readonly opens: Pick<MailOpens, 'opened' | 'followed'>; readonly log: Logger },
): Promise<void> {
  const { unknown } = framePages(app, log);

  app.get(`${OPEN_PATH}:token`, async (request: TokenRequest, reply) => {
    if (!opens.opened(request.params.token)) return unknown(request, reply);
    return reply.headers(headers).type('image/gif').send(image);
  });

  app.get(`${CLICK_PATH}:token`, async (request: TokenRequest, reply) => {
    const visitor = visitorOf(request.method, request.headers);
    const url = await opens.followed(request.params.token, visitor);
    if (url === undefined) return unknown(request, reply);
    return reply
      .code(302)
      .headers({ ...headers, location: url })
      .send();
  });
}
