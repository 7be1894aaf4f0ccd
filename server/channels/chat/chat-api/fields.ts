import { z } from 'zod';
import { checkTexts } from '../../../api/bodies/clean-json.ts';
import { isObject } from '../../../api/bodies/json-body.ts';
import { MAX_UNSLICED_BODY } from '../../../api/bodies/limits.ts';
import { parseLong } from '../../../api/bodies/long-list.ts';
import { parseShortJson } from '../../../api/bodies/parse-json.ts';
import { show } from '../../../api/openapi/shown.ts';
import { firstProblem } from '../../../api/schema-problems.ts';

/**
 * An invalid field. The message begins with its name as the caller wrote it. `field` is its name in the interface
 * (`cardX_body`), for which the operation's table has a reason.
 */
export class FieldProblem extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export type Content = Readonly<Record<string, unknown>>;

/**
 * Returns a function that reads the fields of a request one by one: the first failing one determines the reason
 * (decisions, "Checks' order"), and some checks between two fields need more than a schema. `nameOf` returns the name
 * of a field in the request.
 */
export function fieldReader<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  content: Content,
  nameOf: (field: string) => string = (field) => field,
) {
  return <Name extends keyof Shape & string>(field: Name): z.output<Shape[Name]> => {
    const name = nameOf(field);
    return readValue(z.safeParse(shape[field]!, content[name]), field, name);
  };
}

/** Reads one field with long lists (bodies/long-list.ts) in slices. Throws FieldProblem. */
export async function readLongField<T>(
  schema: z.ZodType<T, unknown>,
  content: Content,
  field: string,
): Promise<T> {
  return readValue(await parseLong(schema, content[field]), field, field);
}

function readValue<T>(result: z.ZodSafeParseResult<T>, field: string, name: string): T {
  if (result.success) return result.data;
  const { field: inside, message } = firstProblem(result.error);
  throw new FieldProblem(field, inside === '' ? `${name}: ${message}` : `${name}.${message}`);
}

/** A text or number, as text with more than white space. */
export const text = show(
  z.transform<unknown, string>((value, context) => {
    const read = readText(value);
    if (read === null || read === undefined) report(read === null ? 'must be a text' : 'missing', context);
    return read ?? '';
  }),
  { as: () => ({ type: 'string', minLength: 1 }) },
);

/** As `text`, but undefined if absent, null or only white space. */
export const optionalText = show(
  z.transform<unknown, string | undefined>((value, context) => {
    const read = readText(value);
    if (read === null) report('must be a text', context);
    return read ?? undefined;
  }),
  { as: () => ({ type: 'string' }) },
);

/** Returns undefined for an absent value, null for one that is not a text. */
function readText(value: unknown): string | undefined | null {
  if (!isPresent(value)) return undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

function report(message: string, context: z.core.ParsePayload): undefined {
  context.issues.push({ code: 'custom', message, input: undefined, path: [] });
}

/** A text with a maximum number of characters (UTF-16 units, as most languages count). */
export const textUpTo = (most: number) =>
  text.refine((value) => value.length <= most, `over ${most} characters`).meta({ maxLength: most });

/** As `textUpTo`, but undefined if absent or empty. */
export const optionalTextUpTo = (most: number) =>
  optionalText
    .refine((value) => (value?.length ?? 0) <= most, `over ${most} characters`)
    .meta({ maxLength: most });

/** Whether a field is present and not empty, whatever its type. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '');
}

/** Returns a text for addresses and ids that are checked later; '' for other values. */
export function looseText(value: unknown): string {
  const result = optionalText.safeParse(value);
  return result.success ? (result.data?.trim() ?? '') : '';
}

/**
 * Values under the keys `1` to `5`: an object, or its JSON text (the interface mentions both); undefined if absent or
 * empty.
 */
export const numberedValues = valuesUnder(/^[1-5]$/);

/** As `numberedValues`, with surplus values under larger numbers (decisions, section 8: they are ignored). */
export const numberedHeaders = valuesUnder(/^[1-9]\d?$/);

function valuesUnder(keys: RegExp) {
  const read = z.transform<unknown, Readonly<Record<string, string>> | undefined>((value, context) => {
    const given = typeof value === 'string' ? parsed(value) : (value ?? undefined);
    if (given === undefined) return undefined;
    if (!isObject(given)) return report('must be an object with the keys 1 to 5', context);
    const values: Record<string, string> = {};
    for (const [key, inner] of Object.entries(given)) {
      if (!keys.test(key)) return report('must have no other keys than 1 to 5', context);
      if (typeof inner === 'object' && inner !== null) return report(`${key} must be one value`, context);
      values[key] = String(inner ?? '');
    }
    return values;
  });
  return show(read, {
    as: () => ({
      type: 'object',
      properties: Object.fromEntries(['1', '2', '3', '4', '5'].map((key) => [key, { type: 'string' }])),
      additionalProperties: false,
    }),
  });
}

/** Parses a JSON text; undefined if it is empty, null if it is invalid. */
function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return text.length > MAX_UNSLICED_BODY ? null : parseShortJson(text, checkTexts);
  } catch {
    return null;
  }
}
