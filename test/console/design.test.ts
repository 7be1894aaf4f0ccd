import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const SOURCE = join(import.meta.dirname, '../../console/src');
const styles = globSync('**/*.css', { cwd: SOURCE }).map((path) => ({
  path,
  text: readFileSync(join(SOURCE, path), 'utf8'),
}));
const tokens = styles.find(({ path }) => path === 'design-tokens.css')!.text;

test('only the tokens have raw colours', () => {
  const raw = styles
    .filter(({ path }) => path !== 'design-tokens.css')
    .filter(({ text }) => /:[^;{]*(?:#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\()/i.test(text))
    .map(({ path }) => path);
  assert.deepEqual(raw, []);
});

test('every token of a theme has a value in both themes', () => {
  const namesOf = (selector: string) => {
    const start = tokens.indexOf('{', tokens.indexOf(selector));
    const block = tokens.slice(start, tokens.indexOf('}', start));
    return [...block.matchAll(/(--[\w-]+):/g)].map(([, name]) => name).sort();
  };
  const light = namesOf(':root[data-mantine-color-scheme="light"]');
  assert.ok(light.length > 40, String(light.length));
  assert.deepEqual(namesOf(':root[data-mantine-color-scheme="dark"]'), light);
});

test('styles have no physical directions', () => {
  // A right-to-left page would need a rule of its own for each.
  const physical = /(?<![\w-])(?:margin|padding|border)-(?:left|right)\s*:/;
  assert.deepEqual(
    styles.filter(({ text }) => physical.test(text)).map(({ path }) => path),
    [],
  );
});
