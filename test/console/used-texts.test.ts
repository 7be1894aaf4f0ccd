import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/* Texts of the console: each one is shown somewhere, and none is written into a component (noJsxLiterals of biome.json, too). */

const SOURCE = join(import.meta.dirname, '../../console/src');
const read = (path: string) => readFileSync(join(SOURCE, path), 'utf8');
const isText = (path: string) => /(?:^|[/-])(?:texts|words|errors|common|synonyms)\.en\.ts$/.test(path);
const english = globSync('**/*.en.ts', { cwd: SOURCE }).filter(isText);
const code = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
  .filter((path) => !/\.(?:en|he)\.ts$/.test(path))
  .map(read)
  .join('\n');
const words = new Set(code.match(/[\w$]+/g));

/** Names of a value and of all that it contains, with the path to them. */
function namesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => namesOf(inner, [...path, name]));
}

/** Names of objects whose members are read by values of the service, such as `t.states[state]` or `t.states as …`. */
const indexed = new Set(code.match(/[\w$]+(?=(?:\?\.)?!?(?:\[| as ))/g));

/** Codes and reasons of refusals, which choose their texts. */
const said = new Set(
  ['errors.ts', 'reasons.ts'].flatMap((name) => {
    const source = readFileSync(join(import.meta.dirname, '../../server/kit', name), 'utf8');
    return [...source.matchAll(/'([\w-]+)'/g)].map(([, word]) => word!);
  }),
);

/** Whether components read the text at a path: its own name, or members of an object around it by values. */
const isUsed = (path: readonly string[]) =>
  words.has(path.at(-1)!) || said.has(path.at(-1)!) || path.slice(0, -1).some((name) => indexed.has(name));

test('every text of the console is used', async () => {
  assert.ok(english.length > 20);
  const unused = [];
  for (const path of english) {
    const texts: object = await import(join(SOURCE, path));
    const names = namesOf({ ...texts }).filter((one) => !isUsed(one));
    unused.push(...names.map((one) => `${path}: ${one.join('.')}`));
  }
  assert.deepEqual(unused, []);
});

test('no text is written into an attribute of a component', () => {
  const attribute =
    /\b(?:label|title|alt|aria-label|description|lead|hint|text|placeholder)="([^"]*[a-z]{3}[^"]*)"/gi;
  const written = globSync('**/*.tsx', { cwd: SOURCE }).flatMap((path) =>
    [...read(path).matchAll(attribute)].map(([, text]) => `${path}: ${text}`),
  );
  assert.deepEqual(
    written.filter((one) => !one.endsWith(': https://')),
    [],
  );
});
