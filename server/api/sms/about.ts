import { z } from 'zod';
import type { Chapter } from '../openapi/chapters.ts';
import { out } from '../openapi/out.ts';
import { done, type SmsRefusalCode } from './status-codes.ts';

/** Documentation of an operation for callers, in addition to its schema. */
export interface OperationDocs {
  readonly chapter: Chapter;
  /** A few words. */
  readonly title: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** Content of the root of a valid request, without `user`. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Response to an accepted request: `answerOf`. */
  readonly answer: z.ZodObject;
  /** Possible refusals, in addition to those of every operation. */
  readonly refusals?: readonly SmsRefusalCode[];
}

/** A response with `status`, `message` and these fields; each needs an example. */
export function answerOf<Shape extends z.ZodRawShape>(
  shape: Shape,
  { message = 'OK', status = done.accepted }: { message?: string; status?: number } = {},
) {
  return z.object({
    status: statusField(status),
    message: out.text('Description of the result; for a refusal it names the field.', message),
    ...shape,
  });
}

/** Returns the response of a successful operation. */
export const accepted = <Fields extends object>(fields: Fields, message = 'OK') => ({
  status: done.accepted,
  message,
  ...fields,
});

/** The field `status`; `status` is its value for success. */
export function statusField(status: number = done.accepted) {
  return out.count(`${status}, or the reason for the refusal.`, status);
}

/** The field `errors` of operations that work row by row. */
export const errorsField = (example: string) =>
  z.array(out.text('', example)).describe('Rows that could not be used, one line each.');
