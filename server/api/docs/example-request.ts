import type { Content } from '../openapi/description.ts';
import type { DocumentOperation } from '../openapi/document.ts';
import { ADDRESS, exampleParameters, type Place } from './place.ts';

/** The example request of an operation, for programs in every language. */
export interface ExampleRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `ADDRESS`, the path and the query. */
  readonly url: string;
  /** The environment variable with the token; undefined if no token may call the operation. */
  readonly token: 'TOKEN' | 'MAIL_TOKEN' | undefined;
  /** undefined: the request has no body. */
  readonly body: { readonly type: string; readonly example: unknown } | undefined;
  /** The media type of a successful response. */
  readonly answerType: string;
  readonly success: Success | undefined;
}

/**
 * How a response shows that the request was accepted, in APIs that also answer 200 to refused requests: the field at
 * `path` has `value`.
 */
export interface Success {
  readonly path: readonly string[];
  readonly value: number | true;
}

/** @param form the media type of the body, for an operation with several; the first one by default */
export function exampleRequest({ method, path, operation }: Place, form?: string): ExampleRequest {
  const inPath = Object.fromEntries(exampleParameters(operation, 'path'));
  const [address] = path.replace(/\{(\w+)\}/g, (_all, name: string) => inPath[name]!).split('#');
  const query = exampleParameters(operation, 'query').map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const [type, content] = (form && bodies.find(([one]) => one === form)) || bodies[0] || [];
  const [answerType, answer] = successOf(operation);
  return {
    method: method.toUpperCase() as ExampleRequest['method'],
    url: `${ADDRESS}${address}${query.length > 0 ? '?' : ''}${query.join('&')}`,
    token: tokenOf(path, operation),
    body: type === undefined ? undefined : { type, example: content!.example },
    answerType,
    success: successIn(path, answer.example),
  };
}

/** Returns the first form of a successful response. */
function successOf({ responses }: DocumentOperation): [string, Content] {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  return Object.entries((response as { content: Record<string, Content> }).content)[0]!;
}

function tokenOf(path: string, { security }: DocumentOperation): ExampleRequest['token'] {
  if (security && !security.some((scheme) => 'token' in scheme)) return undefined;
  return path.startsWith('/api/Mailer/') ? 'MAIL_TOKEN' : 'TOKEN';
}

function successIn(path: string, example: unknown): Success | undefined {
  if (path.startsWith('/v1/')) return undefined;
  const { status, success, data } = example as {
    status?: number;
    success?: true;
    data?: { success?: true } | null;
  };
  if (status !== undefined) return { path: ['status'], value: status };
  if (success) return { path: ['success'], value: true };
  return data?.success ? { path: ['data', 'success'], value: true } : undefined;
}
