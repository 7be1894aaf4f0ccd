import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
  framePages(app, log);
  app.get(`${PICTURE_PATH}:code`, async (request: FastifyRequest<{ Params: { code: string } }>, reply) => {
    const picture = await pictures.byCode(request.params.code);
    if (!picture) return missing(reply);
    if (request.headers['if-none-match'] === etagOf(picture))
      return reply.code(304).headers(headersOf(picture)).send();
    const content = await pictures.read(picture);
    if (!content) return missing(reply);
    return reply.headers({ ...headersOf(picture), 'content-length': picture.size }).send(content);
  });
}

/**
 * Not counted as a guess, as unknown links are: the proxy of an email program requests a deleted picture for each reader, and needs
 * the other pictures. Codes have 128 random bits.
 */
const missing = (reply: FastifyReply) => reply.code(404).header('cache-control', 'no-store').send();

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
