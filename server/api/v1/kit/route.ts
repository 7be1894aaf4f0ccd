import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { RefusalCode } from '../../../kit/errors.ts';
import type { AccessRule, AccessTable } from '../../access/rules.ts';
import type { Chapter } from '../../openapi/chapters.ts';
import { out } from '../../openapi/out.ts';
import type { Call } from './call.ts';
import type { CsvFile } from './files.ts';

/*
 * A route under /v1 is data: its name, what the documentation says of it, the schemas that read its query and body and
 * describe its answer, who may call it, and the handler, which gets typed input and the dependencies of its resource.
 * `register.ts` makes Fastify routes of them.
 */

/** Documentation of a route for callers. */
export interface RouteDocs {
  /** Name of the operation in generated clients and in the request log. */
  readonly operationId: string;
  readonly title: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** Possible refusals, in addition to those of every request. */
  readonly refusals?: readonly RefusalCode[];
  /** The chapter of the documentation, if it differs from that of the resource. */
  readonly chapter?: Chapter;
}

/** `:id` of a path, with its description and parser. */
export interface PathId<Value extends number | string = number | string> {
  readonly description: string;
  /** Possible refusals of a route with it, in addition to `not-found`. */
  readonly refusals?: readonly RefusalCode[];
  /** Throws Refusal `not-found` for a text that cannot be an id. */
  read(text: string): Value;
}

/** A file as the body, with its description; `maxBytes` for one that is read into memory. */
interface FileBody {
  /** For the documentation; text/csv by default. */
  readonly mediaType?: string;
  readonly description: string;
  readonly example: string;
  /** With it the handler gets the bytes, without it a stream. */
  readonly maxBytes?: number;
}

/** A response other than JSON, with its example in the documentation. */
type Download =
  | { readonly csv: string }
  | { readonly events: string }
  | { readonly binary: 'audio/wav' | 'application/octet-stream' };

/** The schema of a JSON response, each field with its example; or another kind of response. */
type Answer = z.ZodObject | Download;

/** `{"done": true}`: the response of a route that declares none. */
const doneAnswer = z.object({ done: out.flag('Always true.', true) });
type NoAnswer = typeof doneAnswer;

/** Result of a handler: the response's fields, nothing, a CSV file, or a reply that it has sent itself. */
export type Answered<A extends Answer> = A extends NoAnswer
  ? unknown
  : A extends z.ZodObject
    ? z.output<A>
    : A extends { readonly csv: string }
      ? CsvFile
      : FastifyReply;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Name of a route, used by access rules and the audit log: `GET /v1/imports/:id`. */
type RouteName = `${Method} /v1${string}`;

/**
 * Names of fields with texts that every caller of a route may read, by the reason. A test requires that each text of an answer is
 * named here or in its list of common names, or is `sensitive` (test/security/judged-fields.test.ts).
 */
export type HarmlessTexts = Readonly<Record<string, readonly string[]>>;

/** Declaration of a route. */
interface RouteSpec<
  Deps,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Id extends PathId,
  A extends Answer,
> extends RouteDocs {
  /** Access rule: permitted callers, audit, send key, proof of identity (api/access/rules.ts). */
  readonly access: AccessRule;
  /** `:id` of the path. */
  readonly id?: Id;
  readonly query?: Query;
  /** The schema of a JSON body. Without it the body is ignored. */
  readonly body?: Body;
  /** Maximum bytes of the body; that of the server by default. */
  readonly bodyLimit?: number;
  /** The body may be absent and is then read as `{}`. */
  readonly isBodyOptional?: boolean;
  /** Calls per second and account; the limit of the API by default. */
  readonly maxPerSecond?: number;
  /** Names of the domain's request fields in this route, for refusals. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** The body is a file. */
  readonly file?: FileBody;
  /** Default: `{"done": true}`, for routes without data to return. */
  readonly answer?: A;
  /** 200 by default. */
  readonly status?: 200 | 202;
  readonly handler: (
    call: Call<z.output<Query>, z.output<Body>, Id extends PathId<infer Value> ? Value : never>,
    deps: Deps,
  ) => Answered<A> | Promise<Answered<A>>;
}

/** A route without the types of its schemas. */
export type AnySpec<Deps> = Omit<
  RouteSpec<Deps, z.ZodObject, z.ZodObject, PathId, Answer>,
  'handler' | 'chapter' | 'answer'
> & {
  readonly method: Method;
  /** Path below /v1: `/imports/:id`. */
  readonly path: string;
  readonly answer: Answer;
  readonly chapter: Chapter;
  readonly harmless: HarmlessTexts;
  readonly handler: (call: never, deps: Deps) => unknown;
};

/** A route of a resource, before it gets its dependencies. */
export interface Route<in Deps> {
  readonly spec: AnySpec<never>;
  readonly bind: (deps: Deps) => BoundRoute;
}

/** A route that can be registered. */
export interface BoundRoute {
  readonly spec: AnySpec<never>;
  readonly handle: (call: Call<unknown, unknown, number | string>) => unknown;
}

type NoFields = z.ZodObject<Record<never, never>>;

/**
 * Returns the function that declares the routes of a resource: `const route = resource<TokensDeps>('account')`, then
 * `route('GET /v1/tokens', { … })` for each.
 *
 * @param chapter their chapter of the documentation
 * @param harmless texts of their answers that every caller may read, besides those with common names
 */
export function resource<Deps>(chapter: Chapter, harmless: HarmlessTexts = {}) {
  return <
    A extends Answer = NoAnswer,
    Query extends z.ZodObject = NoFields,
    Body extends z.ZodObject = NoFields,
    Id extends PathId = PathId<never>,
  >(
    name: RouteName,
    given: RouteSpec<Deps, Query, Body, Id, A>,
  ): Route<Deps> => {
    const [method, path = ''] = name.split(' /v1');
    const spec = {
      method,
      path,
      chapter,
      harmless,
      answer: doneAnswer,
      ...given,
    } as unknown as AnySpec<never>;
    const handler = given.handler as (call: unknown, deps: Deps) => unknown;
    const handle =
      given.answer === undefined
        ? async (call: unknown, deps: Deps) => {
            await handler(call, deps);
            return { done: true };
          }
        : handler;
    return { spec, bind: (deps) => ({ spec, handle: (call) => handle(call, deps) }) };
  };
}

/** Routes of a resource, before the service is open. */
export interface Served<in Context> {
  readonly specs: readonly AnySpec<never>[];
  readonly bind: (context: Context) => readonly BoundRoute[];
}

/**
 * Serves routes with what they need of the context of a running service.
 *
 * @param deps what they need, where it is not the context itself
 */
export function serve<Context>(routes: readonly Route<Context>[]): Served<Context>;
export function serve<Context, Deps>(
  routes: readonly Route<Deps>[],
  deps: (context: Context) => Deps,
): Served<Context>;
export function serve(
  routes: readonly Route<unknown>[],
  deps: (context: unknown) => unknown = (context) => context,
): Served<unknown> {
  return {
    specs: routes.map(({ spec }) => spec),
    bind: (context) => bind(routes, deps(context)),
  };
}

/** The access rules of routes, by method and path. */
export const rulesOf = (routes: readonly { readonly spec: AnySpec<never> }[]): AccessTable =>
  Object.fromEntries(routes.map(({ spec: { method, path, access } }) => [`${method} /v1${path}`, access]));

/** Returns the routes of a resource with their dependencies. */
export function bind<Deps>(routes: readonly Route<Deps>[], deps: Deps): readonly BoundRoute[] {
  return routes.map((route) => route.bind(deps));
}
