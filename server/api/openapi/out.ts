import { z } from 'zod';
import { displayNumber } from '../../kit/numbers/phone-numbers.ts';
import { formatAmount } from '../../modules/accounts/money.ts';
import { answered } from './shown.ts';

/* Fields of responses, each with its description and an example. */

declare const source: unique symbol;

/** The schema of a field that shows a value of another type, together with that type. */
type Shows<Value, Schema> = Schema & { readonly [source]: Value };

/** The type of the value that a field shows. */
export type Source<Schema> = Schema extends { readonly [source]: infer Value }
  ? Value
  : Readonly<z.output<Schema>>;

interface Conversion {
  readonly show: (value: never) => unknown;
}

// A zod registry, so that results of `describe` and `meta` are converted the same way.
const conversions = z.registry<Conversion>();

/**
 * Returns the function that converts a value for a field; undefined for a field that shows the value
 * unchanged.
 */
export const conversionOf = (schema: z.core.$ZodType): ((value: unknown) => unknown) | undefined =>
  conversions.get(schema)?.show as ((value: unknown) => unknown) | undefined;

function shows<Value, Schema extends z.ZodType>(
  schema: Schema,
  show: (value: Value) => z.output<Schema>,
): Shows<Value, Schema> {
  conversions.add(schema, { show });
  return schema as Shows<Value, Schema>;
}

/** Formats a time in milliseconds for responses. */
export const iso = (time: number): string => new Date(time).toISOString();

/** As `iso`, for an optional time. */
export const maybeIso = (time: number | null): string | null => (time === null ? null : iso(time));

const text = (description: string, example: string) => answered(z.string(), description, example);
const maybeText = (description: string, example: string | null) =>
  answered(z.string().nullable(), description, example);

const TIME = '2026-03-24T07:31:00.000Z';

export const out = {
  text,
  maybeText,
  count: (description: string, example: number) => answered(z.int(), description, example),
  maybeCount: (description: string, example: number | null) =>
    answered(z.int().nullable(), description, example),
  number: (description: string, example: number) => answered(z.number(), description, example),
  flag: (description: string, example: boolean) => answered(z.boolean(), description, example),
  texts: (description: string, example: string[]) => answered(z.array(z.string()), description, example),
  oneOf: <const Words extends readonly string[]>(
    words: Words,
    description: string,
    example: NoInfer<Words>[number],
  ) => answered(z.enum(words), description, example as never),
  maybeOneOf: <const Words extends readonly string[]>(
    words: Words,
    description: string,
    example: NoInfer<Words>[number] | null,
  ) => answered(z.enum(words).nullable(), description, example as never),
  /** An id, as digits. */
  id: (description: string, example: string) => shows(text(description, example), (id: number) => String(id)),
  maybeId: (description: string, example: string | null) =>
    shows(maybeText(description, example), (id: number | null) => (id === null ? null : String(id))),
  /** A time, in milliseconds since the epoch. */
  time: (meaning: string) => shows(text(`${meaning}, ISO 8601.`, TIME), iso),
  /** An optional time. */
  maybeTime: (meaning: string) => shows(maybeText(`${meaning}, ISO 8601; null: never.`, TIME), maybeIso),
  /** As `time`, with the whole description. */
  instant: (description: string, example = TIME) => shows(text(description, example), iso),
  /** As `maybeTime`, with the whole description. */
  maybeInstant: (description: string, example: string | null) =>
    shows(maybeText(description, example), maybeIso),
  /** An amount, in ten-thousandths of a credit. */
  credits: (description: string, example: string) => shows(text(description, example), formatAmount),
  /** A number, as international digits. */
  phone: (description: string, example: string) => shows(text(description, example), displayNumber),
};
