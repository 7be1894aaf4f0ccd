import type { paths } from './schema.ts';

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';
type Json = 'application/json';

/** What /v1 answers with 200: `Answer<'/v1/tokens'>`. */
export type Answer<Path extends keyof paths, Of extends Method = 'get'> = paths[Path][Of] extends {
  responses: { 200: { content: { [type in Json]: infer Body } } };
}
  ? Body
  : never;

/** The query of a GET under /v1. */
export type Query<Path extends keyof paths> = paths[Path]['get'] extends {
  parameters: { query?: infer Fields };
}
  ? NonNullable<Fields>
  : never;

/** The body of a request to /v1. */
export type RequestBody<Path extends keyof paths, Of extends Method = 'post'> = paths[Path][Of] extends {
  requestBody: { content: { [type in Json]: infer Body } };
}
  ? Body
  : never;
