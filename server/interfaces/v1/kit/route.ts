import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AccessRule, AccessTable } from '../../../access/rules.ts';
import type { RefusalCode } from '../../../errors.ts';
import type { Chapter } from '../../openapi/chapters.ts';
import { out } from '../../openapi/out.ts';
import type { Call } from './call.ts';
import type { CsvFile } from './files.ts';

/*
 * A route under /v1 is data: its name, what the documentation says of it, the schemas that read its query and body and
 * describe its answer, who may call it, and the handler, which gets typed input and the dependencies of its resource.
 * `register.ts` makes Fastify routes of them.
 */

/** What is said of a route to those who call it. */
export interface RouteDocs {
  /** Names the operation in generated clients and in the request log. */
  readonly operationId: string;
  readonly title: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** Why it may be refused, beside what every request may be refused for. */
  readonly refusals?: readonly RefusalCode[];
  /** The chapter of the documentation, where it is not that of the resource. */
  readonly chapter?: Chapter;
}

/** `:id` of a path: what it is of, how it is described, and how it is read. */
export interface PathId<Value extends number | string = number | string> {
  readonly description: string;
  /** Why a route with it may be refused, beside `not-found`. */
  readonly refusals?: readonly RefusalCode[];
  /** Throws Refusal `not-found` for a text that can be no id. */
  read(text: string): Value;
}

/** A body that is a file: its description, and for one that is read at once how many bytes it may have. */
interface FileBody {
  /** As the documentation has it; text/csv without it. */
  readonly mediaType?: string;
  readonly description: string;
  readonly example: string;
  /** With it the handler gets the bytes, without it a stream. */
  readonly maxBytes?: number;
}

/** An answer that is no JSON, with the example that the documentation shows. */
type Download =
  | { readonly csv: string }
  | { readonly events: string }
  | { readonly binary: 'audio/wav' | 'application/octet-stream' };

/** The schema of a JSON answer, each field with its example; or what else the answer is. */
type Answer = z.ZodObject | Download;

/** `{"done": true}`: the answer of a route that declares none. */
const doneAnswer = z.object({ done: out.flag('Always true.', true) });
type NoAnswer = typeof doneAnswer;

/** What a handler returns: the answer's fields, nothing, a CSV file, or what it has sent itself. */
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

/** A route as it is declared, under its name. */
interface RouteSpec<
  Deps,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Id extends PathId,
  A extends Answer,
> extends RouteDocs {
  /** Access rule: permitted callers, audit, send key, proof of identity (access/rules.ts). */
  readonly access: AccessRule;
  /** What `:id` of the path is. */
  readonly id?: Id;
  readonly query?: Query;
  /** The schema of a JSON body. A body that is not declared is ignored. */
  readonly body?: Body;
  /** What the body may have, in bytes; that of the server without it. */
  readonly bodyLimit?: number;
  /** The body may be left out: it is read as `{}` then. */
  readonly isBodyOptional?: boolean;
  /** How often an account may call it in a second; the limit of the API without it. */
  readonly maxPerSecond?: number;
  /** The names that fields of the domain's request have here, for refusals. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** The body is a file. */
  readonly file?: FileBody;
  /** `{"done": true}` without it: of what has nothing to tell. */
  readonly answer?: A;
  /** 200 without it. */
  readonly status?: 200 | 202;
  readonly handler: (
    call: Call<z.output<Query>, z.output<Body>, Id extends PathId<infer Value> ? Value : never>,
    deps: Deps,
  ) => Answered<A> | Promise<Answered<A>>;
}

/** A route whose schemas are known to nobody but itself. */
export type AnySpec<Deps> = Omit<
  RouteSpec<Deps, z.ZodObject, z.ZodObject, PathId, Answer>,
  'handler' | 'chapter' | 'answer'
> & {
  readonly method: Method;
  /** Below /v1: `/imports/:id`. */
  readonly path: string;
  readonly answer: Answer;
  readonly chapter: Chapter;
  readonly handler: (call: never, deps: Deps) => unknown;
};

/** A route of a resource, before its dependencies are given. */
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
 * What declares the routes of a resource: `const route = resource<TokensDeps>('account')`, then
 * `route('GET /v1/tokens', { … })` for each.
 *
 * @param chapter of the documentation that they stand in
 */
export function resource<Deps>(chapter: Chapter) {
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
    const spec = { method, path, chapter, answer: doneAnswer, ...given } as unknown as AnySpec<never>;
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

/** The routes of a resource with what they need. */
export function bind<Deps>(routes: readonly Route<Deps>[], deps: Deps): readonly BoundRoute[] {
  return routes.map((route) => route.bind(deps));
}
