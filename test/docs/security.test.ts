import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { requirements } from './asvs.ts';

/* docs/security.md is about what there is: each requirement once, and no test that is not there. */

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const document = read('docs/security.md');

interface Row {
  readonly id: string;
  readonly level: string;
  readonly name: string;
  readonly state: string;
  readonly evidence: string;
}
const rows: Row[] = [...document.matchAll(/^\| (V\d+\.\d+\.\d+) \| (.*) \|$/gm)].map(([, id, rest]) => {
  const [level = '', name = '', state = '', evidence = ''] = rest!.split(' | ');
  return { id: id!, level, name, state, evidence };
});

test('every requirement of the levels 1 and 2 is listed once, with its level', () => {
  const wanted = Object.entries(requirements).flatMap(([chapter, list]) =>
    list.split(' ').map((one) => {
      const [number, level] = one.split(':');
      return `${chapter}.${number} ${level}`;
    }),
  );
  assert.deepEqual(
    rows.map(({ id, level }) => `${id} ${level}`),
    wanted,
  );
});

test('each is met by a test, not applicable for a reason, or open for a reason', () => {
  for (const { id, name, state, evidence } of rows) {
    assert.ok(name.length > 0, id);
    assert.ok(evidence.length > 0, id);
    if (state === 'met') assert.match(evidence, /\.test\.ts\)/, `${id} names no test`);
    else assert.ok(state === 'not applicable' || state === 'open', `${id}: ${state}`);
  }
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const sentence = `Of ${rows.length} requirements of the levels 1 and 2 ${count('met')} are met, ${count('not applicable')} are not applicable and ${count('open')} are open.`;
  assert.ok(document.replaceAll('\n', ' ').includes(sentence), `write: ${sentence}`);
});

test('every guarantee names a test file that exists', () => {
  const section = /## Guarantees\n([\s\S]*?)\n## /.exec(document)![1]!;
  const guarantees = section.split(/\n(?=- |\n)/).filter((one) => one.startsWith('- '));
  assert.ok(guarantees.length >= 8, 'the list was read');
  for (const guarantee of guarantees) {
    const tests = [...guarantee.matchAll(/`(test\/[\w/.-]+\.test\.ts)`/g)].map(([, path]) => path!);
    assert.ok(tests.length > 0, `no test is named: ${guarantee}`);
    for (const path of tests) assert.ok(existsSync(join(root, path)), `${path} does not exist`);
  }
});

test('what it links to is there', () => {
  for (const path of ['docs/security.md', 'SECURITY.md']) {
    const links = [...read(path).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!);
    assert.ok(links.length > 0, path);
    for (const link of links) {
      if (/^https:/.test(link) || link.startsWith('../../')) continue;
      assert.ok(existsSync(join(root, dirname(path), link)), `${path} links to ${link}`);
    }
  }
});
