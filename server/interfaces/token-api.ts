import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/accounts.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import { Refusal } from '../errors.ts';
import type { Logger } from '../observability/log.ts';
import type { SendKeys } from '../send-keys/send-keys.ts';
import { Unreadable } from './bodies/json-body.ts';
import {
  BodyAborted,
  BodyTimeout,
  BodyTooLarge,
  isUploadAborted,
  keepConnection,
  readBody,
} from './bodies/read-body.ts';
import { limitAddressRate, limitRate } from './rate-limit.ts';
import type { SignInDeps } from './sms-api/sign-in.ts';

/*
 * What the chat API and the mailing-list API have in common: bearer tokens, bodies of JSON whatever their content type
 * says, further prefixes, and HTTP 200 for everything that was understood.
 */

export interface TokenApiOptions {
  readonly signIn: SignInDeps;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Other names that it answers at (CHAT_API_ALIASES, MAIL_API_ALIASES). */
  readonly aliases: readonly string[];
  /** Requests a second; 0 is no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

/** How an API of the kind admits and refuses. */
interface TokenApi {
  /** Bytes of the body that are read at most. */
  maxBody(request: FastifyRequest): number;
  /** Finds out who calls, and whether they may. Throws Refusal. */
  signIn(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** The accounts that requests are of, and what counts them: once for all prefixes of the API. */
export function countRequests(app: FastifyInstance, options: TokenApiOptions) {
  const accounts = new WeakMap<FastifyRequest, Account>();
  return {
    accounts,
    addressLimit: limitAddressRate(app, options.addressLimit),
    accountLimit: limitRate(app, options.accountLimit, (request) => String(accounts.get(request)?.id)),
  };
}

/** Registers what every request of one prefix goes through. */
export function frameRequests(
  app: FastifyInstance,
  { addressLimit }: Pick<ReturnType<typeof countRequests>, 'addressLimit'>,
  { maxBody, signIn, refuse }: TokenApi,
): void {
  // Whatever the content type says, or none.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: Readable) =>
    readBody(request, payload, maxBody(request)),
  );
  app.addHook('onRequest', async (request, reply) => {
    request.headers['content-type'] = 'application/octet-stream';
    await addressLimit(request, reply);
    await signIn(request, reply);
  });
  app.setErrorHandler((error, request, reply) => {
    keepConnection(error, reply);
    return refuse(readable(error), request, reply);
  });
  app.setNotFoundHandler(() => {
    throw new Refusal('not-found', 'there is nothing at this path, or not with this method');
  });
}

/** What Fastify throws for a body that it does not take, as what `readBody` throws. */
function readable(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof BodyAborted) return error;
  if (error instanceof BodyTooLarge) return new Unreadable(error.message, 413);
  if (error instanceof BodyTimeout) return new Unreadable(error.message, 408);
  const { statusCode = 500 } = error as { statusCode?: number };
  return statusCode >= 400 && statusCode < 500 ? new Unreadable('the request cannot be read') : error;
}

/** Logs what kept a request from being served and is no refusal, and says it in words for the caller. */
export function judgeFault(
  error: unknown,
  request: FastifyRequest,
  log: Logger,
): { readonly kind: 'incomplete' | 'later' | 'fault'; readonly message: string } {
  if (isUploadAborted(request, error)) {
    log.debug({ requestId: request.id }, 'a body did not come whole');
    return { kind: 'incomplete', message: 'the body did not come whole' };
  }
  if (isDatabaseTrouble(error)) {
    log.warn({ err: error, requestId: request.id }, 'a request could not be served: the database is away');
    return { kind: 'later', message: 'the service cannot do this now, try again' };
  }
  log.error({ err: error, requestId: request.id }, 'a request failed');
  return { kind: 'fault', message: `fault of the service, quote request ${request.id}` };
}

/** Why a request was refused, in the request log. */
export function refusalWord(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  if (error instanceof Unreadable) return 'unreadable';
  return isDatabaseTrouble(error) ? 'try-again' : 'fault';
}
