import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendKeyOf } from '../../access/rules.ts';
import type { Account } from '../../accounts/accounts.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { Refusal, type RefusalCode } from '../../errors.ts';
import type { Logger } from '../../observability/log.ts';
import type { SendKeys } from '../../send-keys/send-keys.ts';
import { authorize } from '../access.ts';
import { MAX_BODY } from '../bodies/limits.ts';
import {
  BodyAborted,
  BodyTimeout,
  BodyTooLarge,
  isUploadAborted,
  keepConnection,
  readBody,
} from '../bodies/read-body.ts';
import { limitAddressRate, limitRate } from '../rate-limit.ts';
import { noteCaller, noteStatus } from '../request-notes.ts';
import { hasSendKey, onceByKey } from '../send-keys.ts';
import { type SignInDeps, signInOwner } from '../sms-api/sign-in.ts';
import { readBody as readContent, Unreadable } from './body.ts';
import { buttons } from './buttons.ts';
import { campaign } from './campaign.ts';
import { carousel } from './carousel.ts';
import { type Content, FieldProblem, looseText } from './fields.ts';
import { chatRequests, chatSeconds } from './metrics.ts';
import { accountFor, type ChatOperation, type ChatServices, readSendKeyField } from './operation.ts';
import { templateMessage } from './template-message.ts';
import { aboutTemplates, listTemplates, refuseTemplates } from './templates.ts';

const PREFIX = '/chat-api';
const operations: readonly ChatOperation[] = [templateMessage, campaign, buttons, carousel];
/** What is not answered with HTTP 200 and a reason. */
const httpStatuses: Partial<Record<RefusalCode, number>> = {
  'signed-out': 401,
  'token-expired': 401,
  'wrong-account': 401,
  'not-found': 404,
  'too-fast': 429,
};

export interface ChatApiOptions {
  readonly services: ChatServices;
  readonly signIn: SignInDeps;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Other prefixes that it answers at, with or without slashes around (CHAT_API_ALIASES). */
  readonly aliases: readonly string[];
  /** Requests a second; 0 is no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the chat API that a route is. */
    readonly chat?: ChatOperation;
  }
}

/** What is answered beside what the operation says: nothing of it was read. */
const nothing: Content = {};

/**
 * The chat API (interface, A1 to A5), a Fastify plugin (needs @fastify/rate-limit): bearer tokens, JSON, HTTP 200 for
 * everything that was understood, with a reason in the body (decisions, section 2).
 */
export async function chatApi(app: FastifyInstance, options: ChatApiOptions): Promise<void> {
  const { services, log } = options;
  const accounts = new WeakMap<FastifyRequest, Account>();
  // One count for all prefixes.
  const addressLimit = limitAddressRate(app, options.addressLimit);
  const accountLimit = limitRate(app, options.accountLimit, (request) => String(accounts.get(request)?.id));
  const callOf = (request: FastifyRequest) => ({ services, account: accounts.get(request)! });

  async function run(operation: ChatOperation, request: FastifyRequest, reply: FastifyReply) {
    const started = performance.now();
    let content = nothing;
    let answer: object;
    let outcome = 'accepted';
    try {
      content = await readContent(request.body as Buffer | undefined);
      answer = await runOnce(operation, content, request, reply);
    } catch (error) {
      outcome = 'refused';
      answer = refuse(error, content, request, reply);
    }
    chatRequests.inc({ operation: operation.paths[0]!, http: String(reply.statusCode), outcome });
    chatSeconds.observe((performance.now() - started) / 1_000);
    return reply.send(answer);
  }

  /** Runs an operation, once for the send key that the request may have. */
  async function runOnce(
    operation: ChatOperation,
    content: Content,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object> {
    const call = callOf(request);
    const field = readSendKeyField(content);
    if (!hasSendKey(request, field)) return operation.run(content, call);
    const { access } = request.routeOptions.config;
    const { send_key: _, ...asked } = content;
    const keyed = {
      accountId: await accountFor(looseText(content.source), call),
      operation: `chat ${operation.paths[0]}`,
      content: asked,
      field,
      takes: sendKeyOf(access),
      looksFirst: false,
    };
    const { answer, repeated } = await onceByKey(options.sendKeys, request, reply, keyed, (sendKey) =>
      operation.run(content, { ...call, sendKey }),
    );
    return repeated ? { ...answer, repeated } : answer;
  }

  /** The answer to what was thrown, by the route that it was thrown in; the HTTP status is set. */
  function refuse(error: unknown, content: Content, request: FastifyRequest, reply: FastifyReply): object {
    const { http, message } = judge(error, request);
    reply.code(http);
    noteStatus(request, wordOf(error), true);
    const { chat } = request.routeOptions.config;
    if (http === 401 || http === 403 || http === 404) return { success: false, message };
    return chat ? chat.refuse(error, message, content, services.clock.now()) : refuseTemplates(message);
  }

  function judge(error: unknown, request: FastifyRequest): { http: number; message: string } {
    if (error instanceof FieldProblem) return { http: 200, message: error.message };
    if (error instanceof Unreadable) return { http: error.http, message: error.message };
    if (error instanceof Refusal) {
      // Operations refuse in their own form; what is refused before them is the token's lack of a scope.
      if (error.code === 'not-allowed' && !request.isAuthorized) return { http: 403, message: error.message };
      return { http: httpStatuses[error.code] ?? 200, message: error.message };
    }
    if (isUploadAborted(request, error)) {
      log.debug({ requestId: request.id }, 'a body did not come whole');
      return { http: 400, message: 'the body did not come whole' };
    }
    if (isDatabaseTrouble(error)) {
      log.warn({ err: error, requestId: request.id }, 'a request could not be served: the database is away');
      return { http: 200, message: 'the service cannot do this now, try again' };
    }
    log.error({ err: error, requestId: request.id }, 'a request failed');
    return { http: 500, message: `fault of the service, quote request ${request.id}` };
  }

  function routes(chat: FastifyInstance, isDescribed: boolean): void {
    // Whatever the content type says, or none.
    chat.removeAllContentTypeParsers();
    chat.addContentTypeParser('*', (request: FastifyRequest, payload: Readable) =>
      readBody(request, payload, MAX_BODY),
    );
    chat.addHook('onRequest', async (request, reply) => {
      request.headers['content-type'] = 'application/octet-stream';
      await addressLimit(request, reply);
      const { authorization } = request.headers;
      const { account, scopes } = await signInOwner(options.signIn, authorization, request.ip);
      accounts.set(request, account);
      noteCaller(request, 'chat', account.id, operationOf(request));
      // A path that leads nowhere has no row.
      if (request.routeOptions.config.access) authorize(request, { kind: 'token', scopes });
      await accountLimit(request, reply);
    });
    chat.setErrorHandler((error, request, reply) => {
      keepConnection(error, reply);
      return reply.send(refuse(readable(error), nothing, request, reply));
    });
    chat.setNotFoundHandler(() => {
      throw new Refusal('not-found', 'there is nothing at this path, or not with this method');
    });
    for (const operation of operations) {
      for (const [index, path] of operation.paths.entries()) {
        const about = isDescribed && index === 0 ? { about: operation.about } : {};
        const handler = (request: FastifyRequest, reply: FastifyReply) => run(operation, request, reply);
        chat.post(`/${path}`, { config: { chat: operation, ...about } }, handler);
        chat.post(`/${path}/`, { config: { chat: operation } }, handler);
      }
    }
    const list = (request: FastifyRequest) =>
      listTemplates(request.params as { phone: string; templateId?: string }, callOf(request));
    const templates = '/get-phone-templates/:phone';
    const about = (which: keyof typeof aboutTemplates) =>
      isDescribed ? { config: { about: aboutTemplates[which] } } : {};
    chat.get(templates, about('all'), list);
    chat.get(`${templates}/`, list);
    chat.get(`${templates}/:templateId`, about('one'), list);
    chat.get(`${templates}/:templateId/`, list);
  }

  const named = options.aliases.map((alias) => `/${alias.replace(/^\/+|\/+$/g, '')}`);
  for (const prefix of new Set([PREFIX, ...named.filter((name) => name !== '/')])) {
    await app.register(async (chat) => routes(chat, prefix === PREFIX), { prefix });
  }
}

/** What a request asks for, in the request log. */
function operationOf({ routeOptions, method }: FastifyRequest): string {
  return routeOptions.config.chat?.paths[0] ?? (method === 'GET' ? 'get-phone-templates' : 'unknown');
}

/** Why it was refused, in the request log. */
function wordOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  if (error instanceof FieldProblem) return 'bad-field';
  if (error instanceof Unreadable) return 'unreadable';
  return isDatabaseTrouble(error) ? 'try-again' : 'fault';
}

/** What Fastify throws for a body that it does not take, as what `readBody` throws. */
function readable(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof BodyAborted) return error;
  if (error instanceof BodyTooLarge) return new Unreadable(error.message, 413);
  if (error instanceof BodyTimeout) return new Unreadable(error.message, 408);
  const { statusCode = 500 } = error as { statusCode?: number };
  return statusCode >= 400 && statusCode < 500 ? new Unreadable('the request cannot be read') : error;
}
