import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Suppressions } from '../../server/modules/audience/suppressions.ts';
import { startDispatching } from '../engine/dispatch/support.ts';
import { allFinal, type Caller, phones, send, startNetwork } from '../faults/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { createDatabase } from '../support/database.ts';

/*
 * Groups of accounts through the coordinator: the placement of each account is a number of which no node is known, as while a
 * process cannot reach the workers. If a shard was split and the process does not know it yet, a group has accounts of several
 * shards: it cannot be stored in one statement, but no account is refused for that.
 */

const ALL_BLOCKED = 8;
let used = 0;
const groups = {
  'of one shard': '-pg_catalog.get_shard_id_for_distribution_column(relation, value)',
  'of several shards': '0::bigint',
};
for (const [group, placement] of Object.entries(groups)) {
  const database = await createDatabase();
  const { sql } = database;
  await sql.unsafe(`
    CREATE FUNCTION get_shard_id_for_distribution_column(relation regclass, value bigint) RETURNS bigint
    LANGUAGE sql AS 'SELECT ${placement}'`);
  const network = await startNetwork();
  const service = await startDispatching(network, {}, database);
  const accounts: (Caller & { id: number })[] = [];
  // More than shards, so that some share one.
  for (let index = 0; index < 8; index++) accounts.push(await service.account(`account-${index}`, 1_000));

  /** Returns a new number for each account. */
  function nextPhones(): string[] {
    used += accounts.length;
    return phones(used - accounts.length, accounts.length);
  }

  /** Sends a message of each account at the same time. Returns the status of each answer. */
  async function sendEach(to: readonly string[]): Promise<number[]> {
    const answers = await Promise.all(accounts.map((account, at) => send(service.url, account, [to[at]!])));
    return answers.map(({ status }) => status);
  }

  test(`messages of accounts ${group} are accepted, sent and recorded through the coordinator`, async () => {
    const { placements } = service.appContext.database;
    for (const { id } of accounts) {
      await placements.of(id);
      assert.equal(placements.sqlOf(id, sql), sql);
    }
    for (let round = 0; round < 5; round++) {
      const to = nextPhones();
      assert.deepEqual(await sendEach(to), Array(accounts.length).fill(0));
      await allFinal(sql);
      for (const phone of to) assert.equal(network.taken.get(phone), 1);
    }
    await assertBooksBalance(sql);
  });

  test(`of accounts ${group}, only those are refused that have the number on the blacklist, or had before it was erased`, async () => {
    const [listed, erased] = accounts as [Caller & { id: number }, Caller & { id: number }];
    const to = nextPhones();
    const suppressions = new Suppressions(service.appContext);
    await sql`INSERT INTO blacklist (account_id, phone, created_at) VALUES (${listed.id}, ${to[0]!}, 0)`;
    await sql.begin((tx) => suppressions.add(tx, erased.id, [to[1]!], 1));
    const [first, second, ...others] = await sendEach(to);
    assert.deepEqual([first, second], [ALL_BLOCKED, ALL_BLOCKED]);
    assert.deepEqual(others, Array(others.length).fill(0));
  });
}
