import type { z } from 'zod';
import type { OperationAbout } from '../openapi/description.ts';
import { exampleOf, requestSchema } from '../openapi/json-schema.ts';

/** What is said of a route (`described`) together with its JSON body, each field of whose schema has an example. */
export function withBody(
  { config: { about } }: { readonly config: { readonly about: OperationAbout } },
  schema: z.ZodObject,
): { config: { about: OperationAbout } } {
  const body = requestSchema(schema);
  const content = { 'application/json': { schema: body, example: exampleOf(body) } };
  return { config: { about: { ...about, requestBody: { required: true, content } } } };
}
