import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { TableCache } from '../../server/database/table-cache.ts';

/* A small table in memory: what another process has just added is found. */

/** A table whose reads see the rows at their start and return when `release` is called. */
function slowTable() {
  const rows = new Set<string>();
  const releases: (() => void)[] = [];
  let reads = 0;
  let isSlow = false;
  const cache = new TableCache<ReadonlySet<string>>({
    owner: 'accounts',
    maxAgeMs: 2_000,
    async read() {
      reads++;
      const seen = new Set(rows);
      if (isSlow) await new Promise<void>((release) => releases.push(release));
      return seen;
    },
  });
  const find = (row: string) => cache.find((known) => (known.has(row) ? row : undefined));
  return {
    cache,
    rows,
    find,
    releases,
    reads: () => reads,
    slow: (value: boolean) => {
      isSlow = value;
    },
  };
}

test('a row that was added during a read is found by a call after it', async () => {
  const { cache, rows, find, releases, slow } = slowTable();
  slow(true);
  const reading = cache.fresh();
  rows.add('new');
  const found = find('new');
  slow(false);
  releases[0]!();
  await reading;
  assert.equal(await found, 'new');
});

test('a row that was added right after a read is found', async () => {
  const { cache, rows, find } = slowTable();
  await cache.fresh();
  rows.add('new');
  assert.equal(await find('new'), 'new');
});

test('guesses share their reads', async () => {
  const { cache, find, reads } = slowTable();
  await cache.fresh();
  for (let turn = 0; turn < 5; turn++) {
    const found = await Promise.all(Array.from({ length: 200 }, (_, n) => find(`guess ${turn} ${n}`)));
    assert.ok(found.every((row) => row === undefined));
  }
  assert.ok(reads() <= 6, `${reads()} reads for five turns of guesses`);
});

test('a failed read fails its callers, and the next one reads again', async () => {
  let fails = true;
  const cache = new TableCache<string>({
    owner: 'accounts',
    maxAgeMs: 2_000,
    async read() {
      await pause(1);
      if (fails) throw new Error('no database');
      return 'row';
    },
  });
  await assert.rejects(
    cache.find((known) => known),
    /no database/,
  );
  fails = false;
  assert.equal(await cache.find((known) => known), 'row');
});
