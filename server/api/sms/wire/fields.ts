import { z } from 'zod';
import { longList } from '../../bodies/long-list.ts';
import { type JsonSchema, show } from '../../openapi/shown.ts';
import { plainPreprocess, plainTransform } from '../../plain-transform.ts';
import { only } from './only.ts';

/*
 * Building blocks of the operations' schemas. They read results of `decode`, in both forms: a number may be a text
 * (always in XML), and a single entry may replace a list. They are plain transforms, for speed: with zod 4.6 a `bulk`
 * of 2,500 takes about a microsecond per message. Problems are short ("missing"); `firstProblem` adds the name of the
 * field. Each describes its input (openapi/shown.ts) for the API documentation.
 */

/** A text with an optional attribute `id`: a phone with the caller's id for later queries, or a link in a message. */
export interface TextWithId {
  text: string;
  /** Undefined if the attribute is absent or empty. */
  id: string | undefined;
}

/** Limits of a number, or of a number of entries; both inclusive. */
interface Bounds {
  min?: number;
  max?: number;
}

/** Receives the problems of a transform. */
type Context = z.core.ParsePayload;

/** A non-empty text, number or boolean, bare or under `_`, as text. */
export const text = show(plainTransform<string>(requiredText), {
  as: () => ({ type: 'string', minLength: 1 }),
});

/** As `text`, but undefined if absent or empty, which XML cannot distinguish. */
export const optionalText = show(plainTransform<string | undefined>(maybeText), {
  as: () => ({ type: 'string' }),
});

/**
 * A text that may be empty, undefined only if absent: for fields where an empty value has its own status (decisions,
 * 989 and 992) and a missing one has status 2.
 */
export const textInput = show(
  plainTransform<string | undefined>((value, context) =>
    value === undefined ? undefined : (maybeText(value, context) ?? ''),
  ),
  { as: () => ({ type: 'string', minLength: 1 }), required: true },
);

/** As `text`, with its attribute `id`, if any (interface, B1: `destinations.phone` and `links.link`). */
export const textWithId = show(
  plainTransform<TextWithId>((value, context) => ({
    text: requiredText(value, context),
    id: maybeText(attributesOf(value)?.id, context, ['$', 'id']),
  })),
  {
    as: () => ({
      anyOf: [
        { type: 'string', minLength: 1 },
        {
          type: 'object',
          properties: {
            $: { type: 'object', properties: { id: { type: 'string', xml: { attribute: true } } } },
            _: { type: 'string', minLength: 1 },
          },
          required: ['_'],
        },
      ],
    }),
  },
);

/** As `textInput`, for an optional field. */
export const textIfPresent = show(
  plainTransform<string | undefined>((value, context) =>
    value === undefined ? undefined : (maybeText(value, context) ?? ''),
  ),
  { as: () => ({ type: 'string', minLength: 1 }) },
);

/** As `textWithId`, but the text may be empty: for entries whose problems have their own status. */
export const maybeTextWithId = show(
  plainTransform<TextWithId>((value, context) => ({
    text: maybeText(value, context) ?? '',
    id: maybeText(attributesOf(value)?.id, context, ['$', 'id']),
  })),
  { as: (entry) => entry(textWithId) },
);

/** A whole number within the limits, as a number or as digits with an optional sign. */
export function whole(bounds: Bounds = {}): z.ZodType<number, unknown> {
  const read = plainTransform<number>((value, context) =>
    toWhole(requiredText(value, context), bounds, context),
  );
  return show(read, { as: () => wholeWithin(bounds) });
}

/** As `whole`, but undefined if absent or empty. */
export function optionalWhole(bounds: Bounds = {}): z.ZodType<number | undefined, unknown> {
  const read = plainTransform<number | undefined>((value, context) => {
    const digits = maybeText(value, context);
    return digits === undefined ? undefined : toWhole(digits, bounds, context);
  });
  return show(read, { as: () => wholeWithin(bounds) });
}

/**
 * A repeated element: an array, or a single entry; absent or empty means no entries. It stops at the first entry with a
 * problem.
 *
 * @param bounds on the number of entries; fewer than `min` is "missing"
 * @param overflow message for more than `max`
 */
export function list<T>(
  of: z.ZodType<T, unknown>,
  { min = 0, max = Infinity }: Bounds = {},
  overflow = `more than ${max} entries`,
): z.ZodType<T[], unknown> {
  const read = longList(of, (value, context) => {
    const entries = Array.isArray(value) ? value : isAbsent(value) ? [] : [value];
    if (entries.length >= min && entries.length <= max) return entries;
    report(entries.length < min ? 'missing' : overflow, context);
    return [];
  });
  const bounds = { ...(min > 0 && { minItems: min }), ...(max < Infinity && { maxItems: max }) };
  return show(read, { as: (entry) => ({ type: 'array', items: entry(of), ...bounds }) });
}

/**
 * An element with child elements, bare or as an array of one. Absent or empty (`''` in XML) is "missing"; unknown
 * elements are dropped.
 */
export function element<S extends z.ZodRawShape>(shape: S) {
  const object = z.object(shape, {
    error: ({ input }) => {
      if (isAbsent(input)) return 'missing';
      return Array.isArray(input) ? 'given more than once' : 'must have elements in it';
    },
  });
  return plainPreprocess(only, object);
}

/** As `element`, but undefined if absent or empty. */
export function optionalElement<S extends z.ZodRawShape>(shape: S) {
  return plainPreprocess((value) => (isAbsent(only(value)) ? undefined : value), element(shape).optional());
}

function requiredText(value: unknown, context: Context): string {
  const read = toText(value);
  if (read === undefined) report(notText(value), context);
  else if (read === '') report('missing', context);
  return read ?? '';
}

function maybeText(value: unknown, context: Context, path?: PropertyKey[]): string | undefined {
  const read = toText(value);
  if (read === undefined) report(notText(value), context, path);
  return read === '' ? undefined : read;
}

/** Returns the text of a value; `''` if it is empty, undefined if it has child elements. */
function toText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'object':
      break;
    case 'undefined':
      return '';
    default:
      return String(value);
  }
  if (value === null) return '';
  if (Array.isArray(value)) return value.length < 2 ? toText(only(value)) : undefined;
  let inner: unknown = '';
  for (const key in value) {
    if (key === '_') inner = (value as { _: unknown })._;
    else if (key !== '$') return undefined;
  }
  return typeof inner === 'object' && inner !== null ? undefined : toText(inner);
}

function notText(value: unknown): string {
  return Array.isArray(value) ? 'given more than once' : 'must be a text';
}

/** `digits` is empty for a missing value, which has been reported already. */
function toWhole(digits: string, { min = -Infinity, max = Infinity }: Bounds, context: Context): number {
  if (digits === '') return 0;
  const number = /^[+-]?\d+$/.test(digits) ? Number(digits) : NaN;
  if (!Number.isSafeInteger(number)) report('must be a whole number', context);
  else if (number < min) report(`must be ${min} or more`, context);
  else if (number > max) report(`must be ${max} or less`, context);
  return number;
}

function wholeWithin({ min, max }: Bounds): JsonSchema {
  return {
    type: 'integer',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  };
}

function attributesOf(given: unknown): Record<string, unknown> | undefined {
  const value = only(given);
  if (typeof value !== 'object' || value === null) return undefined;
  const attributes = (value as { $?: unknown }).$;
  return typeof attributes === 'object' && attributes !== null
    ? (attributes as Record<string, unknown>)
    : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function report(message: string, context: Context, path: PropertyKey[] = []): void {
  context.issues.push({ code: 'custom', message, input: undefined, path });
}
