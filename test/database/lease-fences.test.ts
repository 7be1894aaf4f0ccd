import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CsvJobs, JobLost } from '../../server/audience/csv-jobs.ts';
import { channels } from '../../server/channels/index.ts';
import { RequestLost, SubjectRequests } from '../../server/data-subjects/requests.ts';
import type { Sql } from '../../server/database/connection.ts';
import { leaseClock } from '../../server/database/lease-clock.ts';
import { newClaim } from '../../server/database/leases.ts';
import { queueRetries, setAside } from '../../server/dispatch/batch-ends.ts';
import { emptyBatch } from '../../server/dispatch/batch-messages.ts';
import { claimBatches, releaseLeases, renewLeases } from '../../server/dispatch/batches.ts';
import { markSubmitting } from '../../server/dispatch/broken-leases.ts';
import { holdConnector, releaseConnector } from '../../server/dispatch/connector-leases.ts';
import { ConnectorStates } from '../../server/dispatch/connector-states.ts';
import { storeResults } from '../../server/dispatch/results.ts';
import { Backlogs } from '../../server/events/backlogs.ts';
import * as outbox from '../../server/events/outbox.ts';
import { createLogger } from '../../server/observability/log.ts';
import { AuditLog } from '../../server/people/audit.ts';
import { newClients } from '../chat/admissions.ts';
import { createCampaignBench } from '../chat/campaign-bench.ts';
import { draft, startTemplates } from '../chat/template-support.ts';
import { jpeg } from '../media/samples.ts';
import { startMedia } from '../media/support.ts';
import { budgetsFor } from '../support/budgets.ts';
import { waitersFor } from '../support/lock-waits.ts';
import { secrets } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * Every table with leases: a worker was paused beyond its lease, and the same process has claimed the row again. What the worker
 * stores when it goes on changes nothing.
 */

/** Owner of all leases: claims of one process must differ as those of two do. */
const BOOT = 'process';
const bench = await createCampaignBench();
const { sql, ids, clock } = bench;
const budgets = budgetsFor({ sql, clock });

interface StaleWork {
  readonly sql: Sql;
  /** Renews and ends the lease in every way, as a worker that was paused does when it goes on. */
  readonly complete: () => Promise<unknown>;
  /** The newer claim; left out: `lease_owner` is another claim of the process. */
  readonly takeOver?: () => Promise<unknown>;
}

/** Lets statements on a table wait until `open`. */
async function close(t: TestContext, on: Sql, table: string) {
  const connection = await on.reserve();
  await connection`BEGIN`;
  await connection.unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  let isClosed = true;
  const open = async () => {
    if (!isClosed) return;
    isClosed = false;
    await connection`ROLLBACK`;
    connection.release();
  };
  t.after(open);
  return {
    open,
    reached: () => waitFor('a statement waits', async () => (await waitersFor(connection)).length > 0),
  };
}

async function batchWork(): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(10);
  const [id, messageId] = [ids.next(), ids.next()];
  await sql`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, first_id, last_id, count)
    VALUES (${accountId}, ${id}, 0, 1, '', 0, ${messageId}, ${messageId}, 1)`;
  const claim = async (owner: string) => {
    const wanted = {
      accountIds: [accountId],
      lane: 1,
      routes: [''],
      each: 1,
      messages: 1,
      copyPauseMs: 0,
    } as const;
    const { batches } = await claimBatches(sql, owner, clock.now(), wanted);
    return emptyBatch(batches[0]!);
  };
  const stale = await claim(BOOT);
  const retries = [{ id: messageId, copies: 0, rings: 0 }];
  const end = { batch: { ...stale, retries }, retryAt: 0, owner: BOOT };
  return {
    sql,
    async takeOver() {
      await sql`UPDATE dispatch_batches SET lease_until = 1`;
      const other = await claim('other');
      await releaseLeases(sql, 'other', clock.now(), [other]);
      assert.equal((await claim(BOOT)).id, id);
    },
    async complete() {
      assert.equal((await renewLeases(sql, BOOT, [stale])).size, 0);
      assert.equal((await markSubmitting(sql, BOOT, [{ batch: stale, to: messageId }])).size, 0);
      await releaseLeases(sql, BOOT, clock.now(), [stale]);
      await sql.begin((tx) => queueRetries(tx, ids, [end]));
      await storeResults(sql, channels, [], [{ ...end, batch: stale }], false);
      assert.equal(await setAside(sql, end), false);
    },
  };
}

async function queueWork(): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  const batch = { accountId, id: ids.next() };
  const leaseNow = leaseClock.now();
  await sql.begin((tx) =>
    outbox.insertBatches(tx, [{ ...batch, count: 1, events: '[]', owner: BOOT, until: leaseNow - 1 }]),
  );
  return {
    sql,
    // A process does not claim batches again that it still holds (`Batches`).
    takeOver: () => outbox.claimBatches(sql, [batch], 'other', leaseNow),
    complete: async () => assert.equal((await outbox.removeBatches(sql, [batch], BOOT)).size, 0),
  };
}

async function backlogWork(t: TestContext): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  await sql`INSERT INTO event_backlogs (account_id, endpoint_id, next_at) VALUES (${accountId}, ${ids.next()}, 0)`;
  const directory = { queueOf: () => undefined };
  const timeZoneOf = () => 'UTC';
  const log = createLogger('silent');
  const backlogs = new Backlogs({ sql, clock, log, boot: BOOT, directory, timeZoneOf });
  const gate = await close(t, sql, 'deliveries');
  await backlogs.poll();
  await gate.reached();
  return {
    sql,
    async complete() {
      await gate.open();
      await waitFor('the work has ended', () => !backlogs.busy);
    },
  };
}

async function csvWork(): Promise<StaleWork> {
  const { id } = await bench.newAccount(0);
  const jobs = new CsvJobs({ sql, ids, clock, audit: new AuditLog(sql, ids), budgets, owner: BOOT });
  await jobs.create(id, 1, { columns: [] } as never);
  const job = (await jobs.claim())!;
  return {
    sql,
    async complete() {
      await assert.rejects(jobs.progress(sql, job, { rows: 1 }), JobLost);
      await assert.rejects(
        sql.begin((tx) => jobs.received(tx, job, { layout: {}, position: 0, line: 1 })),
        JobLost,
      );
      await jobs.giveBack(job);
      await jobs.finish(job, 'failed');
    },
  };
}

async function subjectWork(): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  const requests = new SubjectRequests({ sql, ids, clock, secrets, budgets, owner: BOOT });
  const subject = { phones: ['972541234567'], addresses: [], chatIds: [] };
  await requests.create({ accountId, kind: 'export', subject, reference: '', person: undefined });
  const request = (await requests.claim())!;
  const renew = requests.leaseOf({ ...request, until: 0 }, new AbortController().signal);
  return {
    sql,
    async complete() {
      await assert.rejects(renew(), RequestLost);
      await assert.rejects(requests.settle(sql, request, { state: 'done', dueAt: null }), RequestLost);
      await requests.postpone(request, 'tried-again');
      await requests.giveBack(request);
    },
  };
}

async function connectorWork(): Promise<StaleWork> {
  const claim = newClaim(BOOT);
  assert.ok((await holdConnector(sql, 'smpp', claim, false)).isHeld);
  const state = { name: 'smpp', up: true, inFlight: 1, window: 2, taken: 3, isFull: false, problem: null };
  return {
    sql,
    async complete() {
      await new ConnectorStates(sql).tell([{ ...state, claim }]);
      await releaseConnector(sql, 'smpp', claim);
      assert.equal((await holdConnector(sql, 'smpp', claim, false)).isHeld, false);
    },
  };
}

async function campaignWork(t: TestContext): Promise<StaleWork> {
  const number = await bench.newNumber((await bench.newAccount(10)).id);
  await bench.create(number, await bench.newTemplate(number), { phones: newClients(3) });
  const gate = await close(t, sql, 'chat_portfolios');
  const running = bench.expanderOf(BOOT).run();
  await gate.reached();
  return {
    sql,
    async complete() {
      await gate.open();
      await running;
      assert.equal((await sql`SELECT FROM messages`).length, 0);
    },
  };
}

async function mediaWork(): Promise<StaleWork> {
  const under = await startMedia();
  const bytes = jpeg(1_000);
  await under.expect(bytes, under.onPlatform(bytes));
  const { promise, resolve } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const store = {
    ...under.deps.store,
    put() {
      reached.resolve();
      return promise;
    },
  };
  const running = under.fetches({ store }).run();
  await reached.promise;
  return {
    sql: under.sql,
    async complete() {
      resolve();
      await running;
    },
  };
}

/** A worker that waits for the platform's answer. */
async function templateWork(t: TestContext, work: 'sync' | 'create'): Promise<StaleWork> {
  const module = await startTemplates(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  module.front.treat = () => promise;
  const running =
    work === 'sync'
      ? module.templates.sync(module.portfolio)
      : module.templates.create(module.number, draft('order'));
  const ended = Promise.allSettled([running]);
  await waitFor('the platform is asked', () => module.front.requests.length === 1);
  return {
    sql: module.sql,
    async complete() {
      // What the platform has taken is a fact, whoever asked: here its answer does not come.
      if (work === 'create') await module.templates.stop();
      else resolve();
      await ended;
    },
  };
}

const works: Readonly<Record<string, (t: TestContext) => Promise<StaleWork>>> = {
  campaigns: campaignWork,
  chat_template_submissions: (t) => templateWork(t, 'create'),
  chat_template_syncs: (t) => templateWork(t, 'sync'),
  csv_jobs: csvWork,
  data_subject_requests: subjectWork,
  dispatch_batches: batchWork,
  event_backlogs: backlogWork,
  event_queue: queueWork,
  links: connectorWork,
  media: mediaWork,
};

test('every table with leases is in this test', async () => {
  const tables = await sql<{ name: string }[]>`
    SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.column_name = 'lease_owner' AND c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY 1`;
  assert.deepEqual(
    tables.map(({ name }) => name),
    Object.keys(works),
  );
});

for (const [table, work] of Object.entries(works)) {
  test(`${table}: a worker that was paused beyond its lease changes nothing`, async (t) => {
    const stale = await work(t);
    const rows = async () =>
      (await stale.sql.unsafe<{ row: string }[]>(`SELECT r::text AS row FROM ${table} r`)).map(
        ({ row }) => row,
      );
    if (stale.takeOver) await stale.takeOver();
    else {
      const claim = newClaim(BOOT);
      const leaseUntil = leaseClock.now() + 600_000;
      const { count } = await stale.sql.unsafe(
        `UPDATE ${table} SET lease_owner = '${claim}', lease_until = ${leaseUntil}`,
      );
      assert.equal(count, 1);
    }
    const before = await rows();
    assert.equal(before.length, 1);
    await stale.complete();
    assert.deepEqual(await rows(), before);
  });
}
