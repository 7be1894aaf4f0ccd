import type { z } from 'zod';
import type { ProblemDetail, Reason } from '../kit/reasons.ts';

/** The first problem that a schema found. */
interface FirstProblem {
  /** Its path; '' for the whole input. */
  readonly field: string;
  readonly problem: string;
  /** The problem, preceded by the field. */
  readonly message: string;
  readonly detail: ProblemDetail;
}

/**
 * Returns the first problem that a schema found, in words for the caller (decisions, status 2: "the message names the
 * field"). Never contains a value of the caller.
 *
 * @returns `field` is a path such as `destinations.phone[3]`, with attributes named like elements (`links.link[0].id`),
 * and empty for the request as a whole; `message` begins with the field
 */
export function firstProblem(error: z.ZodError): FirstProblem {
  const issue = error.issues[0]!;
  let field = '';
  for (const step of issue.path) {
    if (typeof step === 'number') field += `[${step}]`;
    else if (step !== '$') field += field === '' ? String(step) : `.${String(step)}`;
  }
  const problem = issue.message;
  return {
    field,
    problem,
    message: field === '' ? problem : `${field}: ${problem}`,
    detail: detailOf(issue),
  };
}

/**
 * Returns an issue of a schema for programs: the same reasons for every schema. Refinements set theirs by `because`.
 */
export function detailOf(issue: z.core.$ZodIssue): ProblemDetail {
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
      return { reason: issue.input === undefined ? 'missing' : 'wrong-type' };
    case 'invalid_value':
      return { reason: 'not-one-of', params: { values: issue.values.join(', ') } };
    case 'custom':
      if (issue.params) return issue.params as ProblemDetail;
      return { reason: issue.message === 'missing' ? 'missing' : 'wrong-format' };
    default:
      return { reason: 'wrong-format' };
  }
}

/** Adjectives for too small and too large values of a kind. */
const sizes: Readonly<Record<string, { readonly little: 'short' | 'few'; readonly much: 'long' | 'many' }>> =
  {
    string: { little: 'short', much: 'long' },
    array: { little: 'few', much: 'many' },
  };

/** Returns the message of a refinement, and its reason for programs. */
export const because = (error: string, reason: Reason, params: ProblemDetail['params'] = {}) => ({
  error,
  params: { reason, params } satisfies ProblemDetail,
});
