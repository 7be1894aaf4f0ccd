import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseTrouble } from '../database/trouble.ts';
import { Refusal } from '../kit/errors.ts';
import type { Logger } from '../kit/observability/log.ts';
import type { Account } from '../modules/accounts/accounts.ts';
import { Unreadable } from './bodies/json-body.ts';
import {
  BodyAborted,
  BodyTimeout,
  BodyTooLarge,
  isUploadAborted,
  keepConnection,
  readBody,
} from './bodies/read-body.ts';
import { limitAddressRate, limitRate, type RateLimit } from './rate-limit.ts';
import type { SendKeys } from './send-keys/send-keys.ts';
import type { SignInDeps } from './sign-in.ts';

/*
 * Shared by the chat API, the mailing-list API and the MCP server: bearer tokens, JSON bodies, and alias prefixes. The first two accept
 * any content type, and answer all readable requests with HTTP 200.
 */

export interface TokenApiOptions {
  readonly signIn: SignInDeps;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Alias prefixes (CHAT_API_ALIASES, MAIL_API_ALIASES). */
  readonly aliases: readonly string[];
  /** Requests per second; 0 means no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

/** Base of these APIs: identifies callers, limits their requests, and refuses in its own form. */
export abstract class TokenApi {
  protected readonly signInDeps: SignInDeps;
  protected readonly sendKeys: SendKeys;
  protected readonly log: Logger;
  /** The account of each request. */
  protected readonly accounts = new WeakMap<FastifyRequest, Account>();
  // One count for all prefixes.
  protected readonly accountLimit: RateLimit;
  readonly #addressLimit: RateLimit;

  constructor(app: FastifyInstance, { signIn, sendKeys, log, accountLimit, addressLimit }: TokenApiOptions) {
    this.signInDeps = signIn;
    this.sendKeys = sendKeys;
    this.log = log;
    this.accountLimit = limitRate(app, accountLimit, (request) => String(this.accounts.get(request)?.id));
    this.#addressLimit = limitAddressRate(app, addressLimit);
  }

  /** Maximum bytes to read of the body. */
  protected abstract maxBody(request: FastifyRequest): number;
  /** Identifies and authorizes the caller. Throws Refusal. */
  protected abstract signIn(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  protected abstract refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;

  /** Registers the hooks and parsers of a prefix. */
  protected frame(app: FastifyInstance): void {
    // Accepts any content type, or none.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (request: FastifyRequest, payload: Readable) =>
      readBody(request, payload, this.maxBody(request)),
    );
    app.addHook('onRequest', async (request, reply) => {
      request.headers['content-type'] = 'application/octet-stream';
      await this.#addressLimit(request, reply);
      await this.signIn(request, reply);
    });
    app.setErrorHandler((error, request, reply) => {
      keepConnection(error, reply);
      return this.refuse(readable(error), request, reply);
    });
    app.setNotFoundHandler(() => {
      throw new Refusal('not-found', 'there is nothing at this path, or not with this method');
    });
  }
}

/** Converts Fastify's errors about bodies into those of `readBody`. */
function readable(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof BodyAborted) return error;
  if (error instanceof BodyTooLarge) return new Unreadable(error.message, 413);
  if (error instanceof BodyTimeout) return new Unreadable(error.message, 408);
  const { statusCode = 500 } = error as { statusCode?: number };
  return statusCode >= 400 && statusCode < 500 ? new Unreadable('the request cannot be read') : error;
}

/** Logs an error that is not a refusal, and returns it in words for the caller. */
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
    log.warn({ err: error, requestId: request.id }, 'request refused, database unavailable');
    return { kind: 'later', message: 'the service cannot do this now, try again' };
  }
  log.error({ err: error, requestId: request.id }, 'request failed');
  return { kind: 'fault', message: `fault of the service, quote request ${request.id}` };
}

/** Returns the reason of a refusal for the request log. */
export function refusalWord(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  if (error instanceof Unreadable) return 'unreadable';
  return isDatabaseTrouble(error) ? 'try-again' : 'fault';
}
