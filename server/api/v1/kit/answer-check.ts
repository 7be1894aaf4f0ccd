import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { Refusal } from '../../../kit/errors.ts';
import type { AccessRule } from '../../access/rules.ts';
import { codeOf } from '../errors.ts';
import { refusalsOf } from './description.ts';
import type { AnySpec } from './route.ts';

let isOn = false;

/**
 * From now on, a response that differs from its schema, and a refusal that its route does not document, become internal
 * errors (HTTP 500). Only for tests, because it is slow.
 */
export function checkAnswers(): void {
  isOn = true;
}

/** Throws Error for a response that differs from its schema, or has a field that the schema does not know. */
export function checkAnswer(operation: string, schema: z.ZodObject, answer: unknown): void {
  if (!isOn) return;
  const sent: unknown = JSON.parse(JSON.stringify(answer));
  const result = schema.safeParse(sent);
  if (!result.success)
    throw new Error(`the answer of ${operation} is not as described: ${result.error.message}`);
  if (isDeepStrictEqual(result.data, sent)) return;
  throw new Error(`the answer of ${operation} has a field that is not described`);
}

/** Throws Error for a refusal that its route does not document. */
export function checkRefusal(spec: AnySpec<never>, rule: AccessRule, error: unknown): void {
  if (!isOn || !(error instanceof Refusal)) return;
  const code = codeOf(error);
  if (code === 'too-large' || refusalsOf(spec, rule).includes(code)) return;
  throw new Error(`the refusal ${code} of ${spec.operationId} is not described`);
}
