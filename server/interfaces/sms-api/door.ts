import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ruleOfOperation } from '../../access/table.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { Refusal } from '../../errors.ts';
import type { Logger } from '../../observability/log.ts';
import { authorize } from '../access.ts';
import { limitRate } from '../rate-limit.ts';
import { noteCaller, noteStatus } from '../request-notes.ts';
import { apiRequests, apiSeconds } from './metrics.ts';
import type { Operation, SmsServices } from './operation.ts';
import { operations } from './operations/index.ts';
import { type SignInParts, signIn } from './sign-in.ts';
import { FAULT, statusCodes } from './status-codes.ts';
import { type Decoded, decode } from './wire/decode.ts';
import { type AnswerFields, contentTypes, encode, unknownRoot } from './wire/encode.ts';
import { encodeStream, type StreamedAnswer } from './wire/encode-stream.ts';
import { firstProblem } from './wire/fields.ts';
import { type Form, WireError } from './wire/wire-error.ts';

/** Body of a request, at most (decisions, "Size"). */
const BODY_MOST = 10 * 1024 * 1024;

export interface SmsDoorOptions {
  readonly services: SmsServices;
  readonly signIn: SignInParts;
  readonly log: Logger;
  /** The time zone of accounts that have none of their own. */
  readonly defaultZone: string;
  /** Requests a second; 0 is no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

const byRoot = new Map<string, Operation>(
  operations.flatMap((operation) => operation.roots.map((root) => [root, operation] as const)),
);

/** Who may call each operation. */
const rules = new Map([...byRoot.keys()].map((root) => [root, ruleOfOperation(root)] as const));

/**
 * `POST /api` and `/api/test`, a Fastify plugin (needs @fastify/rate-limit): reads the envelope, signs in, calls the
 * operation that the root names, and answers in the form of the request.
 */
export async function smsDoor(app: FastifyInstance, options: SmsDoorOptions): Promise<void> {
  // Whatever the content type says, or none: the body decides (decisions, "JSON or XML?").
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MOST }, (_request, body, done) =>
    done(null, body),
  );
  const saysXml = new WeakSet<FastifyRequest>();
  app.addHook('onRequest', async (request) => {
    if (/xml/i.test(request.headers['content-type'] ?? '')) saysXml.add(request);
    if (request.headers['content-length'] !== '0')
      request.headers['content-type'] = 'application/octet-stream';
  });

  const addressLimit = limitRate(app, options.addressLimit, (request) => request.ip);
  const accounts = new WeakMap<FastifyRequest, number>();
  const accountLimit = limitRate(app, options.accountLimit, (request) => String(accounts.get(request)));

  async function answer(request: FastifyRequest, decoded: Decoded, dryRun: boolean, reply: FastifyReply) {
    const operation = byRoot.get(decoded.root);
    if (!operation) throw new Refusal('unknown-command', 'not a valid command');
    const signedIn = await signIn(options.signIn, request.headers.authorization, decoded.content, request.ip);
    authorize(request, { kind: 'token', scopes: signedIn.scopes }, rules.get(decoded.root)!);
    accounts.set(request, signedIn.account.id);
    noteCaller(request, 'sms', signedIn.caller.id, dryRun ? `test/${decoded.root}` : decoded.root);
    await accountLimit(request, reply);
    const input = operation.schema.safeParse(decoded.content);
    if (!input.success) throw new Refusal('bad-field', firstProblem(input.error).message);
    const zone = signedIn.account.timeZone ?? options.defaultZone;
    return operation.run(input.data, { services: options.services, ...signedIn, zone, dryRun });
  }

  async function handle(request: FastifyRequest, reply: FastifyReply, dryRun: boolean) {
    const started = performance.now();
    let form: Form = 'json';
    let root = unknownRoot;
    let fields: StreamedAnswer;
    let refused = false;
    try {
      await addressLimit(request, reply);
      const decoded = decode((request.body as Buffer | undefined) ?? Buffer.alloc(0));
      ({ form, root } = decoded);
      fields = await answer(request, decoded, dryRun, reply);
    } catch (error) {
      if (error instanceof WireError) form = error.form;
      refused = true;
      fields = refuse(error, request, reply);
    }
    // A root that is no operation is the caller's text: not given a label of its own.
    apiRequests.inc({ operation: byRoot.has(root) ? root : 'unknown', status: String(fields.status) });
    apiSeconds.observe((performance.now() - started) / 1000);
    noteStatus(request, String(fields.status), refused);
    return write(reply, form, root, fields);
  }

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): AnswerFields {
    if (error instanceof Refusal) {
      if (error.code === 'too-fast') reply.code(429);
      return { status: statusCodes[error.code], message: error.message };
    }
    if (error instanceof WireError) {
      return {
        status: statusCodes[error.kind === 'root' ? 'unknown-command' : 'unreadable'],
        message: error.message,
      };
    }
    if (isDatabaseTrouble(error)) {
      options.log.warn(
        { err: error, requestId: request.id },
        'a request could not be served: the database is away',
      );
      return { status: statusCodes['try-again'], message: 'the service cannot do this now, try again' };
    }
    options.log.error({ err: error, requestId: request.id }, 'a request failed');
    reply.code(500);
    return { status: FAULT, message: `fault of the service, quote request ${request.id}` };
  }

  app.setErrorHandler((error, request, reply) => {
    if ((error as { statusCode?: number }).statusCode === 413) {
      reply.code(413);
      const fields = { status: statusCodes['too-large'], message: 'the request is over 10 MiB' };
      return write(reply, saysXml.has(request) ? 'xml' : 'json', unknownRoot, fields);
    }
    return write(reply, 'json', unknownRoot, refuse(error, request, reply));
  });

  for (const path of ['/api', '/api/', '/api/test', '/api/test/']) {
    const dryRun = path.startsWith('/api/test');
    app.post(path, (request, reply) => handle(request, reply, dryRun));
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: path,
      handler: (_request, reply) =>
        reply.code(405).header('allow', 'POST').send({ status: statusCodes.unreadable, message: 'use POST' }),
    });
  }
}

async function write(
  reply: FastifyReply,
  form: Form,
  root: string,
  fields: StreamedAnswer,
): Promise<FastifyReply> {
  reply.header('content-type', contentTypes[form]);
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) {
      return reply.send(encodeStream(form, root, fields));
    }
  }
  return reply.send(encode(form, root, fields as AnswerFields));
}
