import { type Chapter, chapters } from './chapters.ts';
import type { Described, OperationAbout, Security } from './description.ts';
import type { JsonSchema } from './shown.ts';

/** An operation in the document. */
export interface DocumentOperation extends Omit<OperationAbout, 'chapter' | 'outcomes'> {
  readonly tags: readonly string[];
  readonly 'x-outcomes': OperationAbout['outcomes'];
}

export interface Document {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Security[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

/** Contribution of an API to the document. */
export interface ApiDescription {
  readonly operations: readonly Described[];
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly securitySchemes?: Readonly<Record<string, unknown>>;
}

const introduction = `Messages through one interface. Send \`Authorization: Bearer <token>\` with every request.

Malformed and incomplete requests return 400, 408 or 431, unknown paths 404; 405, 414, 415 and 417 have their meaning in HTTP. The body of such a response has \`statusCode\`, \`error\` and \`message\`, or the form of the API to which the path belongs.

The SMS API has one address, \`POST /api\`. The root element of the body selects the operation, in XML or JSON, and the response has the format of the request. OpenAPI permits one operation for a path and a method, so this description lists each of them as \`/api#\` and its root. Clients do not send the part after the #: a program generated from this description sends to \`/api\`.

\`POST /api/test\` accepts the same requests, makes the same checks, and returns responses of the same form. It stores, sends and charges nothing.

In the SMS API numbers and numeric texts are interchangeable, and a list of one entry may be the entry alone. The HTTP status is 200 for every request that was understood: \`status\` in the response has the result, 0 for success.

The chat API, under \`/chat-api\`, uses JSON only. The HTTP status is 200 for every request that was understood: \`success\` says whether it was accepted, and \`reason\` in \`ans\` has the cause of a refusal.`;

/**
 * Returns the OpenAPI 3.1 document of the service. Throws Error if two operations or schemas have the same
 * name.
 *
 * @param apis the described APIs
 */
export function createDocument(version: string, apis: readonly ApiDescription[]): Document {
  const paths: Record<string, Record<string, DocumentOperation>> = {};
  const operations = apis.flatMap((api) => api.operations);
  const order = Object.keys(chapters);
  const sorted = operations.toSorted(
    (one, other) => order.indexOf(one.about.chapter) - order.indexOf(other.about.chapter),
  );
  const ids = new Set<string>();
  for (const { method, path, about } of sorted) {
    const { chapter, outcomes, ...operation } = about;
    if (ids.has(about.operationId)) throw new Error(`two operations are called ${about.operationId}`);
    ids.add(about.operationId);
    paths[path] ??= {};
    paths[path][method] = { tags: [chapters[chapter]], ...operation, 'x-outcomes': outcomes };
  }
  const used = new Set<Chapter>(operations.map(({ about }) => about.chapter));
  return {
    openapi: '3.1.1',
    info: { title: 'Carillon', version, description: introduction },
    // Relative to this document: operations have the same base address.
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: Object.entries(chapters)
      .filter(([chapter]) => used.has(chapter as Chapter))
      .map(([, name]) => ({ name })),
    paths,
    components: {
      schemas: merge(apis.map((api) => api.schemas ?? {})),
      responses: merge(apis.map((api) => api.responses ?? {})),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        ...merge(apis.map((api) => api.securitySchemes ?? {})),
      },
    },
  };
}

function merge<T>(parts: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  const all: Record<string, T> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      if (name in all) throw new Error(`two APIs describe ${name}`);
      all[name] = value;
    }
  }
  return all;
}
