import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';

/* What /docs/openapi.json says, as far as this page shows it. */

/** JSON Schema, as the description uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Body {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface OperationObject {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly 'x-outcomes': readonly { readonly code: string; readonly meaning: string }[];
}

interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A form in which a request may be sent. */
interface RequestForm {
  readonly type: string;
  readonly example: string;
}

export interface Operation {
  readonly id: string;
  /** In capital letters. */
  readonly method: string;
  /** With `{id}` for what is filled in. */
  readonly path: string;
  /** What is asked for at /api, the root of its body. */
  readonly root: string | undefined;
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Without a body: none. */
  readonly forms: readonly RequestForm[];
  readonly bodyDescription: string | undefined;
  readonly request: Schema;
  readonly answer: Schema;
  readonly outcomes: OperationObject['x-outcomes'];
}

export interface Description {
  readonly groups: readonly { readonly name: string; readonly operations: readonly Operation[] }[];
  readonly byId: ReadonlyMap<string, Operation>;
  /** The schema that one stands for. */
  resolve(schema: Schema): Schema;
}

/** The description of the service, fetched once. */
export function useDescription() {
  return useQuery({
    queryKey: ['description'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<Description> => {
      const response = await fetch('/docs/openapi.json').catch(() => {
        throw new ApiError(0, 'offline', 'no answer');
      });
      if (!response.ok) throw await ApiError.of(response);
      return read((await response.json()) as Document);
    },
  });
}

function read({ tags, paths, components }: Document): Description {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, object]) => readOperation(path, method, object)),
  );
  return {
    groups: tags.map(({ name }) => ({
      name,
      operations: operations.filter(({ group }) => group === name),
    })),
    byId: new Map(operations.map((operation) => [operation.id, operation])),
    resolve(schema) {
      const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
      return (name === undefined ? schema : components.schemas[name]) ?? {};
    },
  };
}

function readOperation(place: string, method: string, object: OperationObject): Operation {
  const [path, root] = place.split('#');
  const success = Object.entries(object.responses).find(([status]) => status.startsWith('2'))?.[1];
  return {
    id: object.operationId,
    method: method.toUpperCase(),
    path: path!,
    root,
    group: object.tags[0] ?? '',
    title: object.summary,
    description: object.description,
    parameters: object.parameters ?? [],
    forms: Object.entries(object.requestBody?.content ?? {}).map(([type, { example }]) => ({
      type,
      example: type === 'application/json' ? JSON.stringify(example, null, 2) : String(example),
    })),
    bodyDescription: object.requestBody?.description,
    request: fieldSchema(object.requestBody),
    answer: fieldSchema(success),
    outcomes: object['x-outcomes'],
  };
}

/** The schema in which a field has the name that it has in both forms: XML has no object around the root. */
function fieldSchema(body: Body | undefined): Schema {
  const content = body?.content?.['application/xml'] ?? body?.content?.['application/json'];
  return content?.schema ?? {};
}
