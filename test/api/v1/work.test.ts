import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import { asPerson, withToken } from './calls.ts';

/* What operators see of background work, and do with it. */

const service = await startTestService({ sandbox: false });
const { sql } = service;
const { clock, ids } = service.appContext;
const operator = await asPerson(service, 'operator');
const { id: accountId } = await service.addAccount({ username: 'worker' });

interface Group {
  readonly kind: string;
  readonly account_id: string;
  readonly username: string | null;
  readonly waiting: number;
  readonly running: number;
  readonly retrying: number;
  readonly failed: number;
  readonly last_error: string | null;
}

interface Item {
  readonly key: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly can_retry: boolean;
  readonly can_discard: boolean;
}

interface Given {
  readonly kind?: string;
  readonly state?: string;
  readonly error?: string;
  readonly leaseUntil?: number;
}

/** Stores a file that is to be fetched, with its work. */
async function addItem({ kind = 'media-fetch', state = 'waiting', error = '', leaseUntil = 0 }: Given = {}) {
  const key = ids.next();
  const now = clock.now();
  await sql`
    INSERT INTO media (account_id, id, kind, state, mime_type, file_name, sha256, origin, origin_number, origin_id, problem, detail,
      attempts, lease_until)
    VALUES (${accountId}, ${key}, 'image', ${state === 'failed' ? 2 : 0}, '', '', '', 'nobody', '', '', '', '', 0, 0)`;
  await sql`
    INSERT INTO work (account_id, kind, key, state, due_at, attempts, last_error, created_at, lease_owner, lease_until)
    VALUES (${accountId}, ${kind}, ${key}, ${state}, ${now + 3_600_000}, ${error === '' ? 0 : 2}, ${error}, ${now}, 'other', ${leaseUntil})`;
  return { kind, account_id: String(accountId), key: String(key) };
}

const itemsOf = async (query = '') =>
  (await operator.get<{ items: Item[] }>(`/operator/work/items${query}`)).items;

test('operators see what waits, runs and fails, by kind and account', async () => {
  await addItem();
  await addItem({ error: 'HTTP 503' });
  await addItem({ leaseUntil: clock.now() + 600_000 });
  await addItem({ state: 'failed', error: 'HTTP 503' });
  await addItem({ kind: 'data-subject-request' });
  const { work } = await operator.get<{ work: Group[] }>('/operator/work');
  const shown = work.map(({ kind, account_id, username, waiting, running, retrying, failed, last_error }) => [
    ...[kind, account_id, username, waiting, running, retrying, failed, last_error],
  ]);
  assert.deepEqual(shown, [
    ['media-fetch', String(accountId), 'worker', 1, 1, 1, 1, 'HTTP 503'],
    ['data-subject-request', String(accountId), 'worker', 1, 0, 0, 0, null],
  ]);
  const states = (await itemsOf(`?kind=media-fetch&account=${accountId}`)).map((item) => [
    ...[item.state, item.attempts, item.last_error, item.can_retry, item.can_discard],
  ]);
  assert.deepEqual(states.toSorted(), [
    ['failed', 2, 'HTTP 503', true, true],
    ['retrying', 2, 'HTTP 503', true, true],
    ['running', 0, null, false, false],
    ['waiting', 0, null, true, true],
  ]);
  assert.equal((await itemsOf('?state=failed')).length, 1);
  await sql`DELETE FROM work`;
});

test('a retry opens an abandoned item', async () => {
  const item = await addItem({ state: 'failed', error: 'HTTP 503' });
  await operator.post('/operator/work/retry', item);
  const [shown] = await itemsOf();
  assert.deepEqual([shown!.attempts, shown!.state], [0, 'retrying']);
  const [file] = await sql<{ state: number }[]>`SELECT state FROM media WHERE id = ${Number(item.key)}`;
  assert.equal(file!.state, 0);
  await sql`DELETE FROM work`;
});

test('a discarded item counts as failed', async () => {
  const item = await addItem({ error: 'HTTP 503' });
  await operator.post('/operator/work/discard', item);
  assert.deepEqual(await itemsOf(), []);
  const [file] = await sql<{ state: number }[]>`SELECT state FROM media WHERE id = ${Number(item.key)}`;
  assert.equal(file!.state, 2);
});

test('running work is left alone, and personal data must be exported or erased', async () => {
  const running = await addItem({ leaseUntil: clock.now() + 600_000 });
  const request = await addItem({ kind: 'data-subject-request' });
  const refused = (action: string, body: object) =>
    operator.refused('POST', `/operator/work/${action}`, body);
  for (const action of ['retry', 'discard'])
    assert.deepEqual(await refused(action, running), ['not-now', undefined, 409]);
  assert.deepEqual(await refused('discard', request), ['not-now', undefined, 409]);
  assert.deepEqual(await refused('retry', { ...running, key: '1' }), ['not-found', undefined, 404]);
  await sql`DELETE FROM work`;
});

test('only operators see it', async () => {
  const owner = await asPerson(service, 'owner', accountId);
  assert.deepEqual(await owner.refused('GET', '/operator/work'), ['not-allowed', undefined, 403]);
  const { token } = await service.addAccount({ username: 'curious' });
  assert.deepEqual(await withToken(service.url, token).refused('GET', '/operator/work/items'), [
    'not-allowed',
    undefined,
    403,
  ]);
});
