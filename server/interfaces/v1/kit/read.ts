import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type ProblemDetail, Refusal } from '../../../errors.ts';
import { hasLongList, parseLong } from '../../bodies/long-list.ts';
import { firstProblem } from '../../sms-api/wire/fields.ts';
import type { Input } from './call.ts';
import type { AnySpec } from './route.ts';

type AnyInput = Input<unknown, unknown, number | string>;

// The first problem is told, and an array of a body of 1 MiB may have half a million.
const STOP_EARLY: z.core.ParseContext<z.core.$ZodIssue> & { abortEarly: boolean } = { abortEarly: true };

/**
 * What reads the requests of a route by its schemas: the id of the path, then the query, then the body, in which long lists
 * (bodies/long-list.ts) are read in slices. Throws Refusal `not-found` for a text that can be no id, and `bad-field` with the
 * first field that has a problem.
 */
export function readerOf(spec: AnySpec<never>): (request: FastifyRequest) => Promise<AnyInput> {
  const { query, body, isBodyOptional = false } = spec;
  const hasLong = body !== undefined && hasLongList(body);
  return async (request) => {
    const { id } = request.params as { id: string };
    const given = isBodyOptional ? (request.body ?? {}) : request.body;
    return {
      id: spec.id?.read(id) ?? id,
      query: query ? checked(query.safeParse(request.query, STOP_EARLY)) : {},
      body: body ? checked(hasLong ? await parseLong(body, given) : body.safeParse(given, STOP_EARLY)) : {},
    };
  };
}

/** An issue of a schema, for programs: the same words for every schema. */
function detailOf(issue: z.core.$ZodIssue): ProblemDetail | undefined {
  switch (issue.code) {
    case 'too_big':
      return {
        reason: `too-${sizes[issue.origin]?.much ?? 'large'}`,
        params: { max: Number(issue.maximum) },
      };
    case 'too_small':
      return {
        reason: `too-${sizes[issue.origin]?.little ?? 'small'}`,
        params: { min: Number(issue.minimum) },
      };
    case 'invalid_type':
      return { reason: issue.input === undefined ? 'missing' : 'wrong-type', params: {} };
    case 'invalid_value':
      return { reason: 'not-one-of', params: { values: issue.values.join(', ') } };
    case 'invalid_format':
      return { reason: 'wrong-format', params: {} };
    default:
      return undefined;
  }
}

/** How too little and too much of something is called. */
const sizes: Readonly<Record<string, { readonly little: string; readonly much: string }>> = {
  string: { little: 'short', much: 'long' },
  array: { little: 'few', much: 'many' },
};

function checked<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  const { field, problem } = firstProblem(result.error);
  throw new Refusal('bad-field', problem, field || undefined, detailOf(result.error.issues[0]!));
}
