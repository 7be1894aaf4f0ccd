import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

let isOn = false;

/** From now on an answer that is not as its schema describes it is a fault (HTTP 500). For tests: it costs time. */
export function checkAnswers(): void {
  isOn = true;
}

/** Throws Error for an answer that is not as its schema says, or has a field that the schema does not know. */
export function checkAnswer(operation: string, schema: z.ZodObject, answer: unknown): void {
  if (!isOn) return;
  const sent: unknown = JSON.parse(JSON.stringify(answer));
  const result = schema.safeParse(sent);
  if (!result.success)
    throw new Error(`the answer of ${operation} is not as described: ${result.error.message}`);
  if (isDeepStrictEqual(result.data, sent)) return;
  throw new Error(`the answer of ${operation} has a field that is not described`);
}
