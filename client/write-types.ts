/*
 * Writes the types of the client library from the OpenAPI document of the service. Other generators need the JavaScript
 * interface of the compiler, which TypeScript 7 does not have; the schemas that zod writes need little.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  /** Authentication schemes of the operation; the default is a token. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * Returns the text of the module client/src/schema.ts: `Operations`, each operation that a token may call under its method and
 * path, with `path`, `query`, `body` and `answer`; `SessionOperations`, the same of operations that need the session of a
 * person, for the console; `keyed`, the operations that take a send key; `bodied`, those that take a body, with its media
 * type; `paged`, those that answer page by page, with the name of their rows.
 */
export function writeTypes({ paths, components }: Described): string {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]): Named => ({
        name: `${method.toUpperCase()} ${path}`,
        operation: inJson(operation),
      }),
    ),
  );
  const mayToken = ({ operation: { security } }: Named) =>
    !security || security.some((scheme) => 'token' in scheme);
  const own = all.filter(mayToken);
  const ofSessions = all.filter((one) => !mayToken(one));
  const types = writeModule(components, all, (shared) => {
    const written = (operations: readonly Named[]) =>
      operations
        .map(
          ({ name, operation }) =>
            `${comment(operation.summary)}${JSON.stringify(name)}: ${operationType(operation, shared)};`,
        )
        .join('\n');
    return `/** A file that is sent. */
export type FileBody = string | Uint8Array<ArrayBuffer> | Blob;

export interface Operations {
${written(own)}
}

/** Operations that need the session of a person: no token may call them. */
export interface SessionOperations {
${written(ofSessions)}
}`;
  });
  const takesKey = ({ operation }: Named) =>
    operation.parameters?.some(({ name }) => name === 'Idempotency-Key');
  const keyed = all.filter(takesKey).map(({ name }) => `  ${JSON.stringify(name)},`);
  const bodied = own
    .filter(({ operation }) => operation.requestBody)
    .map(({ name, operation }) => {
      const [type] = Object.keys(operation.requestBody!.content!);
      return `  ${JSON.stringify(name)}: ${JSON.stringify(type)},`;
    });
  const paged = own.flatMap(({ name, operation }) => {
    const rows = rowsOf(operation);
    return rows === undefined ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(rows)},`];
  });
  return `${types}
/** Operations that send or pay: they take a send key. */
export const keyed: ReadonlySet<string> = new Set([
${keyed.join('\n')}
]);

/** Operations that take a body, with its media type. */
export const bodied: Readonly<Record<string, string>> = {
${bodied.join('\n')}
};

/** Operations that answer page by page, with the field of their rows. */
export const paged = {
${paged.join('\n')}
} as const;
`;
}

/** An operation with its method and path. */
interface Named {
  readonly name: string;
  readonly operation: Operation;
}

/**
 * Source of a module: the declarations of `write`, the schemas they refer to, and the types that occur several times in
 * both.
 */
function writeModule(
  components: Described['components'],
  own: unknown,
  write: (shared: SharedTypes) => string,
): string {
  const wanted = namesIn(own);
  const schemas = Object.entries(components.schemas).filter(([name]) => wanted.has(name));
  const shared = new SharedTypes();
  const writeAll = () => ({
    main: write(shared),
    schemas: schemas.map(([name, schema]) => `    ${JSON.stringify(name)}: ${typeOf(schema, shared, name)};`),
  });
  // The first time only counts which types there are several times.
  writeAll();
  shared.counted = true;
  const written = writeAll();
  return indented(`// Written by \`npm run client:types\` from /docs/openapi.json. Not to be changed by hand.

${written.main}

export interface components {
  schemas: {
${written.schemas.join('\n')}
  };
}

${shared.declarations.join('\n\n')}
`);
}

/** Object types with several fields that occur several times: each is declared once, under a name. */
class SharedTypes {
  /** Whether all types are counted, so that names can be assigned. */
  counted = false;
  readonly declarations: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  /** Names in use, with the names of the module and of the platform. */
  readonly #taken = new Set(['Operations', 'SessionOperations', 'FileBody', 'Response', 'Blob', 'Set']);

  /**
   * The type to write at a place: the type itself, or its name.
   *
   * @param key equal for equal types
   * @param hint base of the name: the name of the field or operation
   */
  place(key: string, hint: string, type: string): string {
    if (!this.counted) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      return type;
    }
    if (this.#counts.get(key)! < 2) return type;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const base = hint.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) name = `${base}${count}`;
    this.#taken.add(name);
    this.#names.set(key, name);
    this.declarations.push(`type ${name} = ${type};`);
    return name;
  }
}

/** Lines that end a field, set in by the braces that are open. */
function indented(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    const code = line.replace(/\/\*\*.*?\*\//g, '').replace(/"[^"]*"/g, '');
    const change = (code.match(/[{(]/g)?.length ?? 0) - (code.match(/[})]/g)?.length ?? 0);
    const before = /^\s*[})]/.test(code) ? depth + change : depth;
    depth += change;
    return line.trim() === '' ? '' : '  '.repeat(Math.max(0, before)) + line.trim();
  });
  return lines.join('\n');
}

/** Names of the schemas that are referred to. */
function namesIn(value: unknown): Set<string> {
  const references = JSON.stringify(value).matchAll(/#\/components\/schemas\/([^"/]+)"/g);
  return new Set([...references].map((match) => match[1]!));
}

/** An operation without the XML of its bodies. */
function inJson(operation: Operation): Operation {
  const json = (body: Body): Body => {
    const kept = Object.entries(body.content ?? {}).filter(([type]) => type !== 'application/xml');
    return { ...body, content: Object.fromEntries(kept) };
  };
  const { requestBody, responses } = operation;
  return {
    ...operation,
    ...(requestBody && { requestBody: json(requestBody) }),
    responses: Object.fromEntries(Object.entries(responses).map(([status, body]) => [status, json(body)])),
  };
}

/** Response of a successful operation. */
function successOf({ responses }: Operation): readonly [type: string, schema: Schema] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  const [type, { schema }] = Object.entries(success.content!)[0]!;
  return [type, schema];
}

/** Field with the rows of a page; undefined for an operation that does not return pages. */
function rowsOf(operation: Operation): string | undefined {
  const [, { properties = {} }] = successOf(operation);
  if (!properties.next || !operation.parameters?.some(({ name }) => name === 'after')) return undefined;
  return Object.keys(properties).find((name) => properties[name]!.type === 'array');
}

function operationType(operation: Operation, shared: SharedTypes): string {
  const { operationId, parameters = [], requestBody } = operation;
  const groups = ['path', 'query'].flatMap((place) => {
    const group = parameterGroup(place, operation, shared);
    return parameters.some((one) => one.in === place) ? [group] : [];
  });
  const [sent, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (body) {
    const isJson = sent === 'application/json';
    groups.push(`body: ${isJson ? typeOf(body.schema, shared, `${operationId} body`) : 'FileBody'}`);
  }
  const [answered, schema] = successOf(operation);
  const answer =
    answered === 'application/json' ? typeOf(schema, shared, `${operationId} answer`) : 'Response';
  return `{ ${[...groups, `answer: ${answer}`].join('; ')} }`;
}

/** The parameters of one place: `query?: { … }`. */
function parameterGroup(
  place: string,
  { operationId, parameters = [] }: Operation,
  shared: SharedTypes,
): string {
  const those = parameters.filter((parameter) => parameter.in === place);
  if (those.length === 0) return `${place}?: never`;
  const optional = those.every(({ required }) => !required) ? '?' : '';
  const fields = those.map(
    ({ name, required, schema, description }) =>
      `${comment(description)}${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema, shared, name)}`,
  );
  const type = `{\n${fields.join(';\n')} }`;
  return `${place}${optional}: ${shared.place(JSON.stringify(those), `${operationId} ${place}`, type)}`;
}

/** Converts a JSON schema to a type. Unsupported schemas become `unknown`, so that code that uses them does not compile. */
function typeOf(schema: Schema, shared: SharedTypes, hint: string): string {
  if (schema.$ref) return `components['schemas'][${JSON.stringify(schema.$ref.split('/').at(-1))}]`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return union(either.map((one) => typeOf(one, shared, hint)));
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part, shared, hint)})`).join(' & ');
  if (Array.isArray(schema.type))
    return union(schema.type.map((type: string) => typeOf({ ...schema, type }, shared, hint)));
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `(${schema.items ? typeOf(schema.items, shared, hint) : 'unknown'})[]`;
    case 'object':
      return objectType(schema, shared, hint);
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema, shared: SharedTypes, hint: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${comment(field.description)}${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field, shared, name)}`,
  );
  const other =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties, shared, hint) : 'unknown';
  if (fields.length === 0) return `{ [name: string]: ${other} }`;
  const type = `{\n${fields.join(';\n')} }`;
  return fields.length === 1 ? type : shared.place(JSON.stringify([properties, required]), hint, type);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function comment(text: string | undefined): string {
  return text ? `/** ${text.replaceAll('*/', '* /')} */ ` : '';
}
