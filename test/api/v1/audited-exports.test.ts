import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessRule } from '../../../server/api/access/rules.ts';
import { openCases } from '../../docs/v1-cases.ts';
import { routeRules } from '../../support/access-table.ts';
import { waitingStatements } from '../../support/lock-waits.ts';
import { withLockedTables } from '../../support/locked-tables.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { callsWith } from './calls.ts';
import { ended, gateBeforePhone, manyRows, storedPhone, v1 } from './support.ts';

/* Every export is in the audit log when its answer has ended, with how many rows it gave. */

interface Entry {
  action: string;
  status: number;
  object: { id: string | null };
  after: { rows: number; complete: boolean } | null;
}

const phoneTime = Date.now();
const service = await startTestService({ phoneClock: { now: () => phoneTime } });
const cases = await openCases(service, phoneTime);
const { people, sessions } = service.appContext.people;
const { person } = await people.add({
  accountId: service.demo.id,
  username: 'exporter',
  name: 'Exporter',
  role: 'owner',
});
const session = await sessions.start(service.sql, person.id, { address: '127.0.0.1', agent: 'test' });
const owner = callsWith(service.url, { cookie: `carillon_session=${session}`, 'x-carillon-csrf': '1' });
const api = v1(service.url, DEMO_TOKEN);
const entries = async (action: string) =>
  (await owner.get<{ entries: Entry[] }>('/audit')).entries.filter((entry) => entry.action === action);

const exportRows = Object.entries<AccessRule>(routeRules).filter(([, { audit }]) => audit === 'export');

for (const [row] of exportRows) {
  test(row, async () => {
    const path = row.replace('GET ', '');
    const { id } = await cases.callOf(path.replace(':id', '{id}'), row, undefined);
    const answer = await owner.fetch('GET', path.replace('/v1', '').replace(':id', id ?? ''));
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    // An archive is one thing.
    const isTable = answer.headers.get('content-type')!.startsWith('text/csv');
    const rows = isTable ? text.trimEnd().split('\r\n').length - 1 : 1;
    const [entry] = await entries(row);
    assert.deepEqual(
      [entry?.status, entry?.object.id, entry?.after],
      [200, id ?? null, { rows, complete: true }],
    );
  });
}

test('an archive ends when its entry is written', async () => {
  const row = 'GET /v1/data-subjects/requests/:id/archive';
  const { id } = await cases.callOf('/v1/data-subjects/requests/{id}/archive', row, undefined);
  let isEnded = false;
  const { download } = await withLockedTables(service.sql, ['audit_log'], 'EXCLUSIVE', async () => {
    const answer = owner.fetch('GET', `/data-subjects/requests/${id}/archive`);
    const ended = answer
      .then((found) => found.arrayBuffer())
      .then(({ byteLength }) => {
        isEnded = true;
        return byteLength;
      });
    await waitFor('the entry waits', async () =>
      (await waitingStatements(service.sql)).some((statement) => statement.includes('audit_log')),
    );
    // Time for a response that does not wait.
    for (let turn = 0; turn < 5; turn++) await entries(row);
    assert.equal(isEnded, false);
    return { download: ended };
  });
  assert.ok((await download) > 0);
  assert.equal((await entries(row))[0]?.after?.complete, true);
});

test('an export that is refused', async () => {
  const row = 'GET /v1/contact-lists/:id/export';
  assert.deepEqual(await owner.refused('GET', '/contact-lists/1/export'), ['unknown-list', undefined, 404]);
  const [entry] = await entries(row);
  assert.deepEqual([entry?.status, entry?.object.id, entry?.after], [404, '1', null]);
});

test('an export whose client leaves', async () => {
  const { id } = await owner.post<{ id: string }>('/contact-lists', { name: 'Many' });
  await service.sql`
    INSERT INTO contacts (account_id, list_id, phone)
    SELECT ${service.demo.id}, ${Number(id)}, (972500000000 + n)::text
    FROM generate_series(1, 200000) AS n`;
  const answer = await owner.fetch('GET', `/contact-lists/${id}/export`);
  await answer.body!.cancel();
  const entry = await waitFor('the entry', async () =>
    (await entries('GET /v1/contact-lists/:id/export')).find(({ object }) => object.id === id),
  );
  assert.equal(entry.after?.complete, false);
  assert.ok(entry.after.rows < 200_000);
});

interface EndedExport extends Entry {
  person: { username: string } | null;
}

/** The entry of an export in the background that has ended. */
const endOf = async (id: string) =>
  ((await entries('export ended')) as EndedExport[]).find(({ object }) => object.id === id);

/** A list with so many contacts. */
async function listOf(count: number): Promise<string> {
  const { id } = await owner.post<{ id: string }>('/contact-lists', { name: `List of ${count}` });
  await service.sql`
    INSERT INTO contacts (account_id, list_id, phone)
    SELECT ${service.demo.id}, ${Number(id)}, (972500000000 + n)::text FROM generate_series(1, ${count}) AS n`;
  return id;
}

test('an export in the background: who asked for it, and how many rows it had in the end', async () => {
  const list = await listOf(7);
  const { id } = await owner.post<{ id: string }>(`/contact-lists/${list}/export`, undefined, 202);
  await ended(api, `/exports/${id}`);
  const entry = await endOf(id);
  assert.deepEqual(
    [entry?.status, entry?.person?.username, entry?.after],
    [200, 'exporter', { rows: 7, complete: true, list_id: list }],
  );
});

test('an export of a mailing list by a program', async () => {
  const { id: list } = await owner.post<{ id: string }>('/mail/lists', { name: 'Newsletter' });
  await owner.post(`/mail/lists/${list}/users`, { users: [{ email: 'dana@example.com' }] });
  const { id } = (await (await api.post(`/mail/lists/${list}/export`)).json()) as { id: string };
  await ended(api, `/exports/${id}`);
  const entry = await endOf(id);
  assert.deepEqual(
    [entry?.status, entry?.person, entry?.after],
    [200, null, { rows: 1, complete: true, list_id: list }],
  );
});

test('an export in the background that fails', async (context) => {
  const other = await listOf(1);
  const gate = await gateBeforePhone(context, service.sql, service.demo.id, other, storedPhone(0));
  const busy = await api.post(`/contact-lists/${other}/import`, `${manyRows(1)}`);
  assert.equal(busy.status, 202);
  await gate.reached();
  const list = await listOf(3);
  const { id } = await owner.post<{ id: string }>(`/contact-lists/${list}/export`, undefined, 202);
  await owner.call('DELETE', `/contact-lists/${list}`);
  await gate.open();
  await ended(api, `/exports/${id}`);
  const entry = await endOf(id);
  assert.deepEqual(
    [entry?.status, entry?.after],
    [
      500,
      {
        rows: 0,
        complete: false,
        list_id: list,
        problem: 'the contact list was removed',
      },
    ],
  );
});
