import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModules } from '../../../server/run/modules.ts';
import { startTestService } from '../../support/service.ts';
import { tables } from '../../support/tables.ts';

/* Every table that could have data of a person is of a part, or has a reason why not. */

test('every table with texts is of a part that exports and erases it, or an exception with a reason', async () => {
  const service = await startTestService();
  const { dataSubjects } = await openModules(service.appContext, ['api'], undefined);
  const rows = await service.sql<{ name: string }[]>`
    SELECT DISTINCT c.table_name AS name FROM information_schema.columns c
    JOIN pg_class k ON k.relname = c.table_name AND NOT k.relispartition AND k.relkind IN ('r', 'p')
    WHERE c.table_schema = 'public' AND (c.data_type IN ('text', 'jsonb', 'json', 'bytea', 'character varying', 'ARRAY')
      OR c.column_name ~ 'phone|number|recipient|client|address|mail')
    ORDER BY 1`;
  const ofParts = dataSubjects.tables;
  const known = new Set([...tables.erased, ...tables.withoutPersonalData]);
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !known.has(name)),
    [],
    'tables of no part: hand in how they are exported and erased, or give a reason in tables.ts of the module',
  );
  assert.deepEqual([...new Set(ofParts)].toSorted(), [...tables.erased].toSorted(), 'tables of the parts');
  const there = await service.sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`;
  const names = new Set(there.map(({ name }) => name));
  assert.deepEqual(
    [...known].filter((table) => !names.has(table)),
    [],
    'no such table',
  );
});
