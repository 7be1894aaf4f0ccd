import { z } from 'zod';
import { parseAmount } from '../../accounts/money.ts';
import { Refusal } from '../../errors.ts';
import { answered } from '../openapi/shown.ts';

/* Blocks of queries, bodies and answers that several parts of /v1 have. */

/** `after` of a page whose rows are known by their ids: the newest come first. */
export const afterId = z
  .string()
  .regex(/^\d{0,16}$/, 'must be what `next` of the page before says')
  .default('')
  .transform((text) => (text === '' ? undefined : Number(text)))
  .describe('`next` of the page before.');

/** A time of a query or body, ISO 8601 with an offset. */
export const timeText = z.iso.datetime({
  offset: true,
  error: 'must be a time like 2026-12-31T23:59:00Z',
});

const time = timeText.transform((text) => Date.parse(text)).optional();

/** Bounds of a time in a query, in milliseconds: `from` is in it, `to` is not. */
export const timeSpan = {
  from: time.describe('ISO 8601 with an offset: what was then or later.'),
  to: time.describe('ISO 8601 with an offset: what was before.'),
};

/** A choice of a query: `true` or `false`. */
export const yesNo = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .optional();

/** An id of a body, as digits. */
export const idText = (what: string) =>
  z.string('must be a text').regex(/^\d{1,16}$/, `must be the id of ${what}`);

/** `next` of an answer. */
export const next = answered(
  z.string().nullable(),
  '`after` of the following page; null on the last one.',
  null,
);

/** What of a page is shown, of rows that were read one beyond it, and its `next`. */
export function cut<T extends { readonly id: number }>(
  rows: readonly T[],
  limit: number,
): { rows: T[]; next: string | null } {
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? String(shown.at(-1)!.id) : null };
}

/** A time of an answer. */
export const isoTime = (meaning: string) =>
  answered(z.string(), `${meaning}, ISO 8601.`, '2026-03-24T07:31:00.000Z');

/** A time of an answer that may not be there. */
export const maybeTime = (meaning: string) =>
  answered(z.string().nullable(), `${meaning}, ISO 8601; null: never.`, '2026-03-24T07:31:00.000Z');

/** A time in milliseconds as answers show it. */
export const iso = (time: number): string => new Date(time).toISOString();

/** As `iso`, of a time that may not be there. */
export const maybeIso = (time: number | null): string | null => (time === null ? null : iso(time));

/** An amount of a body: credits as a decimal string (or a number), four places at most; read by `readAmount`. */
export const amount = z
  .union([z.string(), z.number()], 'must be an amount like "12.5"')
  .refine(
    (given) => /^-?\d{1,12}(\.\d{1,4})?$/.test(String(given)),
    'must be an amount like "12.5", four places at most',
  );

/**
 * Ten-thousandths of a credit of an `amount`. Throws Refusal `bad-amount` beyond what a number holds exactly.
 *
 * @param field its name in the body
 */
export function readAmount(given: string | number, field: string): number {
  try {
    return parseAmount(String(given));
  } catch {
    throw new Refusal('bad-amount', 'more than anyone has', field);
  }
}

/** `{"done": true}`, of what has nothing to tell. */
export const doneAnswer = z.object({ done: answered(z.boolean(), 'True.', true) });
export const done = { done: true };
