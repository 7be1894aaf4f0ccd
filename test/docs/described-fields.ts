import fc from 'fast-check';
import type { JsonSchema } from '../../server/api/openapi/shown.ts';

/** A field that a schema describes, and the way to it: names of elements. */
export interface DescribedField {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** Every field, those inside of others too; the entries of a list are fields of the list. */
export function describedFields(schema: JsonSchema, path: readonly string[] = []): DescribedField[] {
  if (schema.items) return describedFields(schema.items as JsonSchema, path);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const inner = property as JsonSchema;
    const field = {
      path: [...path, name],
      schema: inner,
      required: schema.required?.includes(name) ?? false,
    };
    return [field, ...describedFields(inner, field.path)];
  });
}

/** A copy with the field at `path` set, or left away when `value` is undefined; of a list the first entry has it. */
export function withField(content: unknown, [name, ...path]: readonly string[], value: unknown): unknown {
  if (Array.isArray(content)) return [withField(content[0], [name!, ...path], value), ...content.slice(1)];
  const { [name!]: inner, ...others } = (content ?? {}) as Record<string, unknown>;
  const set = path.length === 0 ? value : withField(inner, path, value);
  return set === undefined ? others : { ...others, [name!]: set };
}

/** Whether an example has what is around the field at `path`. */
export function hasAround(content: unknown, path: readonly string[]): boolean {
  const first = Array.isArray(content) ? content[0] : content;
  if (path.length === 1) return first !== undefined;
  const inner = (first as Record<string, unknown> | undefined)?.[path[0]!];
  return inner !== undefined && hasAround(inner, path.slice(1));
}

/** Any value that fits a schema. Throws for a keyword that it does not know. */
export function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, properties, required = [], items, anyOf, enum: values, pattern } = schema;
  const { minLength = 0, maxLength = 30, minimum = -1_000, maximum = 1_000, minItems = 0 } = schema;
  if (anyOf) return fc.oneof(...(anyOf as JsonSchema[]).map(fitting));
  if (values) return fc.constantFrom(...values);
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  switch (type) {
    case 'string':
      // Texts are trimmed before they are read.
      return fc
        .string({ minLength, maxLength: Math.min(maxLength, minLength + 20) })
        .filter((text) => text.trim().length >= minLength);
    case 'integer':
      return fc.integer({ min: minimum, max: Math.max(minimum, maximum) });
    case 'array':
      return fc.array(fitting(items as JsonSchema), { minLength: minItems, maxLength: minItems + 3 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(properties ?? {}).map(([name, field]) => [name, fitting(field as JsonSchema)]),
        ),
        { requiredKeys: required },
      );
    case undefined:
      return fc.constant(undefined);
    default:
      throw new Error(`values of the type ${String(type)} are not known`);
  }
}
