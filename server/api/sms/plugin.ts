import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badField, Refusal } from '../../kit/errors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { LoginThrottled } from '../../modules/login-throttle/counters.ts';
import type { CoreContext } from '../../run/services.ts';
import { authorize } from '../access.ts';
import { MAX_ANONYMOUS_BODY, MAX_BODY, MAX_UNSLICED_BODY } from '../bodies/limits.ts';
import { parseLong } from '../bodies/long-list.ts';
import {
  BodyTimeout,
  BodyTooLarge,
  isUploadAborted,
  keepConnection,
  readBody,
  sizeOf,
} from '../bodies/read-body.ts';
import { apiMetrics } from '../metrics.ts';
import { limitAddressRate, limitRate, type RateLimit } from '../rate-limit.ts';
import { noteCaller, noteStatus } from '../request-notes.ts';
import { firstProblem } from '../schema-problems.ts';
import type { SendKeys, SendKeyUse } from '../send-keys/send-keys.ts';
import { hasSendKey, onceByKey } from '../send-keys.ts';
import { type KnownOwner, type SignInDeps, signIn, signInOwner } from '../sign-in.ts';
import { judgeFault } from '../token-api.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/index.ts';
import { FAULT, messages, statusCodes, statusOf } from './status-codes.ts';
import { type Decoded, decode, decodeInSlices, sniff } from './wire/decode.ts';
import { type AnswerFields, contentTypes, encode, unknownRoot } from './wire/encode.ts';
import { encodeStream, inBatches, type StreamedAnswer } from './wire/encode-stream.ts';
import { type Form, WireError } from './wire/wire-error.ts';

const measured = apiMetrics({
  prefix: 'carillon_api',
  name: 'the SMS API',
  labels: ['operation', 'status'],
  by: 'operation and status',
  end: 'being known',
});

interface SmsApiOptions {
  readonly services: CoreContext;
  readonly signIn: SignInDeps;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Requests per second; 0 means no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

const byRoot = new Map<string, Operation>(
  operations.flatMap((operation) => operation.roots.map((root) => [root, operation] as const)),
);

/** Fields of every operation's schema. */
interface SignedInput {
  readonly user: unknown;
  /** Only for operations that send or pay. */
  readonly send_key?: string | undefined;
}

/**
 * `POST /api` and `/api/test`, a Fastify plugin (needs @fastify/rate-limit): parses the body, signs in, runs the
 * operation that the root names, and answers in the form of the request.
 */
export async function smsApi(app: FastifyInstance, options: SmsApiOptions): Promise<void> {
  const api = new SmsApi(app, options);
  api.frame(app);
  for (const path of ['/api', '/api/', '/api/test', '/api/test/']) {
    const dryRun = path.startsWith('/api/test');
    app.post(path, (request, reply) => api.handle(request, reply, dryRun));
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: path,
      handler: (_request, reply) =>
        reply.code(405).header('allow', 'POST').send({ status: statusCodes.unreadable, message: 'use POST' }),
    });
  }
}

/** The result of the checks that precede reading the body of a request. */
interface Known {
  /** The owner of its token. */
  owner?: KnownOwner;
  /** Why its body is read only if it is small: the caller is not valid, or the address sends too many requests. */
  refusal?: unknown;
  accountId?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the first checks of the SMS API. */
    smsCaller: Known | null;
  }
}

class SmsApi {
  readonly #options: SmsApiOptions;
  readonly #accountLimit: RateLimit;
  readonly #addressLimit: RateLimit;

  constructor(app: FastifyInstance, options: SmsApiOptions) {
    this.#options = options;
    this.#addressLimit = limitAddressRate(app, options.addressLimit);
    this.#accountLimit = limitRate(app, options.accountLimit, (request) =>
      String(request.smsCaller?.accountId),
    );
  }

  /** Registers the hooks and parsers of every request. */
  frame(app: FastifyInstance): void {
    app.decorateRequest('smsCaller', null);
    // The body decides, whatever the content type says (decisions, "JSON or XML?").
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
      readBody(request, payload, request.smsCaller?.refusal ? MAX_ANONYMOUS_BODY : MAX_BODY),
    );
    app.addHook('onRequest', async (request, reply) => {
      const known: Known = {};
      request.smsCaller = known;
      try {
        await this.#addressLimit(request, reply);
        known.owner = await signInOwner(this.#options.signIn, request.headers.authorization, request.ip);
      } catch (error) {
        // Refused later, in the form of the body.
        known.refusal = error;
      }
      // Fastify refuses a Content-Type without a value before it selects a parser, and reads every other one again.
      request.headers['content-type'] = undefined;
    });
    app.setErrorHandler((error, request, reply) => {
      keepConnection(error, reply);
      if (error instanceof BodyTooLarge) {
        const { form, root = unknownRoot } = sniff(error.beginning);
        return write(reply, form, root, this.#refuseLarge(error, request, reply));
      }
      return write(reply, 'json', unknownRoot, this.#refuse(error, request, reply));
    });
  }

  async #answer(
    request: FastifyRequest,
    decoded: Decoded,
    isLarge: boolean,
    dryRun: boolean,
    reply: FastifyReply,
  ) {
    const operation = byRoot.get(decoded.root);
    if (!operation) throw new Refusal('unknown-command', 'not a valid command');
    const known = request.smsCaller;
    const signedIn = await signIn(
      this.#options.signIn,
      request.headers.authorization,
      decoded.content,
      request.ip,
      known?.owner,
    );
    authorize(request, { kind: 'token', scopes: signedIn.scopes }, operation.access);
    if (known) known.accountId = signedIn.account.id;
    request.context.author = { tokenId: signedIn.token?.id ?? null, personId: null };
    noteCaller(request, 'sms', signedIn.caller.id, dryRun ? `test/${decoded.root}` : decoded.root);
    await this.#accountLimit(request, reply);
    if (decoded.several) throw severalRoots(decoded.root);
    const input = isLarge
      ? await parseLong(operation.schema, decoded.content)
      : operation.schema.safeParse(decoded.content);
    if (!input.success) {
      const { field, problem, detail } = firstProblem(input.error);
      throw new Refusal('bad-field', problem, field || undefined, detail);
    }
    const zone = signedIn.account.timeZone ?? this.#options.services.defaultZone;
    const { account, caller, token, scopes } = signedIn;
    const { services } = this.#options;
    const unkeyed = {
      services,
      account,
      caller,
      token,
      scopes,
      address: request.ip,
      zone,
      dryRun,
      sendKey: undefined,
    };
    const { send_key: field } = input.data as SignedInput;
    if (!hasSendKey(request, field)) return operation.run(input.data, unkeyed);
    const run = (sendKey: SendKeyUse | undefined) => operation.run(input.data, { ...unkeyed, sendKey });
    const { send_key: _key, user: _, ...content } = input.data as SignedInput;
    const call = {
      accountId: signedIn.account.id,
      operation: `sms ${operation.roots[0]}`,
      content,
      takes: operation.access.sendKey,
      field,
      dryRun,
      // A single message is stored with one statement. A look-up before it would add half of its cost.
      looksFirst: isLarge || operation.roots[0] !== 'sms',
    };
    const { answer, repeated } = await onceByKey(this.#options.sendKeys, request, reply, call, run);
    return repeated ? { ...answer, repeated: 1 } : answer;
  }

  async handle(request: FastifyRequest, reply: FastifyReply, dryRun: boolean) {
    const started = performance.now();
    let form: Form = 'json';
    let root = unknownRoot;
    let fields: StreamedAnswer;
    let refused = false;
    try {
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      const refusal = request.smsCaller?.refusal;
      if (isTooFast(refusal)) {
        ({ form, root = unknownRoot } = sniff(body));
        throw refusal;
      }
      const isLarge = body.length > MAX_UNSLICED_BODY;
      const decoded = isLarge ? await decodeInSlices(body) : decode(body);
      ({ form, root } = decoded);
      fields = await this.#answer(request, decoded, isLarge, dryRun, reply);
    } catch (error) {
      if (error instanceof WireError) form = error.form;
      refused = true;
      fields = this.#refuse(error, request, reply);
    }
    // An unknown root is text of the caller, so it gets no separate label.
    measured.requests.inc({ operation: byRoot.has(root) ? root : 'unknown', status: String(fields.status) });
    measured.seconds.observe((performance.now() - started) / 1000);
    noteStatus(request, String(fields.status), refused);
    return write(reply, form, root, fields);
  }

  #refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): AnswerFields {
    if (error instanceof Refusal) {
      if (error.code === 'too-fast') reply.code(429);
      if (error instanceof LoginThrottled) reply.header('retry-after', error.seconds);
      return { status: statusOf(error.code), message: messages[error.code] ?? error.message };
    }
    if (error instanceof WireError) {
      return {
        status: statusCodes[error.kind === 'root' ? 'unknown-command' : 'unreadable'],
        message: error.message,
      };
    }
    if (error instanceof BodyTimeout || isUploadAborted(request, error)) {
      this.#options.log.debug({ requestId: request.id }, 'a body did not come whole');
      reply.code(408);
      return { status: statusCodes.unreadable, message: 'the body did not come whole in time' };
    }
    const { statusCode = 500 } = error as { statusCode?: number };
    if (statusCode >= 400 && statusCode < 500) {
      reply.code(statusCode);
      return { status: statusCodes.unreadable, message: 'the request cannot be read' };
    }
    const { kind, message } = judgeFault(error, request, this.#options.log);
    if (kind === 'later') return { status: statusCodes['try-again'], message };
    reply.code(500);
    return { status: FAULT, message };
  }

  /** Returns the response to a body that was not read completely. */
  #refuseLarge(error: BodyTooLarge, request: FastifyRequest, reply: FastifyReply): AnswerFields {
    const why = request.smsCaller?.refusal;
    if (why !== undefined && (isTooFast(why) || request.headers.authorization !== undefined)) {
      return this.#refuse(why, request, reply);
    }
    reply.code(413);
    const size = sizeOf(error.limit);
    const message =
      why === undefined ? `the request is over ${size}` : `a request without a token is over ${size}`;
    return { status: statusCodes['too-large'], message };
  }
}

/** Several operations in one request: their responses would not fit into one. */
const severalRoots = (root: string): Refusal =>
  root === 'sms'
    ? new Refusal('several-messages', 'given more than once, use bulk for several messages', 'sms')
    : badField(root, 'given more than once', 'repeated');

const isTooFast = (error: unknown) => error instanceof Refusal && error.code === 'too-fast';

/** Number of array entries from which a response is written in slices. */
const LONG_ARRAY = 500;

async function write(
  reply: FastifyReply,
  form: Form,
  root: string,
  fields: StreamedAnswer,
): Promise<FastifyReply> {
  reply.header('content-type', contentTypes[form]);
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) && value.length > LONG_ARRAY) {
      return write(reply, form, root, { ...fields, [name]: inBatches(value, LONG_ARRAY) });
    }
    if (Symbol.asyncIterator in value) return reply.send(encodeStream(form, root, fields));
  }
  return reply.send(encode(form, root, fields as AnswerFields));
}
