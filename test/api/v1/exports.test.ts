import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactLists } from '../../../server/modules/audience/contact-lists.ts';
import { ListGone } from '../../../server/modules/audience/contact-rows.ts';
import { CsvJobs, KEEP_MS } from '../../../server/modules/audience/csv-jobs.ts';
import { contactExports } from '../../../server/modules/audience/exports.ts';
import { covers } from '../../conformance/covers.ts';
import { budgetsFor } from '../../support/budgets.ts';
import { waitingStatements } from '../../support/lock-waits.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workFor } from '../../support/work.ts';
import {
  contactListsOf,
  ended,
  gateBeforeChunk,
  gateBeforePhone,
  type Job,
  json,
  localPhone,
  manyRows,
  storedPhone,
} from './support.ts';

const service = await startTestService();
const { sql } = service;
const { api, newList, importFile, showList, contactsOf, download, chunks } = contactListsOf(service);
const BOM = '\ufeff';

const startExport = (list: string) => json<Job>(api.post(`/contact-lists/${list}/export`), 202);
const stop = (id: string) => json<Job>(api.post(`/exports/${id}/stop`));
const fileProblem = async (id: string) => {
  const { error } = await json<{ error: { code: string } }>(api.get(`/exports/${id}/file`), 409);
  return error.code;
};

/** Keeps the worker busy with an import until the gate opens: what is started meanwhile waits for its turn. */
async function busyWorker(context: Parameters<typeof gateBeforePhone>[0]) {
  const list = await newList();
  const gate = await gateBeforePhone(context, sql, service.demo.id, list, storedPhone(0));
  await json<Job>(api.post(`/contact-lists/${list}/import`, manyRows(1)), 202);
  await gate.reached();
  return gate;
}

test('a list as a file, which imports as the same list', covers('v1.export'), async () => {
  const list = await newList();
  await importFile(
    list,
    'phone,"First, name",Note\n0507000031,Dana,"a ""b""\nc"\n15417543010,,x\n0507000032,"a\nb","c\rd"\n',
  );
  const file = await download(`/contact-lists/${list}/export`);
  assert.equal(
    file,
    `${BOM}phone,"First, name",Note\r\n15417543010,,x\r\n0507000031,Dana,"a ""b""\nc"\r\n0507000032,"a\nb","c\rd"\r\n`,
  );
  const copy = await newList();
  await importFile(copy, file);
  assert.deepEqual(await contactsOf(copy), await contactsOf(list));
  assert.deepEqual((await showList(copy)).columns, ['First, name', 'Note']);
});

test('fields without names are named by their number, and an empty list has names alone', async () => {
  const list = await newList({ phone: '0507000041', df1: 'one' });
  assert.equal(await download(`/contact-lists/${list}/export`), `${BOM}phone,df1\r\n0507000041,one\r\n`);
  assert.equal(await download(`/contact-lists/${await newList()}/export`), `${BOM}phone\r\n`);
});

test(
  'in the background: how far it is, the file when it is done, and nothing after a week',
  covers('v1.export'),
  async (context) => {
    const list = await newList();
    await importFile(list, manyRows(25_000));
    const worker = await busyWorker(context);
    const { id, state } = await startExport(list);
    assert.equal(state, 'waiting');
    const gate = await gateBeforeChunk(context, sql, service.demo.id, id, 1);
    await worker.open();
    await gate.reached();
    const half = await json<Job>(api.get(`/exports/${id}`));
    assert.deepEqual([half.state, half.rows, half.finished_at], ['running', 10_000, null]);
    assert.equal(await fileProblem(id), 'not-now');
    await gate.open();
    const done = await ended(api, `/exports/${id}`);
    assert.deepEqual([done.state, done.rows], ['done', 25_000]);
    const file = await download(`/exports/${id}/file`);
    assert.equal(Buffer.byteLength(file), done.bytes);
    assert.equal(file, await download(`/contact-lists/${list}/export`));
    assert.deepEqual(await stop(id), done);

    const { clock, ids } = service.appContext;
    const inAWeek = { now: () => clock.now() + KEEP_MS + 1 };
    const { audit } = service.appContext.people;
    await new CsvJobs({
      sql,
      ids,
      clock: inAWeek,
      audit,
      budgets: budgetsFor({ sql, clock }),
      owner: 'test',
      work: workFor({ sql, clock }),
    }).cleanUp();
    for (const path of [`/exports/${id}`, `/exports/${id}/file`]) await json(api.get(path), 404);
    assert.equal(await chunks(), 0);
  },
);

test('one that waits can be stopped, and has no file', async (context) => {
  const worker = await busyWorker(context);
  const { id } = await startExport(await newList());
  assert.equal((await stop(id)).state, 'stopped');
  await worker.open();
  assert.equal(await fileProblem(id), 'not-now');
});

test(
  'stopped in the middle it ends there, and what it had written is gone',
  covers('v1.export'),
  async (context) => {
    const list = await newList();
    await importFile(list, manyRows(25_000));
    const worker = await busyWorker(context);
    const { id } = await startExport(list);
    const gate = await gateBeforeChunk(context, sql, service.demo.id, id, 1);
    await worker.open();
    await gate.reached();
    const stopping = stop(id);
    // It is told while a step is being written, and comes after that.
    await waitFor('the stop waits for the step', async () => {
      const waiting = await waitingStatements(sql);
      return waiting.length === 2;
    });
    await gate.open();
    const stopped = await stopping;
    assert.deepEqual([stopped.state, stopped.rows], ['stopped', 20_000]);
    // The worker goes on with something else, and leaves the stopped one as it is.
    assert.equal((await ended(api, `/exports/${(await startExport(await newList())).id}`)).state, 'done');
    assert.deepEqual(await json<Job>(api.get(`/exports/${id}`)), stopped);
    assert.equal(await fileProblem(id), 'not-now');
    assert.deepEqual([...(await sql`SELECT 1 FROM csv_chunks WHERE job_id = ${Number(id)}`)], []);
  },
);

test('its columns are those of the list at the time of the request', async (context) => {
  const list = await newList({ phone: localPhone(1) });
  const worker = await busyWorker(context);
  const { id } = await startExport(list);
  await service.call('json', 'addNumCL', {
    cl: { id: list, destinations: { destination: { phone: localPhone(2), df1: 'new' } } },
  });
  await worker.open();
  await ended(api, `/exports/${id}`);
  const file = await download(`/exports/${id}/file`);
  assert.equal(file, `${BOM}phone\r\n${localPhone(1)}\r\n${localPhone(2)}\r\n`);
});

/** Removes a list. Resolves when the background work has deleted its contacts. */
async function removeAll(list: string): Promise<void> {
  assert.equal((await service.call('json', 'removeCL', { cl: { id: list } })).status, 0);
  await waitFor('its contacts are deleted', async () => {
    const [left] = await sql`SELECT FROM contacts WHERE list_id = ${Number(list)} LIMIT 1`;
    return left === undefined;
  });
}

test('a list removed during the export fails it, and the file is not taken for complete', async (context) => {
  const list = await newList();
  await importFile(list, manyRows(25_000));
  const worker = await busyWorker(context);
  const { id } = await startExport(list);
  const gate = await gateBeforeChunk(context, sql, service.demo.id, id, 1);
  await worker.open();
  await gate.reached();
  await removeAll(list);
  await gate.open();
  const done = await ended(api, `/exports/${id}`);
  assert.deepEqual([done.state, done.problem], ['failed', 'the contact list was removed']);
});

test('streamed, too: the file breaks off where the list was removed', async () => {
  const list = await newList();
  await importFile(list, manyRows(5_000));
  const { appContext } = service;
  const jobs = new CsvJobs({
    ...appContext,
    sql,
    audit: appContext.people.audit,
    budgets: budgetsFor(appContext),
    owner: 'test',
    work: workFor({ ...appContext, sql }),
  });
  const exports = contactExports({ sql, jobs, lists: new ContactLists({ ...appContext, sql }) });
  const file = await exports.stream(service.demo.id, Number(list));
  assert.ok((await file.next()).value);
  await removeAll(list);
  await assert.rejects(file.next(), ListGone);
});

test('five at a time', async (context) => {
  const list = await newList();
  const worker = await busyWorker(context);
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => api.post(`/contact-lists/${list}/export`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 202, 202, 202, 202, 429, 429, 429]);
  await worker.open();
  for (const answer of answers) {
    if (answer.status === 202) await ended(api, `/exports/${(await json<Job>(answer, 202)).id}`);
  }
});
