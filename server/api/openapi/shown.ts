import { z } from 'zod';

/*
 * Descriptions of schemas for callers. A schema of zod's own parts describes itself; transforms (the blocks of the SMS
 * API) are described here.
 */

export type JsonSchema = z.core.JSONSchema.BaseSchema;

interface Shown {
  /** JSON Schema of the preferred input; `of` returns that of an inner schema. */
  readonly as?: (of: (inner: z.ZodType) => JsonSchema) => JsonSchema;
  /** Whether the field is required; by default, whether the schema refuses `undefined`. */
  readonly required?: boolean;
}

// A zod registry, so that results of `describe`, `meta` and `refine` are found too.
const registry = z.registry<object>();

/** Describes the input of a schema; results of `describe`, `meta` and `refine` inherit it. Returns the schema. */
export function show<T extends z.ZodType>(schema: T, what: Shown): T {
  registry.add(schema, what);
  return schema;
}

/** Returns the description that `show` registered for a schema. */
export function shownOf(schema: z.core.$ZodType): Shown | undefined {
  return registry.get(schema);
}

/** Marks a field that the operation itself requires, with its own status, although its schema does not. */
export function askedFor<T extends z.ZodType>(schema: T): T {
  return show(schema.clone(undefined, { parent: true }), { required: true });
}

/** Describes a field that another schema parses later. */
export function readAs<T extends z.ZodType>(schema: T, later: z.ZodType): T {
  return show(schema.clone(undefined, { parent: true }), { as: (of) => of(later) });
}

/** A field of an answer. */
export function answered<T extends z.ZodType>(schema: T, description: string, example: z.output<T>): T {
  return schema.meta({ description, examples: [example] });
}
