import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { channels } from '../../server/channels/index.ts';

const SOURCE = join(import.meta.dirname, '../../server');

test('no file outside the folder of a channel names a table of it', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  const found: string[] = [];
  for (const { name, tables = {} } of channels) {
    const names = Object.keys(tables);
    if (names.length === 0) continue;
    const pattern = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');
    for (const file of files) {
      if (file.startsWith(`channels/${name}/`)) continue;
      for (const [table] of readFileSync(join(SOURCE, file), 'utf8').matchAll(pattern))
        found.push(`${file}: ${table}`);
    }
  }
  assert.deepEqual(found, []);
});
