import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendKeyOf } from '../../../api/access/rules.ts';
import { authorize } from '../../../api/access.ts';
import { isObject, readJson, Unreadable } from '../../../api/bodies/json-body.ts';
import { MAX_BODY } from '../../../api/bodies/limits.ts';
import { apiMetrics } from '../../../api/metrics.ts';
import { noteCaller, noteStatus } from '../../../api/request-notes.ts';
import { hasSendKey, onceByKey } from '../../../api/send-keys.ts';
import { signInOwner } from '../../../api/sign-in.ts';
import { judgeFault, refusalWord, TokenApi, type TokenApiOptions } from '../../../api/token-api.ts';
import { Refusal, type RefusalCode } from '../../../kit/errors.ts';
import { buttons } from './buttons.ts';
import { campaign } from './campaign.ts';
import { carousel } from './carousel.ts';
import { type Content, FieldProblem, looseText } from './fields.ts';
import {
  accountFor,
  type Call,
  type ChatOperation,
  type ChatServices,
  readSendKeyField,
} from './operation.ts';
import { templateMessage } from './template-message.ts';
import { aboutTemplates, listTemplates, refuseTemplates } from './templates.ts';

const measured = apiMetrics({
  prefix: 'carillon_chat_api',
  name: 'the chat API',
  labels: ['operation', 'http', 'outcome'],
  by: 'operation and HTTP status; refused requests have their reason',
  end: 'being known',
  buckets: [2.5],
});

const PREFIX = '/chat-api';
const operations: readonly ChatOperation[] = [templateMessage, campaign, buttons, carousel];
/** HTTP statuses other than 200 with a reason. */
const httpStatuses: Partial<Record<RefusalCode, number>> = {
  'signed-out': 401,
  'token-expired': 401,
  'wrong-account': 401,
  'not-found': 404,
  'too-fast': 429,
};

/** Its aliases are other prefixes, with or without surrounding slashes. */
interface ChatApiOptions extends TokenApiOptions {
  readonly services: ChatServices;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of a route in the chat API. */
    readonly chat?: ChatOperation;
  }
}

/** Content of a request that was not read. */
const nothing: Content = {};

/**
 * The chat API (interface, A1 to A5), a Fastify plugin (needs @fastify/rate-limit): bearer tokens, JSON, and HTTP 200
 * for all readable requests, with a reason in the body (decisions, section 2).
 */
export async function chatApi(app: FastifyInstance, options: ChatApiOptions): Promise<void> {
  const api = new ChatApi(app, options);
  const named = options.aliases.map((alias) => `/${alias.replace(/^\/+|\/+$/g, '')}`);
  for (const prefix of new Set([PREFIX, ...named.filter((name) => name !== '/')])) {
    await app.register(async (chat) => api.routes(chat, prefix === PREFIX), { prefix });
  }
}

class ChatApi extends TokenApi {
  readonly #services: ChatServices;

  constructor(app: FastifyInstance, options: ChatApiOptions) {
    super(app, options);
    this.#services = options.services;
  }

  protected maxBody(): number {
    return MAX_BODY;
  }

  #callOf(request: FastifyRequest): Call {
    return { services: this.#services, account: this.accounts.get(request)! };
  }

  async #run(operation: ChatOperation, request: FastifyRequest, reply: FastifyReply) {
    const started = performance.now();
    let content = nothing;
    let answer: object;
    let outcome = 'accepted';
    try {
      const read = await readJson(request.body as Buffer | undefined);
      // JSON values other than objects have no fields.
      content = isObject(read) ? read : nothing;
      answer = await this.#runOnce(operation, content, request, reply);
    } catch (error) {
      outcome = 'refused';
      answer = this.#answerRefused(error, content, request, reply);
    }
    measured.requests.inc({ operation: operation.paths[0]!, http: String(reply.statusCode), outcome });
    measured.seconds.observe((performance.now() - started) / 1_000);
    return reply.send(answer);
  }

  /** Runs an operation, once per send key of the request. */
  async #runOnce(
    operation: ChatOperation,
    content: Content,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object> {
    const call = this.#callOf(request);
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
    const { answer, repeated } = await onceByKey(this.sendKeys, request, reply, keyed, (sendKey) =>
      operation.run(content, { ...call, sendKey }),
    );
    return repeated ? { ...answer, repeated } : answer;
  }

  /** Returns the response to an error, in the form of its route, and sets the HTTP status. */
  #answerRefused(error: unknown, content: Content, request: FastifyRequest, reply: FastifyReply): object {
    const { http, message } = this.#judge(error, request);
    reply.code(http);
    noteStatus(request, error instanceof FieldProblem ? 'bad-field' : refusalWord(error), true);
    const { chat } = request.routeOptions.config;
    if (http === 401 || http === 403 || http === 404) return { success: false, message };
    return chat ? chat.refuse(error, message, content, this.#services.clock.now()) : refuseTemplates(message);
  }

  #judge(error: unknown, request: FastifyRequest): { http: number; message: string } {
    if (error instanceof FieldProblem) return { http: 200, message: error.message };
    if (error instanceof Unreadable) return { http: error.statusCode, message: error.message };
    if (error instanceof Refusal) {
      // Operations refuse in their own form. A refusal before the operation means that the token lacks a scope.
      if (error.code === 'not-allowed' && !request.isAuthorized) return { http: 403, message: error.message };
      return { http: httpStatuses[error.code] ?? 200, message: error.message };
    }
    const { kind, message } = judgeFault(error, request, this.log);
    return { http: { incomplete: 400, later: 200, fault: 500 }[kind], message };
  }

  protected async signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { caller: account, grant } = await signInOwner(
      this.signInDeps,
      request.headers.authorization,
      request.ip,
    );
    this.accounts.set(request, account);
    request.context.author = { tokenId: grant.id, personId: null };
    noteCaller(request, 'chat', account.id, operationOf(request));
    // Unknown paths have no rule.
    if (request.routeOptions.config.access) authorize(request, { kind: 'token', scopes: grant.scopes });
    await this.accountLimit(request, reply);
  }

  protected refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return reply.send(this.#answerRefused(error, nothing, request, reply));
  }

  /** Registers the routes of one prefix. */
  routes(chat: FastifyInstance, isDescribed: boolean): void {
    this.frame(chat);
    for (const operation of operations) {
      for (const [index, path] of operation.paths.entries()) {
        const about = isDescribed && index === 0 ? { about: operation.about } : {};
        const handler = (request: FastifyRequest, reply: FastifyReply) =>
          this.#run(operation, request, reply);
        chat.post(`/${path}`, { config: { chat: operation, ...about } }, handler);
        chat.post(`/${path}/`, { config: { chat: operation } }, handler);
      }
    }
    const list = (request: FastifyRequest) =>
      listTemplates(request.params as { phone: string; templateId?: string }, this.#callOf(request));
    const templates = '/get-phone-templates/:phone';
    const about = (which: keyof typeof aboutTemplates) =>
      isDescribed ? { config: { about: aboutTemplates[which] } } : {};
    chat.get(templates, about('all'), list);
    chat.get(`${templates}/`, list);
    chat.get(`${templates}/:templateId`, about('one'), list);
    chat.get(`${templates}/:templateId/`, list);
  }
}

/** Returns the operation of a request, for the request log. */
function operationOf({ routeOptions, method }: FastifyRequest): string {
  return routeOptions.config.chat?.paths[0] ?? (method === 'GET' ? 'get-phone-templates' : 'unknown');
}
