import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channels } from '../../../server/channels/index.ts';
import type { TransactionSql } from '../../../server/database/connection.ts';
import { AccountWork } from '../../../server/engine/dispatch/account-work.ts';
import { type MessageResult, reinstate, storeResults } from '../../../server/engine/dispatch/results.ts';
import { idFloor } from '../../../server/kit/ids.ts';
import { CANCELLED, status } from '../../../server/kit/statuses.ts';
import { createDatabase } from '../../support/database.ts';
import { waitingStatements } from '../../support/lock-waits.ts';
import { waitFor } from '../../support/wait-for.ts';

/*
 * Results of several accounts in one statement, while another transaction changes messages of one of them: those after them are
 * stored too, with the plan that PostgreSQL uses after some executions.
 */

const CROWD = 1;
const SMALL = 2;
const { sql } = await createDatabase();
const first = idFloor(Date.now());

/** Adds 30 messages of each account. Returns their ids, by account. */
async function newMessages(base: number): Promise<Record<number, number[]>> {
  const ids: Record<number, number[]> = {};
  for (const accountId of [CROWD, SMALL]) {
    const from = first + base + accountId * 1_000;
    await sql`
      INSERT INTO messages (account_id, id, shipment_id, batch_id, recipient, source, parts, price)
      SELECT ${accountId}, ${from}::bigint + g, 1, 1, '9725' || g, 's', 1, 1 FROM generate_series(0, 29) AS g`;
    ids[accountId] = Array.from({ length: 30 }, (_, index) => from + index);
  }
  return ids;
}

/** Runs `change` beside another transaction that changes the middle messages of the crowd, and ends while `change` waits. */
async function besideAnother<T>(
  ids: readonly number[],
  other: (tx: TransactionSql, some: readonly number[]) => Promise<unknown>,
  change: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  const [changed, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const beside = sql.begin(async (tx) => {
    await other(tx, ids.slice(10, 20));
    changed.resolve();
    await opened.promise;
  });
  await changed.promise;
  const changing = sql.begin(async (tx) => {
    await tx`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`;
    return change(tx);
  });
  await waitFor('the change to wait for a message', async () => (await waitingStatements(sql)).length > 0);
  opened.resolve();
  await beside;
  return changing;
}

function delivered(ids: Readonly<Record<number, readonly number[]>>): MessageResult[] {
  return [CROWD, SMALL].flatMap((accountId) => {
    const work = new AccountWork(accountId);
    for (const messageId of ids[accountId]!)
      work.add({ accountId, messageId, phone: '', delivered: -1 }, Date.now());
    return [...work.results.values()];
  });
}

const cancel = (tx: TransactionSql, some: readonly number[]) => tx`
  UPDATE messages SET status = ${status.deleted}, final_at = 1, code = ${CANCELLED}
  WHERE account_id = ${CROWD} AND id >= ${some[0]!} AND id <= ${some.at(-1)!}`;

test('results after messages that another transaction cancels are stored', async () => {
  const ids = await newMessages(0);
  const { final, missed } = await besideAnother(ids[CROWD]!, cancel, (tx) =>
    storeResults(tx, channels, delivered(ids), [], false),
  );
  assert.deepEqual([final.length, missed], [50, 10]);
  const [left] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM messages WHERE account_id = ${SMALL} AND final_at IS NULL`;
  assert.equal(left!.count, 0);
});

test('cancellations after messages that another transaction changes are reversed', async () => {
  const ids = await newMessages(100_000);
  for (const accountId of [CROWD, SMALL]) {
    await sql`
      UPDATE messages SET status = ${status.deleted}, final_at = 1, code = ${CANCELLED}
      WHERE account_id = ${accountId} AND id >= ${ids[accountId]![0]!} AND id <= ${ids[accountId]!.at(-1)!}`;
  }
  const handOver = (tx: TransactionSql, some: readonly number[]) => tx`
    UPDATE messages SET handed_at = 1
    WHERE account_id = ${CROWD} AND id >= ${some[0]!} AND id <= ${some.at(-1)!}`;
  const reinstated = await besideAnother(ids[CROWD]!, handOver, (tx) => reinstate(tx, delivered(ids)));
  assert.equal(reinstated.length, 50);
});
