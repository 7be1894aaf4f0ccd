import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, type Queryable } from '../../server/database/connection.ts';
import { WorkLost } from '../../server/engine/work/lease.ts';
import { Work } from '../../server/engine/work/work.ts';
import type { Outcome, Worker } from '../../server/engine/work/worker.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { atEnd } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* Background work of accounts in several shards. Two instances of `Work` stand for two processes. */

const ACCOUNTS = 8;
const service = await startTestService({ settings: { RATE_LIMIT_ACCOUNT: '0' } });
const { appContext } = service;
/** Name of the sessions of this file, which tells them from the service's. */
const APPLICATION = 'work-test';
const sql = connect(service.sql.options.target, { application: APPLICATION });
atEnd(() => sql.end());
const { placements } = appContext.database;
const { clock } = appContext;
const accounts: number[] = [];
for (let index = 0; index < ACCOUNTS; index++)
  accounts.push((await service.addAccount({ username: `worked-${index}` }, 10)).id);

const log = createLogger('silent');
const processes = ['one', 'two'].map(
  (owner) => new Work({ sql, asyncCommitSql: sql, clock, log, placements, owner }),
);
const [one] = processes as [Work, Work];
let kinds = 0;

/** A kind of its own in both processes. */
function newKind(given: Partial<Worker> & Pick<Worker, 'step'>) {
  const kind = `kind-${++kinds}`;
  const worker: Worker = {
    ...{ kind, owner: 'background work', places: 4, deadlineMs: 60_000, retry: { pausesMs: [0] } },
    ...given,
  };
  return { kind, runners: processes.map((work) => work.register(worker)) };
}

/** Stores a row of an account, as the result of work. */
const store = (tx: Queryable, accountId: number) => tx`
  INSERT INTO contact_lists (account_id, id, name, width, count, created_at)
  VALUES (${accountId}, ${appContext.ids.next()}, 'list', 0, 0, 0)`;
const storedOf = async (accountId: number) =>
  (await sql`SELECT FROM contact_lists WHERE account_id = ${accountId}`).length;

const itemsOf = async (kind: string) => [
  ...(await sql<{ account_id: number; key: number; lease_owner: string | null; lease_epoch: number }[]>`
    SELECT account_id, key, lease_owner, lease_epoch FROM work WHERE kind = ${kind} ORDER BY account_id, key`),
];

/**
 * Names of transactions that sessions of this file have committed in two phases, without those that the maintenance of Citus
 * has removed. The third part of a name is the process id of the session.
 */
const inTwoPhases = async () => {
  const rows = await sql<{ gid: string }[]>`
    SELECT gid FROM pg_dist_transaction
    WHERE split_part(gid, '_', 3)::integer IN (
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${APPLICATION})`;
  return new Set(rows.map(({ gid }) => gid));
};

/** Number of transactions in two phases that `run` commits. */
async function countTwoPhases(run: () => Promise<unknown>): Promise<number> {
  const before = await inTwoPhases();
  await run();
  return (await inTwoPhases()).difference(before).size;
}

/** Two accounts whose rows are on different nodes. */
async function apart(): Promise<[number, number]> {
  const nodes = await sql<{ id: number; node: number }[]>`
    SELECT a.id, p.groupid AS node FROM unnest(${accounts}::bigint[]) AS a (id)
    JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('work', a.id)`;
  const [first] = nodes as unknown as [{ id: number; node: number }];
  const other = nodes.find(({ node }) => node !== first.node);
  assert.ok(other, 'all accounts are on one node');
  return [first.id, other.id];
}

test('an item is stored with the rows of its account in one shard, without a commit in two phases', async () => {
  const [first, other] = await apart();
  const storeWith = (tx: Queryable, accountId: number, key: number) =>
    Promise.all([
      store(tx, accountId),
      one.add(tx, { accountId, kind: 'stored', key }),
      one.want(tx, { accountId, kind: 'stored', key: key + 1 }),
    ]);
  const ofOne = () => sql.begin((tx) => storeWith(tx, first, 1));
  assert.equal(await countTwoPhases(ofOne), 0);
  assert.equal((await itemsOf('stored')).length, 2);
  const ofTwo = () =>
    sql.begin(async (tx) => {
      await storeWith(tx, first, 3);
      await storeWith(tx, other, 3);
    });
  assert.ok((await countTwoPhases(ofTwo)) > 0, 'transactions in two phases are not seen');
  const undone = sql.begin(async (tx) => {
    await storeWith(tx, first, 5);
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.equal((await itemsOf('stored')).length, 6);
});

test('a claim and the end of an attempt are no commits in two phases', async () => {
  const { kind, runners } = newKind({
    async step(_, lease) {
      await sql.begin(async (tx) => {
        await store(tx, lease.item.accountId);
        await lease.done(tx);
      });
      return 'settled';
    },
  });
  for (const accountId of accounts) await one.add(sql, { accountId, kind, key: 1 });
  assert.equal(await countTwoPhases(() => runners[0]!.run()), 0);
  assert.deepEqual(await itemsOf(kind), []);
});

test('accounts take turns, whichever shards have them', async () => {
  const done: number[] = [];
  const { kind, runners } = newKind({
    places: 1,
    async step({ accountId }) {
      done.push(accountId);
      return 'done';
    },
  });
  const [long, ...others] = accounts as [number, ...number[]];
  for (let key = 1; key <= 20; key++) await one.add(sql, { accountId: long, kind, key });
  for (const accountId of others) await one.add(sql, { accountId, kind, key: 1 });
  await runners[0]!.run();
  const last = Math.max(...others.map((id) => done.lastIndexOf(id)));
  assert.ok(last <= accounts.length, `an account had its turn after ${last} items`);
  assert.equal(done.length, 20 + others.length);
});

test('two processes do each item once', async () => {
  const done: string[] = [];
  const { kind, runners } = newKind({
    perAccount: 2,
    async step({ accountId, key }) {
      done.push(`${accountId}-${key}`);
      return 'done';
    },
  });
  for (const accountId of accounts)
    for (let key = 1; key <= 10; key++) await one.add(sql, { accountId, kind, key });
  await Promise.all(runners.map((runner) => runner.run()));
  assert.equal(done.length, 10 * ACCOUNTS);
  assert.equal(new Set(done).size, done.length);
  assert.deepEqual(await itemsOf(kind), []);
});

test('the item of a process that was paused beyond its lease is rescued, and that process stores nothing', async () => {
  const begun: string[] = [];
  const goOn = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()];
  const lost: unknown[] = [];
  const [accountId] = accounts as [number];
  const { kind, runners } = newKind({
    async step({ attempts }, lease) {
      begun.push((await itemsOf(kind))[0]!.lease_owner!);
      await goOn[attempts - 1]!.promise;
      const stored = sql.begin(async (tx) => {
        await store(tx, accountId);
        await lease.done(tx);
      });
      await stored.catch((error: unknown) => {
        lost.push(error);
        throw error;
      });
      return 'settled';
    },
  });
  await one.add(sql, { accountId, kind, key: 1 });
  const paused = runners[0]!.run();
  await waitFor('the first process has it', () => begun.length === 1);
  await sql`UPDATE work SET lease_until = 1 WHERE account_id = ${accountId} AND kind = ${kind}`;
  const rescue = runners[1]!.run();
  await waitFor('the other process has it', () => begun.length === 2);
  const [item] = await itemsOf(kind);
  assert.deepEqual([item!.lease_owner, item!.lease_epoch], ['two', 2]);
  const before = await storedOf(accountId);
  goOn[0]!.resolve('done');
  await paused;
  assert.ok(lost[0] instanceof WorkLost);
  assert.equal(await storedOf(accountId), before);
  assert.deepEqual(await itemsOf(kind), [item]);
  goOn[1]!.resolve('done');
  await rescue;
  assert.equal(await storedOf(accountId), before + 1);
  assert.deepEqual(await itemsOf(kind), []);
});
