import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { makePartitionsOnDemand } from '../../server/database/partitions.ts';
import { isDatabaseTrouble } from '../../server/database/trouble.ts';
import { SteadyClock } from '../../server/kit/clock.ts';
import { idFloor } from '../../server/kit/ids.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { OwnerStuck, stuckOwners, supervise } from '../../server/kit/owners.ts';
import { createDatabase } from '../support/database.ts';
import { tables } from '../support/tables.ts';
import { waitFor } from '../support/wait-for.ts';

/* Rows of unexpected times, clocks that jump, databases that cannot be written, and owners that do not go on. */

const { sql, target } = await createDatabase();

test('a row whose partition is missing gets one, and is stored when it is tried again', async () => {
  const asyncCommitSql = connect(target, { max: 1, asyncCommit: true });
  makePartitionsOnDemand({ sql, asyncCommitSql }, tables.partitioned, createLogger('silent'));
  const key = idFloor(Date.now() + 300 * 86_400_000);
  const insert = () => sql`
    INSERT INTO carrier_messages (carrier_id, link, message_id, part, account_id, phone)
    VALUES ('k', 'l', ${key}, 0, 1, '972501234567')`;
  await assert.rejects(insert(), isDatabaseTrouble);
  await waitFor('it is stored', () =>
    insert().then(
      () => true,
      () => false,
    ),
  );
  await asyncCommitSql.end();
});

test('a read-only database is trouble', async () => {
  const refused = await sql
    .begin(async (tx) => {
      await tx`SET TRANSACTION READ ONLY`;
      await tx`DELETE FROM quarantine`;
    })
    .catch((error: unknown) => error);
  assert.equal((refused as { code: string }).code, '25006');
  assert.equal(isDatabaseTrouble(refused), true);
});

test('a clock that jumps for seconds is not believed; one that stays there is', () => {
  let wall = 1_800_000_000_000;
  let monotonic = 0;
  const clock = new SteadyClock(
    () => wall,
    () => monotonic,
  );
  const told: [number, boolean][] = [];
  clock.onJump = (milliseconds, believed) => told.push([milliseconds, believed]);
  const pass = (milliseconds: number) => {
    wall += milliseconds;
    monotonic += milliseconds;
  };
  for (const days of [60, -60]) {
    const before = clock.now();
    wall += days * 86_400_000;
    pass(5_000);
    assert.equal(clock.now(), before + 5_000);
    assert.equal(clock.jump, days * 86_400_000);
    wall -= days * 86_400_000;
    assert.equal(clock.now(), before + 5_000);
    assert.equal(clock.jump, undefined);
  }
  wall += 3_600_000;
  clock.now();
  pass(60_000);
  assert.equal(clock.now(), wall);
  assert.deepEqual(told.at(-1), [3_600_000, true]);
});

test('an owner without progress is abandoned and reported, and stores nothing afterwards', async () => {
  let late: Promise<unknown> | undefined;
  const { promise: wakes, resolve: notifyDispatcher } = Promise.withResolvers<void>();
  const step = supervise(
    'gauges',
    () => {
      late = (async () => {
        await wakes;
        await sql`INSERT INTO state (key, value) VALUES ('late', '1')`;
      })();
      return late;
    },
    { limitMs: 500 },
  );
  await assert.rejects(step, OwnerStuck);
  assert.deepEqual(stuckOwners(), ['stuck: gauges']);
  notifyDispatcher();
  await assert.rejects(late!, OwnerStuck);
  assert.equal((await sql`SELECT 1 FROM state WHERE key = 'late'`).length, 0);
  // Statements that are answered are progress, however long the whole takes.
  await supervise(
    'gauges',
    async () => {
      for (let n = 0; n < 4; n++) await sql`SELECT pg_sleep(0.8)`;
    },
    { limitMs: 2_500 },
  );
  assert.deepEqual(stuckOwners(), []);
});
