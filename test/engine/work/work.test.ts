import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkLost } from '../../../server/engine/work/lease.ts';
import type { Outcome, Worker, WorkItem } from '../../../server/engine/work/worker.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { Refusal } from '../../../server/kit/errors.ts';
import { accountsTogether } from '../../support/accounts-together.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workFor } from '../../support/work.ts';

/* Background work (server/engine/work): claims, leases, retries, and what operators do. Two instances of `Work` stand for two processes. */

const { sql } = await createDatabase();
const clock = new AdjustableClock();
const accounts = await accountsTogether(sql, 3);
let kinds = 0;

interface Row {
  readonly key: number;
  readonly state: string;
  readonly attempts: number;
  readonly due_at: number;
  readonly last_error: string;
  readonly lease_epoch: number;
}

type Given = Partial<Worker> & Pick<Worker, 'step'>;

/** A kind of its own, in as many processes as asked for. */
function newKind(given: Given, processes = 1) {
  const kind = `kind-${++kinds}`;
  const worker: Worker = {
    kind,
    owner: 'background work',
    places: 1,
    deadlineMs: 60_000,
    retry: { pausesMs: [1_000, 5_000], maxAttempts: 3 },
    ...given,
  };
  const works = Array.from({ length: processes }, (_, index) => workFor({ sql, clock }, `process ${index}`));
  const runners = works.map((work) => work.register(worker));
  const [work, runner] = [works[0]!, runners[0]!];
  return {
    ...{ kind, work, runner, runners },
    add: (accountId: number, key: number, dueAt?: number) => work.add(sql, { accountId, kind, key }, dueAt),
    rows: async () => [
      ...(await sql<Row[]>`SELECT * FROM work WHERE kind = ${kind} ORDER BY account_id, key`),
    ],
  };
}

test('an item that is added in a transaction is undone with it', async () => {
  const { kind, work, rows } = newKind({ step: async () => 'done' });
  const undone = sql.begin(async (tx) => {
    await work.add(tx, { accountId: 1, kind, key: 1 });
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.deepEqual(await rows(), []);
});

test('accounts take turns', async () => {
  const done: number[] = [];
  const { add, runner, rows } = newKind({
    async step({ accountId }) {
      done.push(accountId);
      return 'done';
    },
    perAccount: 1,
  });
  for (let key = 1; key <= 5; key++) await add(1, key);
  for (let key = 1; key <= 2; key++) await add(2, key);
  await runner.run();
  assert.deepEqual(done, [1, 2, 1, 2, 1, 1, 1]);
  assert.deepEqual(await rows(), []);
});

test('an account gets no more places than its limit, and full accounts none', async () => {
  const begun: WorkItem[] = [];
  const goOn = Promise.withResolvers<Outcome>();
  const { add, runner } = newKind({
    places: 10,
    perAccount: 2,
    full: () => [accounts[2]!],
    step(item) {
      begun.push(item);
      return goOn.promise;
    },
  });
  for (const accountId of accounts) for (let key = 1; key <= 4; key++) await add(accountId, key);
  const running = runner.run();
  await waitFor('four begin', async () => begun.length >= 4);
  const counts = accounts.map((id) => begun.filter(({ accountId }) => accountId === id).length);
  runner.stop();
  goOn.resolve('done');
  await running;
  assert.deepEqual(counts, [2, 2, 0]);
});

test('an item whose attempt ends while the runner looks for others gets its next attempt', async () => {
  let attempts = 0;
  let looked = Promise.withResolvers<Outcome>();
  const { add, runner, rows } = newKind({
    places: 2,
    perAccount: 1,
    full() {
      looked.resolve('settled');
      return [];
    },
    async step(_, lease) {
      if (++attempts === 2) return 'done';
      await lease.later(sql, clock.now());
      looked = Promise.withResolvers();
      return looked.promise;
    },
  });
  await add(1, 1);
  await runner.run();
  assert.equal(attempts, 2);
  assert.deepEqual(await rows(), []);
});

test('two processes do each item once', async () => {
  const done: number[] = [];
  const { add, runners, rows } = newKind(
    {
      places: 4,
      async step({ key }) {
        await sql`SELECT pg_sleep(0.001)`;
        done.push(key);
        return 'done';
      },
    },
    2,
  );
  for (let key = 1; key <= 100; key++) await add(accounts[key % 3]!, key);
  await Promise.all(runners.map((runner) => runner.run()));
  assert.equal(done.length, 100);
  assert.equal(new Set(done).size, 100);
  assert.deepEqual(await rows(), []);
});

test('a process that was paused beyond its lease stores nothing', async () => {
  await sql`CREATE TABLE stored (by text)`;
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const goOn = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const errors: unknown[] = [];
  const { add, runners, rows } = newKind(
    {
      async step({ attempts }, lease) {
        const index = attempts - 1;
        begun[index]!.resolve();
        await goOn[index]!.promise;
        const stored = sql.begin(async (tx) => {
          await tx`INSERT INTO stored VALUES (${String(attempts)})`;
          await lease.done(tx);
        });
        await stored.catch((error: unknown) => {
          errors.push(error);
          throw error;
        });
        return 'settled';
      },
    },
    2,
  );
  await add(1, 1);
  const paused = runners[0]!.run();
  await begun[0]!.promise;
  await sql`UPDATE work SET lease_until = 0`;
  const other = runners[1]!.run();
  await begun[1]!.promise;
  goOn[0]!.resolve();
  await paused;
  assert.ok(errors[0] instanceof WorkLost);
  assert.equal((await rows())[0]!.lease_epoch, 2);
  goOn[1]!.resolve();
  await other;
  assert.deepEqual([...(await sql`SELECT by FROM stored`)], [{ by: '2' }]);
  assert.deepEqual(await rows(), []);
});

test('an attempt ends by its signal when its lease is lost', async () => {
  const begun = Promise.withResolvers<void>();
  const { add, runner, work, kind } = newKind({
    async step(_, lease) {
      begun.resolve();
      await work.remove(sql, { accountId: 1, kind, key: 1 });
      await lease.done();
      return 'settled';
    },
  });
  await add(1, 1);
  await runner.run();
  await begun.promise;
});

test('the policy repeats a failed attempt and then abandons the item, which an operator can retry', async () => {
  const given: string[] = [];
  const { add, runner, rows, work, kind } = newKind({
    step: async () => ({ failed: 'no answer' }),
    async givenUp(_, { key }, error) {
      given.push(`${key}: ${error}`);
    },
    reopen: async () => true,
  });
  await add(1, 7);
  const begin = clock.now();
  await runner.run();
  const [first] = await rows();
  assert.equal(first!.last_error, 'no answer');
  assert.ok(first!.due_at >= begin + 1_000);
  await runner.run();
  assert.equal((await rows())[0]!.attempts, 1, 'not before it is due');
  clock.advance(1_500);
  await runner.run();
  assert.deepEqual(given, []);
  clock.advance(6_000);
  await runner.run();
  assert.deepEqual(given, ['7: no answer']);
  const [failed] = await rows();
  assert.equal(failed!.state, 'failed');
  clock.advance(60_000);
  await runner.run();
  assert.equal((await rows())[0]!.attempts, 3, 'abandoned');
  assert.equal(await work.retry({ accountId: 1, kind, key: 7 }), true);
  await runner.run();
  assert.deepEqual(
    (await rows()).map(({ state, attempts }) => ({ state, attempts })),
    [{ state: 'waiting', attempts: 1 }],
  );
  assert.equal(await work.retry({ accountId: 1, kind, key: 8 }), false);
});

test('an error in a step is a failed attempt', async () => {
  const { add, runner, rows } = newKind({
    step() {
      throw new Error('a fault');
    },
  });
  await add(1, 1);
  await runner.run();
  assert.equal((await rows())[0]!.last_error, 'fault of the service');
});

test('operators discard what may be discarded, and nothing that is being done', async () => {
  const goOn = Promise.withResolvers<Outcome>();
  const begun = Promise.withResolvers<void>();
  const given: number[] = [];
  const { add, runner, rows, work, kind } = newKind({
    isDiscardable: true,
    step() {
      begun.resolve();
      return goOn.promise;
    },
    async givenUp(_, { key }) {
      given.push(key);
    },
  });
  await add(1, 1);
  await add(1, 2);
  const running = runner.run();
  await begun.promise;
  const isRefused = (error: unknown) => error instanceof Refusal && error.code === 'not-now';
  await assert.rejects(work.discard({ accountId: 1, kind, key: 1 }), isRefused);
  await assert.rejects(work.retry({ accountId: 1, kind, key: 1 }), isRefused);
  assert.equal(await work.discard({ accountId: 1, kind, key: 2 }), true);
  assert.deepEqual(given, [2]);
  goOn.resolve('done');
  await running;
  assert.deepEqual(await rows(), []);
  const kept = newKind({ step: async () => 'done' });
  await kept.add(1, 1);
  await assert.rejects(kept.work.discard({ accountId: 1, kind: kept.kind, key: 1 }), isRefused);
});

test('an item that is wanted while it is being done is done again', async () => {
  let times = 0;
  const { work, kind, runner, rows } = newKind({
    async step() {
      if (++times === 1) await work.want(sql, { accountId: 1, kind, key: 0 });
      return 'done';
    },
  });
  await work.want(sql, { accountId: 1, kind, key: 0 });
  await work.want(sql, { accountId: 1, kind, key: 0 }, clock.now() + 60_000);
  await runner.run();
  assert.equal(times, 2);
  assert.deepEqual(await rows(), []);
});

test('a stopped attempt frees its item for the next process', async () => {
  const begun = Promise.withResolvers<void>();
  let isStopping = true;
  const step: Worker['step'] = async (_, lease) => {
    if (!isStopping) return 'done';
    begun.resolve();
    const aborted = Promise.withResolvers<never>();
    lease.signal.addEventListener('abort', () => aborted.reject(new Error('stopped')));
    return aborted.promise;
  };
  const { add, runners, rows } = newKind({ step }, 2);
  await add(1, 1);
  const running = runners[0]!.run();
  await begun.promise;
  runners[0]!.stop();
  await running;
  assert.equal((await rows())[0]!.attempts, 0);
  isStopping = false;
  await runners[1]!.run();
  assert.deepEqual(await rows(), []);
});

test('a runner that is started and stopped again and again loses nothing', async () => {
  const done = new Set<number>();
  const kind = newKind(
    {
      places: 3,
      async step({ key }) {
        await sql`SELECT pg_sleep(0.001)`;
        done.add(key);
        return 'done';
      },
    },
    40,
  );
  for (let key = 1; key <= 120; key++) await kind.add(1, key);
  for (const runner of kind.runners.slice(1)) {
    const running = runner.run();
    runner.stop();
    runner.stop();
    await running;
  }
  await kind.runner.run();
  assert.equal(done.size, 120);
  assert.deepEqual(await kind.rows(), []);
});
