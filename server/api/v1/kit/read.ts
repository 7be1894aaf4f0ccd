import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Refusal } from '../../../kit/errors.ts';
import { hasLongList, parseLong } from '../../bodies/long-list.ts';
import { firstProblem } from '../../schema-problems.ts';
import type { Input } from './call.ts';
import type { AnySpec } from './route.ts';

type AnyInput = Input<unknown, unknown, number | string>;

// Only the first problem is reported, and an array of a 1 MiB body may have half a million. The input distinguishes
// missing values from those of another type.
const FIRST_PROBLEM: z.core.ParseContext<z.core.$ZodIssue> & { abortEarly: boolean } = {
  abortEarly: true,
  reportInput: true,
};

/**
 * Returns a function that parses the requests of a route by its schemas: the id of the path, then the query, then the
 * body, with long lists (bodies/long-list.ts) in slices. Throws Refusal `not-found` for an invalid id, and `bad-field`
 * with the first field that has a problem.
 */
export function readerOf(spec: AnySpec<never>): (request: FastifyRequest) => Promise<AnyInput> {
  const { query, body, isBodyOptional = false } = spec;
  const hasLong = body !== undefined && hasLongList(body);
  return async (request) => {
    const { id } = request.params as { id: string };
    const given = isBodyOptional ? (request.body ?? {}) : request.body;
    return {
      id: spec.id?.read(id) ?? id,
      query: query ? checked(query.safeParse(request.query, FIRST_PROBLEM)) : {},
      body: body
        ? checked(hasLong ? await parseLong(body, given) : body.safeParse(given, FIRST_PROBLEM))
        : {},
    };
  };
}

function checked<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  const { field, problem, detail } = firstProblem(result.error);
  throw new Refusal('bad-field', problem, field || undefined, detail);
}
