import type { Operations, paged } from './schema.ts';

/** The method and path of an operation: `POST /v1/sms`, `POST /api#sms`. */
export type OperationName = keyof Operations;

/** An operation that answers page by page. */
export type PagedName = keyof typeof paged;

/** What an operation answers. */
export type Answer<Name extends OperationName> = Operations[Name]['answer'];

/** What the body of an operation is. */
export type Body<Name extends OperationName> = Operations[Name] extends { body: infer Sent }
  ? Sent
  : undefined;

/** The query of an operation. */
export type Query<Name extends OperationName> = Operations[Name] extends { query?: infer Asked }
  ? Exclude<Asked, undefined>
  : undefined;

/** A row of a page. */
export type Row<Name extends PagedName> =
  Answer<Name> extends infer Page
    ? (typeof paged)[Name] extends keyof Page
      ? Page[(typeof paged)[Name]] extends readonly (infer One)[]
        ? One
        : never
      : never
    : never;

/** How one request is made. */
export interface RequestOptions {
  /** Gives up. The promise is rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, in milliseconds; that of the client by default. */
  readonly timeoutMs?: number | undefined;
  /** How long all attempts may take together, in milliseconds; that of the client by default. */
  readonly deadlineMs?: number | undefined;
  /** How often a request that failed is sent again; that of the client by default. */
  readonly retries?: number | undefined;
  /** The send key of an operation that sends or pays; the library makes one without it. */
  readonly sendKey?: string | undefined;
  /** Makes an operation of `POST /api` check the request alone: nothing is stored, sent or charged. */
  readonly dryRun?: boolean | undefined;
}

/** What an operation takes: `path`, `query` and `body`, each where the operation has it, and how it is requested. */
export type Input<Name extends OperationName> = Omit<Operations[Name], 'answer'> & RequestOptions;

/** `Input`, which may be left out where nothing in it is required. */
export type InputArguments<Name extends OperationName> =
  Record<never, never> extends Omit<Operations[Name], 'answer'>
    ? [input?: Input<Name>]
    : [input: Input<Name>];
