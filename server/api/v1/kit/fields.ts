import { z } from 'zod';
import { Refusal } from '../../../kit/errors.ts';
import { isTimeZone } from '../../../modules/accounts/account-rules.ts';
import { parseAmount } from '../../../modules/accounts/money.ts';
import { out } from '../../openapi/out.ts';
import { because } from '../../schema-problems.ts';
import type { PathId } from './route.ts';

/* Building blocks of paths, queries, bodies and responses. */

/** A numeric `:id` in a path. */
export const idOf = (
  what: string,
  { description = `Id of the ${what}.`, ...more }: Partial<Omit<PathId<number>, 'read'>> = {},
): PathId<number> => ({
  description,
  ...more,
  read(text) {
    const id = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
    if (!Number.isSafeInteger(id)) throw notFound(what);
    return id;
  },
});

/** `:id` of a path that may have other characters than digits. */
export const textOf = (description: string): PathId<string> => ({ description, read: (text) => text });

/** Returns the refusal for an object that does not exist. */
export const notFound = (what: string): Refusal => new Refusal('not-found', `no such ${what}`);

/** Returns a value that was looked up. Throws Refusal `not-found` if it does not exist. */
export function found<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw notFound(what);
  return value;
}

const afterText = z
  .string()
  .regex(/^\d{0,16}$/, 'must be what `next` of the page before says')
  .default('');

/** `after` of a page whose rows are ordered by a text of digits. */
export const afterDigits = afterText.describe('`next` of the previous page.');

/** `after` of a page whose rows are ordered by id; undefined for the first page. */
const afterId = afterIdOf('`next` of the previous page.');

function afterIdOf(description: string) {
  return afterText.transform((text) => (text === '' ? undefined : Number(text))).describe(description);
}

/** Rows of a page: `max` is the maximum and the default. */
export const pageLimit = (max: number, description = 'Maximum rows per page.') =>
  z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(max, `must be ${max} or less`)
    .default(max)
    .describe(description);

/** The query of a page of rows ordered by id. */
export const page = (max: number) => ({ after: afterId, limit: pageLimit(max) });

/** As `page`, with a description of the order. */
export const pageInOrder = (max: number, order: string) => ({
  after: afterIdOf(`\`next\` of the previous page; ${order}`),
  limit: pageLimit(max),
});

/** A text of a query, with a maximum number of characters. */
export const queryText = (max: number) => z.string().max(max, `over ${max} characters`);

/** Search text for names of accounts. */
export const accountSearch = queryText(100)
  .default('')
  .describe('Filters by user name and name: names that contain this text.');

/** Search text for names. */
export const nameSearch = queryText(100)
  .default('')
  .describe('Filters by name: names that contain this text, regardless of case.');

/** A field of a body, described with an example. */
export const field = <T extends z.ZodType>(schema: T, description: string, example: unknown): T =>
  schema.meta({ description, examples: [example] });

/** A text of a body. */
export const text = z.string('must be a text');

/** A text of a body, with a maximum number of characters. */
export const textUpTo = (max: number) => text.max(max, `over ${max} characters`);

/** A non-empty text of a body, with a maximum number of characters after trimming. */
export const requiredText = (max: number) => text.trim().min(1, 'missing').max(max, `over ${max} characters`);

/** A boolean of a body. */
export const flag = z.boolean('must be true or false');

/** A whole number of a body. */
export const whole = (min: number, max: number) =>
  z.int('must be a whole number').min(min, `must be ${min} or more`).max(max, `must be ${max} or less`);

/** One of the given words, in a body or query. */
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

/** A time zone of a body or query. */
export const timeZone = (meaning: string) =>
  field(
    text.refine(isTimeZone, because('must be a time zone like Asia/Jerusalem', 'not-a-time-zone')),
    `${meaning}, by its IANA name.`,
    'Asia/Jerusalem',
  );

/** A list of a body. */
export const listOf = <T extends z.ZodType>(entry: T, max: number) =>
  z.array(entry, 'must be a list').max(max, `more than ${max} entries`);

/** A time of a query or body, ISO 8601 with an offset. */
export const timeText = z.iso.datetime({
  offset: true,
  error: 'must be a time like 2026-12-31T23:59:00Z',
});

const time = timeText.transform((text) => Date.parse(text)).optional();

/** Limits of a time in a query, in milliseconds since the epoch: `from` inclusive, `to` exclusive. */
export const timeSpan = {
  from: time.describe('Start of the span, included, ISO 8601 with an offset.'),
  to: time.describe('End of the span, excluded, ISO 8601 with an offset.'),
};

/** A boolean of a query: `true` or `false`. */
export const yesNo = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .optional();

/** An id of a body, as digits. */
export const idText = (what: string) =>
  z.string('must be a text').regex(/^\d{1,16}$/, `must be the id of ${what}`);

/** `next` of a response. */
export const next = out.maybeText('`after` of the following page; null on the last one.', null);

/**
 * Returns the rows of a page and its `next`.
 *
 * @param read reads up to the given number of rows, one more than the page has, to see whether another page follows
 * @param cursor returns the `next` of a page that ends with this row; its id by default
 */
export async function readPage<T>(
  limit: number,
  read: (most: number) => Promise<readonly T[]>,
  cursor: (row: T) => string | number = (row) => (row as { readonly id: number }).id,
): Promise<{ rows: readonly T[]; next: string | null }> {
  const all = await read(limit + 1);
  const rows = all.slice(0, limit);
  return { rows, next: all.length > limit ? String(cursor(rows.at(-1)!)) : null };
}

/** Returns a page in the form of `pageAnswer`: its rows under their name, each formatted by `show`. */
export async function pageOf<Name extends string, T, Shown>(
  name: Name,
  show: (row: T) => Shown | Promise<Shown>,
  page: ReturnType<typeof readPage<T>>,
): Promise<{ [N in Name]: Shown[] } & { next: string | null }> {
  const { rows, next } = await page;
  const shown = await Promise.all(rows.map((row) => show(row)));
  return { [name]: shown, next } as { [N in Name]: Shown[] } & { next: string | null };
}

/** The response of a page of rows under a name. */
export const pageAnswer = <Name extends string, Row extends z.ZodType>(name: Name, row: Row) =>
  z.object({ [name]: z.array(row), next } as { [N in Name]: z.ZodArray<Row> } & { next: typeof next });

/** The response of all rows under a name. */
export const rowsAnswer = <Name extends string, Row extends z.ZodType>(name: Name, row: Row) =>
  z.object({ [name]: z.array(row) } as { [N in Name]: z.ZodArray<Row> });

/**
 * An amount of a body: credits as a decimal string (or a number), with up to four decimal places; read by `readAmount`.
 */
export const amount = z
  .union([z.string(), z.number()], 'must be an amount like "12.5"')
  .refine(
    (given) => /^-?\d{1,12}(\.\d{1,4})?$/.test(String(given)),
    because('must be an amount like "12.5", four places at most', 'not-an-amount'),
  );

/**
 * Returns an `amount` in ten-thousandths of a credit. Throws Refusal `bad-amount` beyond the range of exact numbers.
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
