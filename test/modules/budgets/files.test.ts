import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { runningLoops } from '../../../server/kit/loop.ts';
import { heldFiles } from '../../../server/modules/media/rows.ts';
import { asPerson, type Calls } from '../../api/v1/calls.ts';
import { budgetsFor } from '../../support/budgets.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { png } from '../media/samples.ts';
import { startMedia } from '../media/support.ts';

/* Stored files: every way to store bytes stops at the budget, and deleted bytes can be used again. */

const MB = 1_000_000;
const DAY_SECONDS = 86_400;
/** MB of the setting in this file. */
const LIMIT = 4;
const service = await startTestService({ settings: { BUDGET_FILES: String(LIMIT), MEDIA_KEEP_DAYS: '2' } });
const operator = await asPerson(service, 'operator');

interface Caller {
  readonly accountId: number;
  readonly token: string;
  readonly owner: Calls;
  readonly agent: Calls;
}
interface State {
  readonly budget: string;
  readonly count: number;
  readonly bytes: number;
  readonly bytes_limit: number | null;
}

let made = 0;
async function newCaller(): Promise<Caller> {
  const { id, token } = await service.addAccount({ username: `storing-${++made}` });
  const [owner, agent] = [await asPerson(service, 'owner', id), await asPerson(service, 'agent', id)];
  return { accountId: id, token, owner, agent };
}

const octets = { 'content-type': 'application/octet-stream' };
/** Bytes of a text, each a character, so that it can be the body of a call. */
const textOf = (bytes: number) => 'opening hours\n'.padEnd(bytes, '.');
const upload = (calls: Calls, bytes: number) =>
  calls.fetch('POST', '/media?kind=document', textOf(bytes), octets);
const stateOf = async ({ owner }: Caller) =>
  (await owner.get<{ budgets: State[] }>('/budgets')).budgets.find(({ budget }) => budget === 'files')!;
const setLimit = ({ accountId }: Caller, limits: object) =>
  operator.call('PATCH', `/operator/accounts/${accountId}/budgets`, { budget: 'files', ...limits });
const codeOf = async (response: Response) =>
  response.ok ? response.status : ((await response.json()) as { error: { code: string } }).error.code;
/** Files of an account on the disk. */
const onDisk = ({ accountId }: Caller) =>
  globSync(`${accountId}/*/*`, { cwd: service.appContext.config.MEDIA_DIR! }).length;

async function newList({ owner }: Caller): Promise<string> {
  return (await owner.post<{ id: string }>('/contact-lists', { name: `List ${++made}` })).id;
}
const importOf = (calls: Calls, list: string, text: string) =>
  calls.fetch('POST', `/contact-lists/${list}/import`, text, { 'content-type': 'text/csv' });

test('the limit stops an agent that uploads ten times of it in parallel (server/modules/media/media.ts)', async () => {
  const caller = await newCaller();
  const answers = await Promise.all(Array.from({ length: 40 }, () => upload(caller.agent, MB)));
  const codes = await Promise.all(answers.map(codeOf));
  assert.equal(codes.filter((code) => code === 200).length, LIMIT);
  assert.equal(codes.filter((code) => code === 'over-budget').length, 40 - LIMIT);
  const { count, bytes, bytes_limit } = await stateOf(caller);
  assert.deepEqual([count, bytes, bytes_limit], [LIMIT, LIMIT * MB, LIMIT * MB]);
  assert.equal(onDisk(caller), LIMIT);
});

test('a refused upload leaves no row and no file, and a failed one returns its bytes', async () => {
  const caller = await newCaller();
  await setLimit(caller, { bytes: 1_000 });
  assert.equal(await codeOf(await upload(caller.agent, 1_001)), 'over-budget');
  const failed = await caller.agent.fetch('POST', '/media?kind=image', textOf(900), octets);
  assert.equal(await codeOf(failed), 'bad-field');
  assert.equal(await codeOf(await caller.agent.fetch('POST', '/media?kind=image', '', octets)), 'bad-field');
  const { accountId } = caller;
  assert.deepEqual([...(await service.sql`SELECT id FROM media WHERE account_id = ${accountId}`)], []);
  assert.deepEqual([(await stateOf(caller)).bytes, onDisk(caller)], [0, 0]);
  assert.equal(await codeOf(await upload(caller.agent, 1_000)), 200);
});

test('an upload without Content-Length needs room for the largest file of its kind', async () => {
  const caller = await newCaller();
  const send = () =>
    fetch(`${service.url}/v1/media?kind=sticker`, {
      ...{ method: 'POST', headers: { ...octets, authorization: `Bearer ${caller.token}` }, duplex: 'half' },
      body: Readable.toWeb(Readable.from([png])) as ReadableStream,
    });
  await setLimit(caller, { bytes: 500 * 1024 - 1 });
  assert.equal(await codeOf(await send()), 'over-budget');
  await setLimit(caller, { bytes: 500 * 1024 });
  // No sticker, so that nothing stays of it.
  assert.equal(await codeOf(await send()), 'bad-field');
  assert.equal((await stateOf(caller)).bytes, 0);
});

test('a file of an import over the budget is refused, and nothing of it is left (server/modules/audience/csv-jobs.ts)', async () => {
  const caller = await newCaller();
  const list = await newList(caller);
  await setLimit(caller, { bytes: 1_500_000 });
  const rows = `phone\n${'0501234567,some more text\n'.repeat(80_000)}`;
  assert.equal(await codeOf(await importOf(caller.owner, list, rows)), 'over-budget');
  const { accountId } = caller;
  const left = await service.sql`SELECT sequence FROM csv_chunks WHERE account_id = ${accountId}`;
  assert.deepEqual([left.length, (await stateOf(caller)).bytes], [0, 0]);
});

test('an export over the budget fails with its reason, and a finished one counts', async () => {
  const caller = await newCaller();
  const list = await newList(caller);
  assert.equal(await codeOf(await importOf(caller.owner, list, 'phone\n0501234567\n0501234568\n')), 202);
  const exported = async () => {
    const { id } = await caller.owner.post<{ id: string }>(`/contact-lists/${list}/export`, undefined, 202);
    return waitFor('the export has ended', async () => {
      const job = await caller.owner.get<{ state: string; problem: string | null; bytes: number }>(
        `/exports/${id}`,
      );
      return ['done', 'failed'].includes(job.state) && job;
    });
  };
  const done = await exported();
  assert.equal(done.state, 'done');
  const { count, bytes } = await waitFor('the file of the import is deleted', async () => {
    const state = await stateOf(caller);
    return state.count === 1 && state;
  });
  assert.deepEqual([count, bytes], [1, done.bytes]);
  await setLimit(caller, { bytes: 1 });
  const failed = await exported();
  assert.equal(failed.state, 'failed');
  assert.match(failed.problem!, /budget files/);
});

test('an archive counts, and a full account starts no other (server/modules/data-subjects/requests.ts)', async () => {
  const caller = await newCaller();
  const ask = () => caller.owner.fetch('POST', '/data-subjects/exports', { phones: ['0501234567'] });
  const { id } = (await (await ask()).json()) as { id: string };
  await waitFor('the archive is made', async () => {
    const { state } = await caller.owner.get<{ state: string }>(`/data-subjects/requests/${id}`);
    return state === 'done';
  });
  const { count, bytes } = await stateOf(caller);
  assert.deepEqual([count, bytes > 0], [1, true]);
  await setLimit(caller, { bytes });
  assert.equal(await codeOf(await ask()), 'over-budget');
});

test('files of clients may use a quarter more, wait for room, and are then fetched (server/modules/media/fetches.ts)', async () => {
  const under = await startMedia();
  const { sql, clock, platform, media, accountId } = under;
  const fetches = under.fetches({
    budgets: budgetsFor({ sql, clock }, { BUDGET_FILES: '1' }, { files: heldFiles }),
  });
  const asked: string[] = [];
  platform.change({ onMedia: (step) => void asked.push(step) });
  const file = async (kilobytes: number) => {
    const bytes = Buffer.from(textOf(kilobytes * 1_000));
    const remote = under.onPlatform(bytes, 'text/plain');
    return under.expect(bytes, remote, { kind: 'document', mimeType: 'text/plain', fileName: 'a.txt' });
  };
  const stateNow = async (id: number) => {
    const { state, problem } = await under.find(id);
    return [state, problem];
  };
  const [first, second] = [await file(900), await file(350)];
  await fetches.run();
  assert.deepEqual(
    [await stateNow(first), await stateNow(second)],
    [
      [1, ''],
      [1, ''],
    ],
  );

  const third = await file(400);
  asked.length = 0;
  await fetches.run();
  assert.deepEqual([await stateNow(third), asked], [[0, 'over-budget'], []]);
  assert.equal((await heldFiles(sql, accountId)).bytes, 1_250_000);

  await media.remove(accountId, second);
  const pause = 10 * 60_000;
  clock.advance(pause);
  await fetches.run();
  // 350 kB are free, and this needs 400: it was downloaded in vain.
  assert.deepEqual(
    [await stateNow(third), asked],
    [
      [0, 'over-budget'],
      ['find', 'download'],
    ],
  );
  assert.equal((await heldFiles(sql, accountId)).bytes, 900_000);

  await media.remove(accountId, first);
  clock.advance(pause);
  await fetches.run();
  assert.deepEqual(await stateNow(third), [1, '']);
});

test('a file of a client fails with its reason after 7 days without room', async () => {
  const under = await startMedia();
  const { sql, clock } = under;
  const fetches = under.fetches({
    budgets: budgetsFor({ sql, clock }, { BUDGET_FILES: '1' }, { files: async () => held }),
  });
  const held = { count: 1, bytes: 2 * MB, credits: 0 };
  const id = await under.expect(png, under.onPlatform(png), { mimeType: 'image/png' });
  await fetches.run();
  assert.deepEqual((await under.find(id)).state, 0);
  clock.advance(7 * DAY_SECONDS * 1_000);
  await fetches.run();
  const { state, problem } = await under.find(id);
  assert.deepEqual([state, problem], [2, 'over-budget']);
});

test('bytes of expired files can be used again', async () => {
  const caller = await newCaller();
  await setLimit(caller, { bytes: 1_000 });
  assert.equal(await codeOf(await upload(caller.agent, 1_000)), 200);
  assert.equal(await codeOf(await upload(caller.agent, 1)), 'over-budget');
  await service.advance(3 * DAY_SECONDS);
  await Promise.all(
    runningLoops()
      .filter(({ owner }) => owner === 'upkeep')
      .map((loop) => loop.run()),
  );
  // Sessions have ended by now.
  const owner = await asPerson(service, 'owner', caller.accountId);
  assert.deepEqual([(await stateOf({ ...caller, owner })).bytes, onDisk(caller)], [0, 0]);
  assert.equal(await codeOf(await upload(owner, 1_000)), 200);
});
