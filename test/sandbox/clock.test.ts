import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitionAt } from '../../server/database/partitions.ts';
import { AdjustableClock } from '../../server/kit/clock.ts';
import { advance } from '../../server/sandbox/sandbox.ts';
import { startTestService } from '../support/service.ts';

const { sql, appContext } = await startTestService({ sandbox: false });
const { config, tables } = appContext;
const DAY = 86_400_000;

test('when the clock moves on, the partitions of its new time exist already', async () => {
  let missing: Promise<string[]> | undefined;
  class WatchedClock extends AdjustableClock {
    override advanceTo(offset: number): void {
      super.advanceTo(offset);
      if (offset > 0) missing = missingAt(this.now());
    }
  }
  await advance({ sql, config, tables, clock: new WatchedClock() }, 90 * DAY);
  assert.deepEqual(await missing, []);
});

/** Returns the names of partitions for this time that do not exist. */
async function missingAt(time: number): Promise<string[]> {
  const names = tables.partitioned.map(
    ({ table, unit, key }) => partitionAt(table, unit, time, 0, key.floor).name,
  );
  const rows = await sql<{ name: string }[]>`
    SELECT name FROM unnest(${names}::text[]) AS name WHERE to_regclass(name) IS NULL`;
  return rows.map(({ name }) => name);
}
