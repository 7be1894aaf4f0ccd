import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { limitRate } from '../../rate-limit.ts';
import { checkAnswer, checkRefusal } from './answer-check.ts';
import { accountOf, Call, type CallContext } from './call.ts';
import { describeRoute } from './description.ts';
import { type CsvFile, checkLength, sendCsv } from './files.ts';
import { readerOf } from './read.ts';
import type { AnySpec, BoundRoute } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names of the domain's request fields in a route under /v1. */
    readonly fieldNames?: Readonly<Record<string, string>>;
  }
}

/** Without this name, Fastify searches all loaded modules for the plugin. */
const displayName = Symbol.for('fastify.display-name');

/** Registers routes on `app`, in their order. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly BoundRoute[],
  context: CallContext,
): void {
  // Fastify has body parsers per context, so consecutive routes with the same parser share one.
  let rest = routes;
  while (rest.length > 0) {
    const { body, name } = bodyParserOf(rest[0]!.spec);
    const end = rest.findIndex(({ spec }) => bodyParserOf(spec).name !== name);
    const run = end === -1 ? rest : rest.slice(0, end);
    const register = async (own: FastifyInstance) => {
      if (body) parseBodies(own, body);
      for (const route of run) addRoute(own, route, context);
    };
    app.register(Object.assign(register, { [displayName]: `routes of ${run[0]!.spec.path}` }));
    rest = rest.slice(run.length);
  }
}

function addRoute(app: FastifyInstance, { spec, handle }: BoundRoute, context: CallContext): void {
  const { method, path, bodyLimit, maxPerSecond = 0, fieldNames } = spec;
  const { callerOf } = context;
  const read = readerOf(spec);
  const limit = limitRate(
    app,
    maxPerSecond,
    (request) => `${spec.operationId} ${accountOf(callerOf(request)!).id}`,
  );
  app.route({
    method,
    url: path,
    config: {
      ...describeRoute(spec),
      access: spec.access,
      chapter: spec.chapter,
      ...(fieldNames && { fieldNames }),
    },
    ...(bodyLimit !== undefined && { bodyLimit }),
    async handler(request, reply) {
      try {
        const call = new Call(await read(request), { request, reply }, context);
        await limit(request, reply);
        if (spec.file && spec.file.maxBytes === undefined) checkLength(request);
        return answer(spec, request, reply, await handle(call));
      } catch (error) {
        checkRefusal(spec, request.routeOptions.config.access!, error);
        throw error;
      }
    },
  });
}

/** Returns the payload for Fastify from the result of a handler. */
function answer(spec: AnySpec<never>, request: FastifyRequest, reply: FastifyReply, made: unknown): unknown {
  if (spec.answer instanceof z.ZodObject) {
    checkAnswer(spec.operationId, spec.answer, made);
    if (spec.status !== undefined) reply.code(spec.status);
    return made;
  }
  return 'csv' in spec.answer ? sendCsv(request, reply, made as CsvFile) : made;
}

type BodyParser = (request: FastifyRequest, payload: Readable, done: Done) => void;
type Done = (error: Error | null, body?: unknown) => void;

/** Returns the body parser of a route; without `body`, the server's JSON parser. */
function bodyParserOf({ body, file }: AnySpec<never>): {
  readonly name: string;
  readonly body?: BodyParser | { readonly maxBytes: number };
} {
  if (body) return { name: 'json' };
  if (!file) return { name: 'none', body: (_request, _payload, done) => done(null) };
  const { maxBytes } = file;
  if (maxBytes !== undefined) return { name: `bytes ${maxBytes}`, body: { maxBytes } };
  return { name: 'stream', body: (_request, payload, done) => done(null, payload) };
}

/** Parses all bodies of `app` with `parser`, whatever their content type. */
function parseBodies(app: FastifyInstance, parser: BodyParser | { readonly maxBytes: number }): void {
  app.removeAllContentTypeParsers();
  if (typeof parser === 'function') app.addContentTypeParser('*', parser);
  else {
    const options = { parseAs: 'buffer', bodyLimit: parser.maxBytes } as const;
    app.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
  }
  app.addHook('onRequest', async (request) => {
    // Fastify would refuse an invalid content type.
    request.headers['content-type'] = 'application/octet-stream';
  });
}
