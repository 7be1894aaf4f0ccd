import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readMigrations } from '../../server/database/migration-files.ts';

/*
 * Leases use the database's clock (server/database/lease-clock.ts). Times of that clock are called `leaseNow`, `leaseSince`, `leaseUntil`
 * or `leaseClock.now()` where a statement compares a lease with them. server/database/leases.ts has the SQL of leases.
 */

const folder = join(import.meta.dirname, '../../server');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
/** Columns that are the end of a lease, or that processes renew. */
const column =
  /\b(?:lease_until|awaited_until)\b|\/leases\.ts';|\bprocesses\b[^`]*\bseen_at\b|sandbox\.holder/;
const compared = /\b(?:lease_until|awaited_until|seen_at)\s*(?:<=|>=|<|>)\s*\$\{([^}]*)\}/g;
const called = /\bis(?:Free|Leased)\([\w.#]+, ((?:[^(),]|\(\))+)/g;
const leaseTime = /^lease(?:Now|Since|Until|Clock\.now\(\))(?: - [A-Z]+_MS)?$/;
const clock = join('database', 'lease-clock.ts');
const users = files.filter(({ file, text }) => file !== clock && column.test(text));

test('code about leases reads no other clock than the database’s', () => {
  assert.ok(users.length >= 15, `${users.length} files`);
  const found = users.filter(({ text }) => /\bDate\.now\(|\bnew Date\(\)/.test(text)).map(({ file }) => file);
  assert.deepEqual(found, []);
});

test('statements compare leases with the database’s clock', () => {
  const others = users.flatMap(({ file, text }) =>
    [...text.matchAll(compared), ...text.matchAll(called)]
      .filter(([, value]) => !leaseTime.test(value!))
      .map(([statement]) => `${file}: ${statement}`),
  );
  assert.deepEqual(others, []);
});

test('times of leases come from the database’s clock', () => {
  const others = files.flatMap(({ file, text }) =>
    [...text.matchAll(/\bleaseNow\s*=\s*([^,;)]*\)?)/g)]
      .filter(([, value]) => !value!.startsWith('leaseClock.now('))
      .map(([statement]) => `${file}: ${statement}`),
  );
  assert.deepEqual(others, []);
});

/** Statements of leases with rules that no other table has. */
const withOwnRules = {
  'engine/campaigns/expander.ts': 'a campaign that rests is no longer done by background work',
  'engine/dispatch/batches.ts': 'batches rest after broken leases',
  'engine/dispatch/broken-leases.ts': 'whether the lease of a batch is broken',
  'engine/dispatch/connector-leases.ts': 'a claim keeps its connector, or asks another claim for it',
  'engine/work/runner.ts': 'a claim is the next epoch',
};

test('the SQL of leases is in one file', () => {
  const written =
    /\blease_until [<>]=? \$\{|\blease_until = (?!\$\{BY_WORK\})|\blease_owner (?:=|<>) |\blease_epoch = /;
  const found = files
    .filter(({ file, text }) => file !== join('database', 'leases.ts') && written.test(text))
    .map(({ file }) => file.replaceAll('\\', '/'));
  assert.deepEqual(found.sort(), Object.keys(withOwnRules));
});

test('every table with a lease has statements about it here', async () => {
  const tables = (await readMigrations()).flatMap(({ statements }) =>
    [...statements.matchAll(/CREATE TABLE (\w+) \((.*?)\n\)/gs)]
      .filter(([, , columns]) => columns!.includes('lease_until'))
      .map(([, name]) => name!),
  );
  assert.ok(tables.length >= 10, tables.join());
  const dropped = new Set(
    (await readMigrations()).flatMap(({ statements }) =>
      [...statements.matchAll(/(?:DROP TABLE|ALTER TABLE) (\w+)(?: RENAME TO|;)/g)].map(([, name]) => name!),
    ),
  );
  // Its work is in the table of background work; the columns are those of earlier versions.
  const ofEarlierVersions = 'chat_template_syncs';
  const unseen = tables.filter(
    (table) =>
      table !== ofEarlierVersions &&
      !dropped.has(table) &&
      !users.some(({ text }) => new RegExp(`\\b${table}\\b`).test(text)),
  );
  assert.deepEqual(unseen, []);
});
