import { type Chapter, chapters } from './chapters.ts';
import type { Described, OperationAbout, Security } from './description.ts';
import type { JsonSchema } from './shown.ts';

/** An operation as it stands in the document. */
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

/** What an API adds to the document. */
export interface ApiDescription {
  readonly operations: readonly Described[];
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly securitySchemes?: Readonly<Record<string, unknown>>;
}

const introduction = `Messages through one interface. \`Authorization: Bearer <token>\` goes with every request.

HTTP itself is answered as HTTP says, whatever is called: 400, 408 or 431 for what is no request or does not come whole, 404 for a path that there is not, 405, 414, 415 and 417. Such an answer has \`statusCode\`, \`error\` and \`message\`, or the form of the API whose path it was.

The SMS family is one address, \`POST /api\`: the root of the body chooses the operation, in XML or in JSON, and the answer has the form of the request. OpenAPI knows one operation for a path and a method, so each stands here under \`/api#\` and its root. What follows the # never leaves the client: a program made from this description sends to \`/api\`.

\`POST /api/test\` takes every one of them, makes the same checks, answers in the same shape, and stores, sends and charges nothing.

In the SMS family numbers and numeric texts are interchangeable, and a list of one entry may be the entry alone. HTTP is 200 for everything that was understood: \`status\` in the answer has the result, 0 when it was accepted.

The chat API, under \`/chat-api\`, is JSON alone. HTTP is 200 for everything that was understood: \`success\` says whether it was accepted, and \`reason\` in \`ans\` why not.`;

/**
 * The OpenAPI 3.1 document of the service.
 *
 * @param apis those who have something to describe; throws Error when two operations or schemas have one name
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
    // Beside this document: wherever the service is reached, so are its operations.
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
