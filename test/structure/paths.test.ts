import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 })
  .split('\n')
  .filter(Boolean);
/** Every path and every ending of it, since comments name files from the folder that a reader is in. */
const known = new Set(
  files.flatMap((file) => file.split('/').map((_, index, parts) => parts.slice(index).join('/'))),
);

/** A released migration and the changelog tell of the tree of their time. */
const isHistory = (file: string) => /^server\/.*migrations\/|^CHANGELOG\.md$|^test\/upgrade\//.test(file);
/** Files that a build, a package or another program makes, and examples. */
const notOurs =
  /^(?:node_modules|dist|artefacts|data|lib|usr|etc|opt|var|run|tmp|proc|sys|app|dev|home|carillon(?:-\w+)?)\b|node_modules|\b(?:dist|build)\/|example|[<>*{}$]|^\d|NNNN/;

const path =
  /(?<![\w@./:~$-])((?:[\w-]+\/)+[\w.-]+\.(?:ts|tsx|cts|mjs|cjs|sql|md|css|json|ya?ml|sh))\b(?!\/)/g;

/** The comments of a TypeScript file, or the text of a page. */
function* textsOf(file: string): Generator<string> {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (file.endsWith('.md')) yield text;
  else for (const [comment] of text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)) yield comment;
}

test('every path that a comment or a page names exists', () => {
  const missing = [];
  for (const file of files) {
    if (!/\.(?:ts|tsx|md)$/.test(file) || isHistory(file)) continue;
    for (const text of textsOf(file)) {
      for (const [, named] of text.matchAll(path)) {
        if (!known.has(named!) && !notOurs.test(named!)) missing.push(`${file}: ${named}`);
      }
    }
  }
  assert.deepEqual(missing, []);
});

test('no file has the marks of a merge that was not resolved', () => {
  const marked = files.filter(
    (file) =>
      /\.(?:ts|tsx|md|json|css|sql|ya?ml)$/.test(file) &&
      /^(?:<{7}|>{7}) /m.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  assert.deepEqual(marked, []);
});
