import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { BadAddress } from '../address.ts';
import { MissLimit } from './miss-limit.ts';
import { languageFor, sendPage } from './page.ts';
import { words } from './words.ts';

/** Maximum size of a body, in bytes. */
export const MAX_BODY = 4_096;

/**
 * Whether a browser says that another site caused the request (Fetch Metadata). Pages shown with `no-referrer` send no
 * usable `Origin`. Other clients send no such header, and have no user to be tricked.
 */
export function isCrossSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Shared parts of pages behind links. */
interface PageFrame {
  /** Answers that a link is not valid, and counts the miss for the client. */
  unknown(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/**
 * Prepares a Fastify plugin for pages behind links: bodies are ignored, because the path contains everything; clients
 * that guess codes are stopped; errors become pages in the language of the browser, and are logged without the address,
 * which is secret.
 */
export function framePages(app: FastifyInstance, log: Logger): PageFrame {
  const missLimit = new MissLimit();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY }, (_request, _body, done) =>
    done(null),
  );
  app.addHook('onRequest', async (request, reply) => {
    if (missLimit.stops(request.ip)) return later(request, reply, 429);
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof BadAddress) return unknown(request, reply);
    const status = (error as { statusCode?: number }).statusCode;
    if (status !== undefined && status < 500) return later(request, reply, status);
    if (isDatabaseTrouble(error)) return later(request, reply, 503);
    log.error({ err: error, requestId: request.id }, 'a public page failed');
    return later(request, reply, 500);
  });
  return { unknown };

  function unknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    missLimit.missed(request.ip);
    const language = languageFor(request.headers['accept-language']);
    const { unknownTitle, unknownText } = words[language];
    return sendPage(reply, 404, { language, title: unknownTitle, body: `<p>${unknownText}</p>` });
  }
}

function later(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const { laterTitle, laterText } = words[language];
  if (status === 429 || status === 503) reply.header('retry-after', '60');
  return sendPage(reply, status, { language, title: laterTitle, body: `<p>${laterText}</p>` });
}
