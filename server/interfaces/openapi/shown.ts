import { z } from 'zod';

/*
 * What the schemas that validate say to those who call. A schema made of zod's own parts says it by itself; for one that
 * is a transform (the blocks of the SMS family) it is told here.
 */

export type JsonSchema = z.core.JSONSchema.BaseSchema;

interface Shown {
  /** What is best sent, as JSON Schema; `of` gives that of a schema inside. */
  readonly as?: (of: (inner: z.ZodType) => JsonSchema) => JsonSchema;
  /** Whether a request must have it; without this, whether the schema refuses `undefined`. */
  readonly required?: boolean;
}

// zod's own registry, since it knows what `describe`, `meta` and `refine` were made of.
const registry = z.registry<object>();

/** Tells what a schema reads; what is made of it by `describe`, `meta` or `refine` reads the same. Returns the schema. */
export function show<T extends z.ZodType>(schema: T, what: Shown): T {
  registry.add(schema, what);
  return schema;
}

/** What `show` was given for a schema. */
export function shownOf(schema: z.core.$ZodType): Shown | undefined {
  return registry.get(schema);
}

/** A field that the operation's rule asks for, with a status of its own, and not its schema. */
export function askedFor<T extends z.ZodType>(schema: T): T {
  return show(schema.clone(undefined, { parent: true }), { required: true });
}

/** A field that another schema reads later. */
export function readAs<T extends z.ZodType>(schema: T, later: z.ZodType): T {
  return show(schema.clone(undefined, { parent: true }), { as: (of) => of(later) });
}

/** A field of an answer. */
export function answered<T extends z.ZodType>(schema: T, description: string, example: z.output<T>): T {
  return schema.meta({ description, examples: [example] });
}
