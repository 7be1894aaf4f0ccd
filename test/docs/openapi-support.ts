import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Document, DocumentOperation } from '../../server/api/openapi/document.ts';
import type { JsonSchema } from '../../server/api/openapi/shown.ts';

export type AnyBody = {
  description?: string;
  content?: Record<string, { schema: JsonSchema; example: unknown }>;
};

export interface Operation {
  /** In small letters. */
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentOperation;
}

/** The description that a service gives of itself, and ways to read in it. */
export async function openDescription(url: string) {
  const response = await fetch(`${url}/docs/openapi.json`);
  const document = (await response.json()) as Document;
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  /** What a reference leads to; what is none as it is. */
  function resolve<T>(part: T | { $ref: string }): T {
    const ref = (part as { $ref?: string }).$ref;
    if (ref === undefined) return part as T;
    const found = ref
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)?.[name], document);
    assert.ok(found, `${ref} leads nowhere`);
    return found as T;
  }

  /** What reads values of a schema of the document. */
  function readerOf(schema: JsonSchema): z.ZodType {
    const whole = JSON.stringify(schema, (_key, value) =>
      typeof value?.$ref === 'string' ? resolve<JsonSchema>(value) : value,
    );
    return z.fromJSONSchema(JSON.parse(whole));
  }

  return { response, document, operations, resolve, readerOf };
}

/** The fields of an answer that its schema has. */
export function onlyDescribed(value: unknown, schema: JsonSchema): unknown {
  if (value === null) return null;
  const choice = schema.anyOf?.find((one) => (one as JsonSchema).type !== 'null');
  if (choice) return onlyDescribed(value, choice as JsonSchema);
  if (Array.isArray(value))
    return value.map((entry) => onlyDescribed(entry, (schema.items ?? {}) as JsonSchema));
  if (!schema.properties) return value;
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => Object.hasOwn(value as object, name))
      .map(([name, field]) => [
        name,
        onlyDescribed((value as Record<string, unknown>)[name], field as JsonSchema),
      ]),
  );
}
