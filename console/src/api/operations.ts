import type { RequestOptions } from '../../../client/src/operations.ts';
import type { Operations, SessionOperations } from '../../../client/src/schema.ts';

/* Types of the operations of /v1, from the client library. Operations that need a session are among them. */

interface All extends Operations, SessionOperations {}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Paths of the operations with this method. */
export type PathOf<Of extends Method> = keyof All extends infer Name
  ? Name extends `${Of} ${infer Path extends `/v1/${string}`}`
    ? Path
    : never
  : never;

type Operation<Path extends string, Of extends Method> = All[`${Of} ${Path}` & keyof All];

/** The answer of an operation: `Answer<'/v1/tokens'>`. */
export type Answer<Path extends string, Of extends Method = 'GET'> = Operation<Path, Of>['answer'];

/** The query of an operation with GET. */
export type Query<Path extends string> =
  Operation<Path, 'GET'> extends { query?: infer Fields } ? NonNullable<Fields> : never;

/** The body of an operation. */
export type RequestBody<Path extends string, Of extends Method = 'POST'> =
  Operation<Path, Of> extends { body: infer Body } ? Body : never;

/** `path`, `query` and `body` of an operation. */
export type Input<Path extends string, Of extends Method> = Omit<Operation<Path, Of>, 'answer'> &
  Pick<RequestOptions, 'signal'>;

/** `Input`, which may be left out where nothing in it is required. */
export type InputArguments<Path extends string, Of extends Method> =
  Record<never, never> extends Omit<Operation<Path, Of>, 'answer'>
    ? [input?: Input<Path, Of>]
    : [input: Input<Path, Of>];
