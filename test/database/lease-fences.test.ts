import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SmppBinds } from '../../server/api/smpp/binds.ts';
import { DeliveryRows } from '../../server/api/smpp/delivery-rows.ts';
import { TEMPLATE_SYNC } from '../../server/channels/chat/business-numbers.ts';
import { TEMPLATE_SUBMISSION } from '../../server/channels/chat/template-submissions.ts';
import { channels } from '../../server/channels/index.ts';
import type { Sql } from '../../server/database/connection.ts';
import { leaseClock } from '../../server/database/lease-clock.ts';
import { newClaim } from '../../server/database/leases.ts';
import { onePlacement } from '../../server/database/placements.ts';
import { queueRetries, setAside } from '../../server/engine/dispatch/batch-ends.ts';
import { emptyBatch } from '../../server/engine/dispatch/batch-messages.ts';
import { claimBatches, releaseLeases, renewLeases } from '../../server/engine/dispatch/batches.ts';
import { markSubmitting } from '../../server/engine/dispatch/broken-leases.ts';
import { holdConnector, releaseConnector } from '../../server/engine/dispatch/connector-leases.ts';
import { ConnectorStates } from '../../server/engine/dispatch/connector-states.ts';
import { storeResults } from '../../server/engine/dispatch/results.ts';
import { Backlogs } from '../../server/engine/events/backlogs.ts';
import { Batches } from '../../server/engine/events/batches.ts';
import { insertBatches } from '../../server/engine/events/outbox.ts';
import { type WorkLease, WorkLost } from '../../server/engine/work/lease.ts';
import type { Work } from '../../server/engine/work/work.ts';
import type { Outcome, Worker } from '../../server/engine/work/worker.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { CSV_JOB, CsvJobs } from '../../server/modules/audience/csv-jobs.ts';
import { SUBJECT_REQUEST, SubjectRequests } from '../../server/modules/data-subjects/requests.ts';
import { AuditLog } from '../../server/modules/people/audit.ts';
import { newClients } from '../channels/chat/admissions.ts';
import { createCampaignBench } from '../channels/chat/campaign-bench.ts';
import { draft, startTemplates } from '../channels/chat/template-support.ts';
import { jpeg } from '../modules/media/samples.ts';
import { startMedia } from '../modules/media/support.ts';
import { budgetsFor } from '../support/budgets.ts';
import { waitersFor } from '../support/lock-waits.ts';
import { secrets } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';
import { workFor } from '../support/work.ts';

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
  /** Table with the row of the work; without it the one of the test. */
  readonly table?: string;
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

/**
 * Claims the item of background work again. With `only`, items of other accounts and kinds are removed: earlier tests, and the
 * module of this one, make some at their own time.
 */
async function takeWork(
  on: Sql,
  only?: { readonly accountId: number; readonly kind: string },
): Promise<void> {
  if (only) await on`DELETE FROM work WHERE account_id <> ${only.accountId} OR kind <> ${only.kind}`;
  const { count } = await on`
    UPDATE work SET lease_epoch = lease_epoch + 1, lease_until = ${leaseClock.now() + 600_000}`;
  assert.equal(count, 1);
}

/** Claims the item of a kind, as a step of it does. */
async function leaseOf(work: Work, kind: string) {
  const { promise, resolve } = Promise.withResolvers<WorkLease>();
  const ends = Promise.withResolvers<Outcome>();
  const running = work
    .register({
      ...{ kind, owner: 'background work', places: 1, deadlineMs: 60_000, retry: { pausesMs: [1_000] } },
      step(_, lease) {
        resolve(lease);
        return ends.promise;
      },
    })
    .run();
  const end = async () => {
    ends.resolve('done');
    await running;
  };
  return { lease: await promise, end };
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

/** No event has an answer that is read. */
const noAnswers = { answers: { instead: async () => undefined }, record: async () => {} };

async function queueWork(t: TestContext): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  const batch = { accountId, id: ids.next(), count: 1, events: '[]', claim: null, until: 0 };
  await sql.begin((tx) => insertBatches(tx, [batch]));
  const common = { sql, asyncCommitSql: sql, ids, clock, log: createLogger('silent'), boot: BOOT };
  const directory = { queuesOf: () => [], queueOf: () => undefined, refresh: async () => {} };
  /** Claims the batch; its work ends after `end`. */
  const begin = async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const timeZoneOf = () => promise;
    const batches = new Batches({ ...common, placements: onePlacement, directory, timeZoneOf, ...noAnswers });
    batches.setOpen(true);
    await batches.poll();
    assert.ok(batches.busy);
    return async () => {
      resolve('UTC');
      await waitFor('the work has ended', () => !batches.busy);
    };
  };
  const complete = await begin();
  return {
    sql,
    complete,
    async takeOver() {
      await sql`UPDATE event_queue SET lease_until = 0`;
      t.after(await begin());
    },
  };
}

async function backlogWork(t: TestContext): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  await sql`INSERT INTO event_backlogs (account_id, endpoint_id, next_at) VALUES (${accountId}, ${ids.next()}, 0)`;
  const directory = { queueOf: () => undefined };
  const timeZoneOf = () => 'UTC';
  const log = createLogger('silent');
  const backlogs = new Backlogs({ sql, clock, log, boot: BOOT, directory, timeZoneOf, ...noAnswers });
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
  const work = workFor({ sql, clock }, BOOT);
  const jobs = new CsvJobs({ sql, ids, clock, audit: new AuditLog(sql, ids), budgets, work, owner: BOOT });
  await jobs.create(id, 1, { columns: [] } as never);
  const { lease, end } = await leaseOf(work, CSV_JOB);
  const job = (await jobs.begin(lease))!;
  return {
    sql,
    takeOver: () => takeWork(sql),
    async complete() {
      await assert.rejects(
        sql.begin((tx) => jobs.progress(tx, job, { rows: 1 })),
        WorkLost,
      );
      await assert.rejects(jobs.finish(job, 'failed'), WorkLost);
      await end();
    },
  };
}

async function subjectWork(): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  const work = workFor({ sql, clock }, BOOT);
  const requests = new SubjectRequests({ sql, ids, clock, secrets, budgets, work });
  const subject = { phones: ['972541234567'], addresses: [], chatIds: [] };
  await requests.create({ accountId, kind: 'export', subject, reference: '', person: undefined });
  const { lease, end } = await leaseOf(work, SUBJECT_REQUEST);
  const request = (await requests.begin(accountId, lease.item.key))!;
  return {
    sql,
    takeOver: () => takeWork(sql),
    async complete() {
      for (const dueAt of [null, 0]) {
        const settled = sql.begin((tx) => requests.settle(tx, request, lease, { state: 'done', dueAt }));
        await assert.rejects(settled, WorkLost);
      }
      await end();
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
    takeOver: () => takeWork(sql),
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
    takeOver: () => takeWork(under.sql),
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
    ...(work === 'sync' && { table: 'work' }),
    takeOver: () =>
      takeWork(module.sql, {
        accountId: module.account.id,
        kind: work === 'sync' ? TEMPLATE_SYNC : TEMPLATE_SUBMISSION,
      }),
    async complete() {
      // What the platform has taken is a fact, whoever asked: here its answer does not come.
      if (work === 'create') await module.templates.stop();
      else resolve();
      await ended;
    },
  };
}

async function backgroundWork(t: TestContext): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  const ends = Promise.withResolvers<Outcome>();
  const leases: WorkLease[] = [];
  const worker: Worker = {
    kind: 'test',
    owner: 'background work',
    places: 1,
    deadlineMs: 60_000,
    retry: { pausesMs: [1_000] },
    step(_, lease) {
      leases.push(lease);
      return ends.promise;
    },
  };
  await workFor({ sql, clock }, BOOT).add(sql, { accountId, kind: worker.kind, key: 1 });
  const runs: Promise<unknown>[] = [];
  const begin = async () => {
    const count = leases.length + 1;
    runs.push(workFor({ sql, clock }, BOOT).register(worker).run());
    await waitFor('the item is claimed', () => leases.length === count);
  };
  t.after(async () => {
    ends.resolve('done');
    await Promise.all(runs);
  });
  await begin();
  const [lease] = leases as [WorkLease];
  return {
    sql,
    async takeOver() {
      await sql`UPDATE work SET lease_until = 0`;
      await begin();
    },
    async complete() {
      for (const late of [
        () => lease.done(),
        () => lease.later(sql, 0),
        () => lease.giveUp(sql, 0, ''),
        () => lease.keep(),
      ])
        await assert.rejects(late, WorkLost);
      await lease.giveBack();
    },
  };
}

/** A bind of this process, whose lease another process has taken: it is neither renewed nor removed. */
async function smppBindWork(): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  const binds = new SmppBinds(sql, BOOT);
  const id = ids.next();
  const about = { mode: 'receiver', address: '', secure: false, interfaceVersion: 0x34, boundAt: 0 } as const;
  assert.ok(await binds.add(accountId, { ...about, id, clientId: 1 }, 1));
  return {
    sql,
    async complete() {
      const counts = { accountId, id, accepted: 1, refused: 1, lastError: '' };
      assert.equal((await binds.renew([counts])).size, 0);
      await binds.remove(accountId, id);
    },
  };
}

async function smppDeliveryWork(): Promise<StaleWork> {
  const { id: accountId } = await bench.newAccount(0);
  await sql`
    INSERT INTO smpp_deliveries (account_id, id, client_id, phone, content, due_at, expires_at)
    VALUES (${accountId}, ${ids.next()}, 1, '', '{}', 0, 0)`;
  const rows = new DeliveryRows({ sql, clock, boot: BOOT });
  const claimed = await rows.claim(accountId, 1, 1);
  assert.equal(claimed.length, 1);
  return {
    sql,
    async complete() {
      await rows.delete(accountId, claimed);
      await rows.release(accountId, claimed);
      await rows.postpone(accountId, claimed[0]!);
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
  smpp_binds: smppBindWork,
  smpp_deliveries: smppDeliveryWork,
  work: backgroundWork,
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
    await sql`TRUNCATE work`;
    const stale = await work(t);
    const rows = async () =>
      (await stale.sql.unsafe<{ row: string }[]>(`SELECT r::text AS row FROM ${stale.table ?? table} r`)).map(
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
