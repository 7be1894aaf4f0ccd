import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendKeyOf } from '../../../api/access/rules.ts';
import { authorize } from '../../../api/access.ts';
import { readJson, Unreadable } from '../../../api/bodies/json-body.ts';
import { MAX_ANONYMOUS_BODY } from '../../../api/bodies/limits.ts';
import { apiMetrics } from '../../../api/metrics.ts';
import { noteCaller, noteStatus } from '../../../api/request-notes.ts';
import { onceByKey } from '../../../api/send-keys.ts';
import { allows, signInOwner } from '../../../api/sign-in.ts';
import { judgeFault, refusalWord, TokenApi, type TokenApiOptions } from '../../../api/token-api.ts';
import { Refusal, type RefusalCode } from '../../../kit/errors.ts';
import { LoginThrottled } from '../../../modules/login-throttle/counters.ts';
import type { MailTokens } from '../tokens.ts';
import { done, envelope, type ResultId, resultOf, results } from './envelope.ts';
import { type MailOperation, type MailServices, Streamed } from './operation.ts';
import { mailOperations, read } from './operations.ts';
import { SEGMENT } from './paths.ts';
import { aboutToken, tokenRequest } from './token.ts';

const measured = apiMetrics({
  prefix: 'carillon_mail_api',
  name: 'the mailing-list API',
  labels: ['operation', 'result'],
  by: 'operation and ResultID',
  end: 'beginning',
  buckets: [2.5],
});

/** HTTP statuses other than 200. */
const httpStatuses: Partial<Record<RefusalCode, number>> = { 'not-found': 404, 'too-fast': 429 };

/** Maximum size of a body, in bytes: ten thousand users with twenty fields each. */
const MAX_MAIL_BODY = 20 * 1024 * 1024;

/** Its aliases are other middle segments. */
interface MailApiOptions extends TokenApiOptions {
  readonly services: MailServices;
  readonly tokens: MailTokens;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation of a route in the mailing-list API. */
    readonly mail?: string;
  }
}

/**
 * The mailing-list API (interface, part C), a Fastify plugin (needs @fastify/rate-limit): mail tokens, JSON, and the
 * envelope in every response, with HTTP 200 for all readable requests (decisions, section 3).
 */
export async function mailApi(app: FastifyInstance, options: MailApiOptions): Promise<void> {
  const api = new MailApi(app, options);
  for (const segment of new Set([SEGMENT, ...options.aliases])) {
    await app.register(async (mail) => api.routes(mail, segment === SEGMENT), { prefix: `/api/${segment}` });
  }
}

class MailApi extends TokenApi {
  readonly #services: MailServices;
  readonly #tokens: MailTokens;

  constructor(app: FastifyInstance, options: MailApiOptions) {
    super(app, options);
    this.#services = options.services;
    this.#tokens = options.tokens;
  }

  protected maxBody(request: FastifyRequest): number {
    return isToken(request) ? MAX_ANONYMOUS_BODY : MAX_MAIL_BODY;
  }

  protected async signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (isToken(request)) return;
    const { caller: account } = await signInOwner(
      { ...this.signInDeps, tokens: this.#tokens },
      request.headers.authorization,
      request.ip,
    );
    this.accounts.set(request, account);
    noteCaller(request, 'mail', account.id, request.routeOptions.config.mail ?? 'unknown');
    // Unknown paths have no rule.
    if (request.routeOptions.config.access) authorize(request, { kind: 'mail-token' });
    await this.accountLimit(request, reply);
  }

  /** Runs a route, and answers with its result or error. */
  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<object | Streamed>,
  ): Promise<FastifyReply> {
    const started = performance.now();
    try {
      const made = await work();
      const body = made instanceof Streamed ? await stream(made) : done(made);
      count(request, results.done, started);
      if (!(body instanceof Readable)) return reply.send(body);
      return reply.header('content-type', 'application/json; charset=utf-8').send(body);
    } catch (error) {
      return this.refuse(error, request, reply, started);
    }
  }

  /** Runs an operation, once per send key of the request. */
  async #runOnce(
    operation: MailOperation,
    content: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object | Streamed> {
    const call = { services: this.#services, account: this.accounts.get(request)! };
    const { access } = request.routeOptions.config;
    const takes = sendKeyOf(access);
    const keyed = { accountId: call.account.id, operation: `mail ${operation.path}`, content, takes };
    const { answer } = await onceByKey(this.sendKeys, request, reply, keyed, (sendKey) =>
      operation.run(content, { ...call, sendKey }),
    );
    return answer;
  }

  protected refuse(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    started = performance.now(),
  ): FastifyReply {
    if (error instanceof LoginThrottled) reply.header('retry-after', error.seconds);
    const { http, id, message } = this.#judge(error, request);
    count(request, id, started);
    noteStatus(request, refusalWord(error), true);
    const token = isToken(request) ? { Token: '' } : {};
    // Clients read the reason of a failed sign-in from this field.
    const signIn = id === results.signedOut ? { Message: message } : {};
    return reply.code(http).send({ ...envelope(id, message), ...token, ...signIn });
  }

  #judge(error: unknown, request: FastifyRequest): { http: number; id: ResultId; message: string } {
    if (error instanceof Refusal) {
      const id = resultOf(error.code);
      // The call has no user name that could be wrong.
      const message =
        error.code === 'signed-out' && !isToken(request) ? 'the token is missing or wrong' : error.message;
      return { http: httpStatuses[error.code] ?? 200, id, message };
    }
    if (error instanceof Unreadable) {
      return {
        http: error.statusCode === 400 ? 200 : error.statusCode,
        id: results.unusable,
        message: error.message,
      };
    }
    const { kind, message } = judgeFault(error, request, this.log);
    const id = { incomplete: results.unusable, later: results.later, fault: results.fault }[kind];
    return { http: kind === 'fault' ? 500 : 200, id, message };
  }

  async #makeToken(request: FastifyRequest): Promise<object> {
    const { siteID, password } = read(tokenRequest, await readContent(request));
    const { ip: address } = request;
    const given = { username: siteID, orId: true, password, address, endpoint: 'POST /api/Mailer/token' };
    const { account, token } = await this.#tokens.signIn(this.signInDeps.passwords, given, (one) =>
      allows(one, address),
    );
    noteCaller(request, 'mail', account.id, 'token');
    return { Token: token };
  }

  /** Registers the routes of one prefix. */
  routes(mail: FastifyInstance, isDescribed: boolean): void {
    this.frame(mail);
    const about = (what: MailOperation['about']) => (isDescribed ? { about: what } : {});
    for (const operation of mailOperations) {
      const route = {
        method: operation.method,
        handler: (request: FastifyRequest, reply: FastifyReply) =>
          this.#answer(request, reply, async () => {
            const content = operation.method === 'GET' ? request.query : await readContent(request);
            return this.#runOnce(operation, content, request, reply);
          }),
      };
      const config = { mail: operation.path };
      mail.route({ ...route, url: `/${operation.path}`, config: { ...config, ...about(operation.about) } });
      mail.route({ ...route, url: `/${operation.path}/`, config });
    }
    const token = (request: FastifyRequest, reply: FastifyReply) =>
      this.#answer(request, reply, () => this.#makeToken(request));
    mail.post('/token', { config: { mail: 'token', ...about(aboutToken) } }, token);
    mail.post('/token/', { config: { mail: 'token' } }, token);
  }
}

const isToken = (request: FastifyRequest) => request.routeOptions.config.mail === 'token';

function count(request: FastifyRequest, id: ResultId, started: number): void {
  measured.requests.inc({ operation: request.routeOptions.config.mail ?? '', result: String(id) });
  measured.seconds.observe((performance.now() - started) / 1_000);
}

const readContent = (request: FastifyRequest) =>
  readJson(request.body as Buffer | undefined, { mayBeEmpty: true });

/**
 * Streams a response while it is read. The first page is read before anything is written, so that an error there gets
 * its own response; a later error breaks the response off.
 */
async function stream({ field, pages }: Streamed): Promise<Readable> {
  const first = await pages.next();
  async function* write() {
    yield `${JSON.stringify(envelope(results.done, 'OK')).slice(0, -1)},${JSON.stringify(field)}:[`;
    let comma = '';
    for (let page = first; !page.done; page = await pages.next()) {
      yield comma + page.value.map((entry) => JSON.stringify(entry)).join(',');
      comma = ',';
    }
    yield ']}';
  }
  return Readable.from(write(), { objectMode: false });
}
