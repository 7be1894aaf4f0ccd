import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channels } from '../../server/channels/index.ts';
import { withoutPersonalData } from '../../server/data-subjects/exceptions.ts';
import { partitioned } from '../../server/database/partitions.ts';
import { tablePlacements } from '../../server/database/table-placements.ts';
import { sealedColumns } from '../../server/secrets/columns.ts';
import { tablesOf } from '../../server/tables.ts';

/* The lists that are computed from the tables of modules are the lists that were written by hand. */

const tables = tablesOf(channels);
const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

test('placements', () => {
  assert.deepEqual(sorted(tables.placements), sorted(tablePlacements));
  assert.equal(tables.placements[0]!.table, tablePlacements[0]!.table);
});

test('partitions', () => {
  const time = Date.UTC(2026, 10, 27);
  assert.deepEqual(
    sorted(
      tables.partitioned.map(({ table, unit, keepDays, key }) => ({
        table,
        unit,
        keepDays,
        at: key.floor(time),
      })),
    ),
    sorted(
      partitioned.map(({ table, unit, keepDays = 'KEEP_DAYS', floor }) => ({
        table,
        unit,
        keepDays,
        at: floor?.(time) ?? tables.partitioned.find((one) => one.table === 'messages')!.key.floor(time),
      })),
    ),
  );
});

test('sealed columns', () => {
  const shown = ({ table, column, key, purpose, sentTo }: (typeof sealedColumns)[number]) => ({
    table,
    column,
    key,
    purpose,
    sentTo,
  });
  assert.deepEqual(sorted(tables.sealedColumns.map(shown)), sorted(sealedColumns.map(shown)));
});

test('tables without personal data', () => {
  assert.deepEqual([...tables.withoutPersonalData].sort(), Object.values(withoutPersonalData).flat().sort());
});
