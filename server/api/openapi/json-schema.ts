import { z } from 'zod';
import type { Parameter } from './description.ts';
import { type JsonSchema, shownOf } from './shown.ts';

/**
 * Returns the JSON Schema of a schema's input. Throws for a schema that neither describes itself nor has a description
 * in `shown`.
 */
export function requestSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, 'input', ({ zodSchema, jsonSchema }) => {
    const said = shownOf(zodSchema)?.as?.(requestSchema);
    if (said) Object.assign(jsonSchema, { ...said, ...jsonSchema });
    else if (zodSchema._zod.def.type === 'transform') {
      throw new Error('a transform that is not registered in `shown` cannot be described');
    }
    if (zodSchema._zod.def.type === 'object') {
      const { shape } = zodSchema._zod.def as z.core.$ZodObjectDef;
      const required = Object.keys(shape).filter((name) => isRequired(shape[name]!));
      if (required.length > 0) jsonSchema.required = required;
      else delete jsonSchema.required;
    }
  });
}

/** Returns the JSON Schema of a schema's output, for responses, which may get more fields in future. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, 'output', ({ jsonSchema }) => {
    delete jsonSchema.additionalProperties;
  });
}

/**
 * Builds an example from the examples of a schema's fields, without fields that have an empty list of examples. Throws
 * for a field without examples.
 */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties)
        .map(([name, field]) => [name, exampleOf(field as JsonSchema)])
        .filter(([, example]) => example !== undefined),
    );
  }
  if (schema.items) return [exampleOf(schema.items as JsonSchema)];
  // For a nullable field, the example of a value.
  if (schema.anyOf) return exampleOf(schema.anyOf[0] as JsonSchema);
  throw new Error(`a field without an example: ${schema.description}`);
}

function isRequired(schema: z.core.$ZodType): boolean {
  return shownOf(schema)?.required ?? !z.safeParse(schema, undefined).success;
}

function convert(
  schema: z.ZodType,
  io: 'input' | 'output',
  override: (context: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) => void,
): JsonSchema {
  const { $schema, ...converted } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override(context) {
      const { jsonSchema } = context;
      // The range of exact JavaScript numbers is not a limit of the field.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      override(context);
    },
  });
  return converted;
}

/** JSON content, with an example built from those of the schema's fields by default. */
export const jsonContent = (schema: JsonSchema, example: unknown = exampleOf(schema)) => ({
  'application/json': { schema, example },
});

/** Returns the parameters that a query schema reads. */
export function queryParameters(query: z.ZodObject): Parameter[] {
  const { properties = {}, required = [] } = requestSchema(query);
  return Object.entries(properties).map(([name, field]) => {
    const { description = '', ...schema } = field as JsonSchema;
    // The pattern of a time is longer than the rest of its description.
    if (schema.format === 'date-time') delete schema.pattern;
    return { name, in: 'query', description, required: required.includes(name), schema };
  });
}
