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

test('no two pages style the same class', () => {
  // Files of pages load as one visits them and stay: a name that two of them style looks different after a visit to the other page.
  const shared = new Set(['styles.css', 'mantine.css', 'shell/navigation.css', 'components/data-table.css']);
  const filesOf = new Map<string, Set<string>>();
  for (const { path, text } of styles)
    for (const [, selectors] of text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g))
      for (const selector of selectors!.split(','))
        for (const [, name] of selector.trim().matchAll(/^\.([\w-]+)/g))
          filesOf.set(name!, (filesOf.get(name!) ?? new Set()).add(path));
  assert.ok(filesOf.size > 200, String(filesOf.size));
  const twice = [...filesOf].filter(
    ([, paths]) => paths.size > 1 && ![...paths].some((path) => shared.has(path)),
  );
  assert.deepEqual(
    twice.map(([name, paths]) => [name, ...paths]),
    [],
  );
});
