import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PICTURE_PATH } from '../../kit/http/picture-address.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Picture, Pictures } from '../../modules/pictures/pictures.ts';
import { framePages } from './frame.ts';

interface PicturePageOptions {
  readonly pictures: Pick<Pictures, 'byCode' | 'read'>;
  readonly log: Logger;
}

/**
 * Pictures for email programs and public pages, a Fastify plugin: `GET /pictures/:code`. The content of an address never
 * changes, so clients may keep it for a year.
 */
export async function picturePages(
  app: FastifyInstance,
  { pictures, log }: PicturePageOptions,
): Promise<void> {
  const { unknown } = framePages(app, log);
  app.get(`${PICTURE_PATH}:code`, async (request: FastifyRequest<{ Params: { code: string } }>, reply) => {
    const picture = await pictures.byCode(request.params.code);
    if (!picture) return unknown(request, reply);
    reply.headers(headersOf(picture));
    if (request.headers['if-none-match'] === etagOf(picture)) return reply.code(304).send();
    const content = await pictures.read(picture);
    if (!content) return unknown(request, reply);
    return reply.header('content-length', picture.size).send(content);
  });
}

const etagOf = ({ sha256 }: Picture) => `"${sha256}"`;

const headersOf = (picture: Picture) => ({
  'content-type': picture.mimeType,
  'cache-control': 'public, max-age=31536000, immutable',
  // Email programs in browsers show it on their own pages.
  'cross-origin-resource-policy': 'cross-origin',
  // Nothing in the file is executed.
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'",
  etag: etagOf(picture),
});
