import { z } from 'zod';
import type { Chapter } from '../openapi/chapters.ts';
import { out } from '../openapi/out.ts';
import { done, type SmsRefusalCode } from './status-codes.ts';

/** What is said of an operation to those who call it, beyond what its schema says. */
export interface OperationDocs {
  readonly chapter: Chapter;
  /** A few words. */
  readonly title: string;
  /** Paragraphs, with `code`. */
  readonly description: string;
  /** Inside the root of a good request, but for `user`. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The answer when it is accepted: `answerOf`. */
  readonly answer: z.ZodObject;
  /** Why it may be refused, beside what every operation may be refused for. */
  readonly refusals?: readonly SmsRefusalCode[];
}

/** An answer with `status`, `message` and these fields; each has an example. */
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

/** What an operation answers when it has done what was asked. */
export const accepted = <Fields extends object>(fields: Fields, message = 'OK') => ({
  status: done.accepted,
  message,
  ...fields,
});

/** The field `status`, with the status of success. */
export function statusField(status: number = done.accepted) {
  return out.count(`${status}, or the reason for the refusal.`, status);
}

/** The field `errors` of what is done row by row. */
export const errorsField = (example: string) =>
  z.array(out.text('', example)).describe('Rows that could not be used, one line each.');
