import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SENSITIVE } from '../../server/api/v1/field-rights.ts';
import { openDescription } from '../docs/openapi-support.ts';
import { specs } from '../support/access-table.ts';
import { startTestService } from '../support/service.ts';
import { harmless } from './judged-fields.ts';

/*
 * Somebody adds a field to an answer, and nobody asks who may read it. Every text of every answer is either marked as
 * sensitive, or judged harmless by its resource or the list of common names.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly [SENSITIVE]?: string;
}

interface TextField {
  /** Path of the route and name of the field, as in the list. */
  readonly place: string;
  readonly name: string;
  readonly route: string;
  readonly marked: boolean;
  /** Part of an object that is marked as a whole. */
  readonly inside: boolean;
}

const { url } = await startTestService();
const { operations, resolve } = await openDescription(url);

/** The texts of a schema; the entries of a list have the name of the list. */
function* textsOf(
  given: Schema,
  route: string,
  name: string,
  isMarked: boolean,
  inside = false,
): Generator<TextField> {
  const schema = resolve<Schema>(given as Schema & { $ref: string });
  const marked = isMarked || schema[SENSITIVE] !== undefined;
  for (const [inner, field] of Object.entries(schema.properties ?? {})) {
    yield* textsOf(field, route, inner, marked, marked);
  }
  const { items, additionalProperties: more } = schema;
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(items ? [items] : [])];
  if (typeof more === 'object') inner.push(more);
  for (const one of inner) yield* textsOf(one, route, name, marked, inside);
  if ([schema.type].flat().includes('string'))
    yield { place: `${route} ${name}`, name, route, marked, inside };
}

const fields = operations
  .filter(({ path }) => path.startsWith('/v1/'))
  .flatMap(({ path, operation }) =>
    Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, response]) => {
        const { content = {} } = resolve(response) as { content?: Record<string, { schema: unknown }> };
        const schema = content['application/json']?.schema;
        return schema ? [...textsOf(schema as Schema, path, '', false)] : [];
      }),
  );

/** Whether an entry of the list is about a field. */
function isAbout(entry: string, { name, route }: TextField): boolean {
  const [path, of] = entry.split(' ');
  if (of === undefined) return entry === name;
  return of === name && (route === path || route.startsWith(`${path}/`));
}

const entries = Object.values(harmless).flat();
/** Names that resources judge, by path. */
const ofResources = Map.groupBy(specs, ({ path }) => `/v1${path.replace(/:(\w+)/g, '{$1}')}`);
const judgedByResource = ({ route, name }: TextField): boolean =>
  (ofResources.get(route) ?? []).some((spec) => Object.values(spec.harmless).flat().includes(name));
const isJudged = (field: TextField): boolean =>
  judgedByResource(field) || entries.some((entry) => isAbout(entry, field));
const markedNames = new Set(fields.filter(({ marked, inside }) => marked && !inside).map(({ name }) => name));

test('every text of an answer is marked as sensitive or judged harmless', () => {
  assert.ok(fields.length > 800, `${fields.length} fields`);
  const unjudged = fields.filter((field) => !field.marked && !isJudged(field));
  assert.deepEqual([...new Set(unjudged.map(({ place }) => place))], []);
});

test('no field is both, and the list has no unknown entries', () => {
  const both = fields.filter((field) => field.marked && !field.inside && isJudged(field));
  assert.deepEqual([...new Set(both.map(({ place }) => place))], []);
  assert.deepEqual(
    entries.filter((entry) => markedNames.has(entry)),
    [],
    'a name that is sensitive somewhere needs the path where it is not',
  );
  assert.deepEqual(
    entries.filter((entry) => !fields.some((field) => isAbout(entry, field))),
    [],
  );
  assert.equal(new Set(entries).size, entries.length);
  // A resource names only texts of its answers, and none that has a common name.
  const names = new Map(specs.map((spec) => [spec.harmless, new Set(Object.values(spec.harmless).flat())]));
  for (const [of, wanted] of names) {
    const paths = new Set(specs.filter((spec) => spec.harmless === of).map(({ path }) => `/v1${path}`));
    const own = fields.filter(({ route }) => paths.has(route.replace(/\{(\w+)\}/g, ':$1')));
    assert.deepEqual(
      [...wanted].filter((name) => entries.includes(name) || !own.some((field) => field.name === name)),
      [],
    );
  }
});
