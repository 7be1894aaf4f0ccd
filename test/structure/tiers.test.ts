import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onlyInAll, pathOf, testFiles, tierOf } from '../tiers.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const names = Object.values(onlyInAll).flat();

test('the list of the second tier names files that exist, each once', () => {
  const files = testFiles();
  assert.deepEqual(
    names.filter((name) => !files.includes(pathOf(name))),
    [],
  );
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('each file has one tier, and both tiers together are every file without a cluster', () => {
  const files = testFiles();
  const ofTier = (tier: string) => files.filter((file) => tierOf(file) === tier);
  assert.deepEqual([...ofTier('commit'), ...ofTier('all')].sort(), files);
  assert.deepEqual(ofTier('all'), names.map(pathOf).sort());
  assert.deepEqual(
    testFiles({ onCluster: true }).filter(
      (file) => !files.includes(file) && !file.startsWith('test/cluster/'),
    ),
    [],
  );
});

test('npm test runs the first tier, and CI runs every file once', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  assert.match(scripts.test!, /node test\/run\.ts$/);
  assert.match(scripts['test:all']!, /node test\/run\.ts --all$/);
  const runs = read('.ci/run')
    .split('\n')
    .filter((line) => /^[^#]*\bnpm (?:run )?test/.test(line));
  assert.deepEqual(runs, ['TEST_REQUIRE=all npm run test:all']);
});
