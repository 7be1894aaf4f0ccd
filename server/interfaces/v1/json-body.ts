import type { z } from 'zod';
import { exampleOf, requestSchema } from '../openapi/json-schema.ts';
import { type described, withBodyRefusals } from './about.ts';

/** What is said of a route (`described`) together with its JSON body, each field of whose schema has an example. */
export function withBody(
  { config }: ReturnType<typeof described>,
  schema: z.ZodObject,
): ReturnType<typeof described> {
  const body = requestSchema(schema);
  const content = { 'application/json': { schema: body, example: exampleOf(body) } };
  const requestBody = { required: true, content } as const;
  return {
    config: { ...config, describe: (rule) => withBodyRefusals({ ...config.describe(rule), requestBody }) },
  };
}
