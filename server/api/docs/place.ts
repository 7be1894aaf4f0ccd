import type { DocumentOperation } from '../openapi/document.ts';

/** An operation of the document, with its method and path. */
export interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentOperation;
}

/** Placeholder for the address of the service, which only a request knows. */
export const ADDRESS = '{address of the service}';

/** Returns the required parameters of the path or the query, each with its example. */
export function exampleParameters(
  { parameters = [] }: DocumentOperation,
  place: 'path' | 'query',
): [name: string, value: string][] {
  return parameters
    .filter((one) => one.in === place && one.required)
    .map(({ name, schema }) => [
      name,
      String(schema.examples?.[0] ?? schema.enum?.[0] ?? '1774337460000002'),
    ]);
}
