import { z } from 'zod';
import type { Parameter } from './description.ts';
import { type JsonSchema, shownOf } from './shown.ts';

/** The JSON Schema of what a schema takes. Throws for a schema that says neither by itself nor in `shown` what it is. */
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

/** The JSON Schema of what a schema gives: an answer's, which may have more fields one day. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, 'output', ({ jsonSchema }) => {
    delete jsonSchema.additionalProperties;
  });
}

/**
 * An example out of the examples of a schema's fields, without those whose list of examples is empty. Throws for a field
 * that has none.
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
  // Of a field that may be null, when it is not.
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
      // What a number of JavaScript can hold exactly is no limit of a field.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      override(context);
    },
  });
  return converted;
}

/** Content of JSON, with an example that is made of the examples of the schema's fields unless there is one. */
export const jsonContent = (schema: JsonSchema, example: unknown = exampleOf(schema)) => ({
  'application/json': { schema, example },
});

/** The parameters that a schema of a query reads. */
export function queryParameters(query: z.ZodObject): Parameter[] {
  const { properties = {}, required = [] } = requestSchema(query);
  return Object.entries(properties).map(([name, field]) => {
    const { description = '', ...schema } = field as JsonSchema;
    // The exact form of a time is longer than the rest of its description together.
    if (schema.format === 'date-time') delete schema.pattern;
    return { name, in: 'query', description, required: required.includes(name), schema };
  });
}
