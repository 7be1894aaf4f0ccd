import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

const SOURCE = join(import.meta.dirname, '../../console/src');

/** The layers of console/README.md: a file imports from its own layer and from those before it. */
const layers = [
  'api',
  'i18n',
  'components',
  'define-feature.ts',
  'features',
  'pages',
  'feature-list.ts',
  'shell',
  'design',
  'app.tsx',
  'main.tsx',
];

const files = new Map(
  globSync('**/*.{ts,tsx}', { cwd: SOURCE }).map((path) => [path, readFileSync(join(SOURCE, path), 'utf8')]),
);

/** Texts stand beside what shows them and belong to `i18n`: they import nothing of a page, and every page may import them. */
const isTexts = (path: string) => /\.(en|he)\.ts$/.test(path);
const layerOf = (path: string) => layers.indexOf(isTexts(path) ? 'i18n' : path.split('/')[0]!);

/** Pages of one folder belong together; those of another are out of reach. */
const pageOf = (path: string) =>
  path.startsWith('pages/') && !isTexts(path) ? path.split('/')[1] : undefined;

test('imports of the console go one way', () => {
  const wrong: string[] = [];
  for (const [path, text] of files) {
    assert.notEqual(layerOf(path), -1, `${path} is in no layer`);
    for (const [, address] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const target = join(dirname(path), address!);
      if (target.startsWith('..')) continue;
      const upwards = layerOf(target) > layerOf(path);
      const sideways =
        pageOf(path) !== undefined && pageOf(target) !== undefined && pageOf(path) !== pageOf(target);
      if (upwards || sideways) wrong.push(`${path} -> ${target}`);
    }
  }
  assert.ok(files.size > 100);
  assert.deepEqual(wrong, []);
});

test('texts of each file are in both languages', () => {
  const english = [...files.keys()].filter((path) => path.endsWith('.en.ts'));
  const hebrew = [...files.keys()].filter((path) => path.endsWith('.he.ts'));
  assert.ok(english.length > 40);
  assert.deepEqual(english.map((path) => path.replace('.en.', '.he.')).sort(), hebrew.sort());
});

test('files of the console have different names, except those that each folder has', () => {
  const folders = new Map<string, Set<string>>();
  for (const path of globSync('**/*.{ts,tsx,css}', { cwd: SOURCE })) {
    const name = basename(path).replace(/\.\w+$/, '');
    if (/^(?:feature|texts)\b/.test(name)) continue;
    folders.set(name, (folders.get(name) ?? new Set()).add(dirname(path)));
  }
  assert.deepEqual(
    [...folders].filter(([, { size }]) => size > 1),
    [],
  );
});

test('what a file of the console exports is used by another one', () => {
  const imported = new Set<string>();
  for (const text of files.values()) {
    for (const [, names] of text.matchAll(/(?:import (?:type )?(?:\w+, )?|export )\{([^}]*)\} from/g)) {
      for (const name of names!.split(',')) imported.add(name.replace('type ', '').trim().split(' ')[0]!);
    }
    for (const [, name] of text.matchAll(/await import\('[^']+'\)\)\.(\w+)/g)) imported.add(name!);
  }
  const lonely = [...files].flatMap(([path, text]) =>
    Array.from(
      text.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm),
      ([, name]) => name!,
    )
      .filter((name) => !imported.has(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(lonely, []);
});

test('no function of the console has over 100 lines', () => {
  const long: string[] = [];
  for (const [path, text] of files) {
    let begun: { line: number; name: string } | undefined;
    text.split('\n').forEach((content, line) => {
      const [, name] = /^(?:export )?(?:default )?(?:async )?function (\w+)/.exec(content) ?? [];
      if (name !== undefined) begun = { line, name };
      if (content !== '}' || begun === undefined) return;
      if (line - begun.line + 1 > 100) long.push(`${path}: ${begun.name}`);
      begun = undefined;
    });
  }
  assert.deepEqual(long, []);
});
