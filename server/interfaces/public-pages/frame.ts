import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Logger } from '../../observability/log.ts';
import { BadAddress } from '../address.ts';
import { MissLimit } from './miss-limit.ts';
import { languageFor, sendPage } from './page.ts';
import { words } from './words.ts';

/** A body, at most, in bytes. */
export const MAX_BODY = 4_096;

/**
 * Whether a browser says that another site caused the request (Fetch Metadata). Pages that are shown with `no-referrer`
 * send no usable `Origin`; what is no browser says nothing, and has no person to be tricked.
 */
export function isCrossSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** What every page behind a link needs. */
interface PageFrame {
  /** Answers that a link is not valid, and counts it against whoever asked. */
  unknown(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/**
 * Prepares a Fastify plugin for pages behind links: bodies are passed over, since the path says all; whoever guesses is
 * stopped; what goes wrong is a page in the language of the browser, and in the log without the address, which is a
 * secret.
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
