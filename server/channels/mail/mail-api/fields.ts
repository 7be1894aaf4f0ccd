import { z } from 'zod';
import { longList } from '../../../api/bodies/long-list.ts';
import { type JsonSchema, show } from '../../../api/openapi/shown.ts';
import { isOneLine } from '../user-input.ts';

/*
 * Building blocks of the mailing-list API's schemas. They accept only the documented types, and null for optional
 * fields. They stop at the first problem, because a request has tens of thousands of entries.
 */

type Context = z.core.ParsePayload;

const report = (context: Context, message: string): void => {
  context.issues.push({ code: 'custom', message, input: undefined, path: [] });
};

/** A trimmed, non-empty text of one line. */
export function name(most: number): z.ZodType<string, unknown> {
  return show(
    z.transform<unknown, string>((value, context) => {
      const read = readText(value, most, context, true) ?? '';
      if (read === '' && context.issues.length === 0) report(context, 'missing');
      return read;
    }),
    { as: () => ({ type: 'string', minLength: 1, maxLength: most }) },
  );
}

/** A trimmed text; undefined if absent or null. `lines`: may have several lines. */
export function optionalText(most: number, options: { lines?: boolean } = {}) {
  return show(
    z.transform<unknown, string | undefined>((value, context) =>
      readText(value, most, context, options.lines !== true),
    ),
    { as: () => ({ type: 'string', maxLength: most }), required: false },
  );
}

function readText(value: unknown, most: number, context: Context, oneLine: boolean): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') {
    report(context, 'must be a text');
    return undefined;
  }
  const text = value.trim();
  if (text.length > most) report(context, `over ${most} characters`);
  else if (oneLine && !isOneLine(text)) report(context, 'must be one line, without control characters');
  return text;
}

/** true or false; false if absent or null. */
export const flag = show(
  z.transform<unknown, boolean>((value, context) => {
    if (value !== undefined && value !== null && typeof value !== 'boolean')
      report(context, 'must be true or false');
    return value === true;
  }),
  { as: () => ({ type: 'boolean' }), required: false },
);

/** Only true. */
export const alwaysTrue = show(
  z.transform<unknown, true>((value, context) => {
    if (value !== true) report(context, value === undefined || value === null ? 'missing' : 'must be true');
    return true;
  }),
  { as: () => ({ type: 'boolean', enum: [true] }) },
);

/** The id of a list: a whole number, which clients also write as text. Whether the list exists is checked later. */
export const listId = show(
  z.transform<unknown, number>((given, context) => {
    const id = readId(given, context);
    if (id === undefined) report(context, 'missing');
    return id ?? 0;
  }),
  { as: () => ({ type: 'integer' }) },
);

/** The id of a user, as `listId`; undefined if absent or null. */
export const userId = show(z.transform<unknown, number | undefined>(readId), {
  as: () => ({ type: 'integer' }),
  required: false,
});

function readId(given: unknown, context: Context): number | undefined {
  if (given === undefined || given === null) return undefined;
  const value = typeof given === 'string' && /^\s*\d{1,20}\s*$/.test(given) ? Number(given) : given;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    report(context, 'must be a whole number');
    return 0;
  }
  return Number.isSafeInteger(value) ? value : -1;
}

/** An array of `min` to `max` entries. `optional`: undefined if absent or null. */
export function arrayOf<T>(
  of: z.ZodType<T, unknown>,
  bounds: { readonly min: number; readonly max: number },
): z.ZodType<T[], unknown> {
  const read = longList(of, (value, context) => {
    if (value === undefined || value === null) {
      if (bounds.min > 0) report(context, 'missing');
      return [];
    }
    if (!Array.isArray(value)) {
      report(context, 'must be an array');
      return [];
    }
    if (value.length >= bounds.min && value.length <= bounds.max) return value;
    report(context, value.length < bounds.min ? 'must not be empty' : `more than ${bounds.max} entries`);
    return [];
  });
  const described = (entry: (inner: z.ZodType) => JsonSchema): JsonSchema => ({
    type: 'array',
    items: entry(of),
    ...(bounds.min > 0 && { minItems: bounds.min }),
    maxItems: bounds.max,
  });
  return show(read, { as: described, required: bounds.min > 0 });
}

/**
 * An object; unknown fields are ignored. Names are matched without case (decisions, section 8). If a field has several
 * spellings, the documented one wins, otherwise the first.
 */
export function object<S extends z.ZodRawShape>(shape: S) {
  const exact = z.object(shape, {
    error: ({ input }) => (input === undefined || input === null ? 'missing' : 'must be an object'),
  });
  const names = namesInAnyCase(Object.keys(shape));
  return show(
    z.preprocess((value) => spelled(value, names), exact),
    { as: (of) => of(exact), required: true },
  );
}

/** Returns names by their lower-case form, to find them in any case. */
export const namesInAnyCase = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

/** Returns an object with its fields under their documented names; other values unchanged. */
export function spelled(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = value as Readonly<Record<string, unknown>>;
  let renamed: Record<string, unknown> | undefined;
  for (const key of Object.keys(given)) {
    const name = names.get(key.toLowerCase());
    if (name === undefined || name === key) continue;
    renamed ??= { ...given };
    if (!Object.hasOwn(renamed, name)) renamed[name] = given[key];
  }
  return renamed ?? given;
}
