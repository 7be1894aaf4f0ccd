import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runningLoops } from '../../../server/kit/loop.ts';
import { status } from '../../../server/kit/statuses.ts';
import { ErasureRecords, erasuresFolderOf } from '../../../server/modules/data-subjects/erasure-records.ts';
import { SubjectRequests } from '../../../server/modules/data-subjects/requests.ts';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { budgetsFor } from '../../support/budgets.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workFor } from '../../support/work.ts';
import {
  countsOf,
  dump,
  linesWith,
  named,
  needlesOf,
  openDump,
  type Request,
  somebody,
  startPersons,
} from './support.ts';
import { testTextMode } from './text-mode.ts';

/* What there is about one person over all channels: exported, and erased, without touching anybody else's. */

const persons = await startPersons();
const { service, sql, demo, owner, api, search, erase, until } = persons;

/** Everything of them is left when the person beside them is erased. */
const noa = testTextMode(persons, 'plain');

test('what was sealed is not written plain by an erasure of an account that stores plain texts again', async () => {
  await persons.storeTexts('sealed');
  const [person, other] = [somebody('Tangerine'), somebody('Zucchini')];
  await api.post(
    '/sms',
    {
      source: 'Shop',
      message: 'Sealed',
      phones: [person, other].map(({ phone, word }) => ({ phone, id: word })),
    },
    202,
  );
  const eventsOf = async (word: string) =>
    linesWith(await openDump(sql), [word]).filter((line) => /^event_batches/.test(line));
  await waitFor('the events', async () => (await eventsOf(other.word)).length > 0);
  await persons.storeTexts('plain');
  await erase({ phone: person.phone });
  const [needle] = needlesOf(other);
  assert.deepEqual(
    linesWith(await dump(sql), [needle!]).filter((line) => /^event_batches/.test(line)),
    [],
  );
  assert.ok((await eventsOf(other.word)).length > 0);
  assert.deepEqual(linesWith(await openDump(sql), [person.phone.slice(1)]), []);
});

test('who was on the blacklist is still not written to, until the account takes them off it', async () => {
  const blocked = somebody('Rambutan');
  await api.post('/blacklist', { phones: [blocked.phone] });
  const list = await persons.mail.list([{ email: blocked.address }]);
  const { users: members } = await api.get<{ users: { id: string }[] }>(`/mail/lists/${list}/users`);
  await api.post(`/mail/users/${members[0]!.id}/status`, { status: 'removed' });
  await erase(blocked);
  assert.deepEqual(linesWith(await dump(sql), needlesOf(blocked)), []);
  await api.post('/sms', { source: 'Shop', message: 'Hello', phones: [blocked.phone, newPhone()] }, 202);
  const [sent] = await sql<{ status: number; price: string }[]>`
    SELECT status, price FROM messages WHERE recipient = ${stored(blocked.phone)}`;
  assert.deepEqual([sent!.status, Number(sent!.price)], [status.blockedOnRequest, 0]);
  const other = await service.addAccount({ username: 'other-shop' }, 100);
  await withToken(persons.url, other.token).post(
    '/sms',
    { source: 'Shop', message: 'Hello', phones: [blocked.phone] },
    202,
  );
  const [theirs] = await sql<{ status: number }[]>`
    SELECT status FROM messages WHERE recipient = ${stored(blocked.phone)} AND account_id = ${other.id}`;
  assert.notEqual(theirs!.status, status.blockedOnRequest, 'another account is not bound by it');
  const { users } = await api.get<{ users: { status: string }[] }>(`/mail/lists/${list}/users`);
  assert.deepEqual(users, []);
  await api.post(`/mail/lists/${list}/users`, { users: [{ email: blocked.address }] });
  const again = await api.get<{ users: { status: string }[] }>(`/mail/lists/${list}/users`);
  assert.deepEqual(
    again.users.map(({ status }) => status),
    ['removed'],
  );
  const removed = await api.post<{ removed: number }>('/blacklist/remove', {
    phones: [blocked.phone],
    reason: 'asked for it',
  });
  assert.equal(removed.removed, 1);
  await api.post('/sms', { source: 'Shop', message: 'Hello', phones: [blocked.phone] }, 202);
  const sentAgain = await sql<{ status: number }[]>`
    SELECT status FROM messages WHERE account_id = ${demo.id} AND recipient = ${stored(blocked.phone)} ORDER BY id`;
  assert.notEqual(sentAgain.at(-1)!.status, status.blockedOnRequest);
});

test('the code of a wait that quotes the person is replaced', async () => {
  const { ids, clock } = service.appContext;
  const person = somebody('Medlar');
  await api.post('/sms', { source: 'Shop', message: 'Hello', phones: [person.phone] }, 202);
  await sql`
    INSERT INTO waits (account_id, id, subject_id, reason, from_at, until_at, code)
    SELECT account_id, ${ids.next()}, batch_id, 'retry', ${clock.now()}, ${clock.now()}, ${`451 busy: ${person.phone}`}
    FROM messages WHERE recipient = ${stored(person.phone)}`;
  await erase({ phone: person.phone });
  const rows = await sql<{ code: string }[]>`SELECT code FROM waits WHERE code LIKE '451 busy: %'`;
  assert.equal(rows.length, 1);
  assert.ok(!rows[0]!.code.includes(person.phone.slice(1)));
});

test('messages that wait are cancelled and paid back, in sends to one and to many', async () => {
  const person = somebody('Salak');
  const at = new Date(service.appContext.clock.now() + 86_400_000).toISOString();
  const before = await service.balance();
  const body = { source: 'Shop', message: 'Salak later', at };
  await api.post('/sms', { ...body, phones: [person.phone] }, 202);
  const others = [newPhone(), newPhone()];
  await api.post('/sms', { ...body, phones: [person.phone, ...others] }, 202);
  assert.equal(await service.balance(), before - 4);
  const { counts } = await erase({ phone: person.phone });
  assert.equal(countsOf(counts).messages, 2);
  assert.equal(await service.balance(), before - 2);
  await persons.advance(90_000);
  await waitFor('the others have theirs', async () => (await service.phone(others[1]!)).length === 1);
  assert.equal((await service.phone(others[0]!)).length, 1);
  assert.deepEqual(await service.phone(person.phone), []);
  assert.equal(await service.balance(), before - 2);
});

test('waiting messages are cancelled before the request for an erasure is answered', async () => {
  const person = somebody('Quince');
  const at = new Date(service.appContext.clock.now() + 86_400_000).toISOString();
  const before = await service.balance();
  await api.post('/sms', { source: 'Shop', message: 'Later', at, phones: [person.phone] }, 202);
  const erasures = runningLoops().find(({ owner }) => owner === 'data subjects')!;
  await erasures.stop();
  try {
    const body = { phones: [person.phone], confirm: person.phone };
    await owner.post<Request>('/data-subjects/erasures', body, 202);
    const rows = await sql<{ status: number }[]>`
      SELECT status FROM messages WHERE recipient = ${stored(person.phone)}`;
    assert.deepEqual([rows.map((row) => row.status), await service.balance()], [[status.deleted], before]);
  } finally {
    erasures.start();
  }
});

test('a list that is being sent to passes over who is erased, and nobody else', async () => {
  const person = somebody('Tamarind');
  const others = [newPhone(), newPhone(), newPhone()];
  const { id: list } = await api.post<{ id: string }>('/contact-lists', { name: 'Later' });
  const phones = [others[0]!, person.phone, others[1]!, others[2]!];
  await api.post(`/contact-lists/${list}/contacts`, { contacts: phones.map((phone) => ({ phone })) });
  const at = new Date(service.appContext.clock.now() + 86_400_000).toISOString();
  await api.post('/sms', { source: 'Shop', message: 'All of you', lists: [list], at }, 202);
  await erase({ phone: person.phone });
  await persons.advance(90_000);
  for (const phone of others) {
    await waitFor(`${phone} has it`, async () => (await service.phone(phone)).length === 1);
  }
  assert.deepEqual(await service.phone(person.phone), []);
  const { count } = await api.get<{ count: number }>(`/contact-lists/${list}`).catch(() => ({ count: 3 }));
  assert.equal(count, 3);
});

test('concurrent and repeated requests have the same result', async () => {
  const person = somebody('Kumquat');
  await api.post('/sms', { source: 'Shop', message: 'Kumquat', phones: [person.phone] }, 202);
  const body = { phones: [person.phone], confirm: stored(person.phone) };
  const made = await Promise.all(
    [1, 2, 3].map(() => owner.post<Request>('/data-subjects/erasures', body, 202)),
  );
  for (const { id } of made) await until(id, 'rechecking');
  // Somebody writes in between: the second look finds it.
  await service.sendFromPhone(person.phone, persons.inbox, 'Kumquat again');
  await waitFor('the SMS', async () => {
    const [row] = await sql`SELECT 1 FROM incoming WHERE source = ${stored(person.phone)}`;
    return row !== undefined;
  });
  await persons.advance(16 * 60);
  for (const { id } of made) await until(id, 'done');
  assert.deepEqual(linesWith(await dump(sql), [person.phone.slice(1), 'Kumquat']), []);
  assert.deepEqual((await erase({ phone: person.phone })).counts, []);
});

test('a killed process leaves what the next one ends', async () => {
  const person = somebody('Vanilla');
  await api.post('/sms', { source: 'Shop', message: 'Vanilla', phones: [person.phone] }, 202);
  const { id } = await owner.post<Request>(
    '/data-subjects/erasures',
    { phones: [person.phone], confirm: person.phone },
    202,
  );
  await until(id, 'rechecking');
  // As a killed process leaves it: half done, leased, and what was done before is there again.
  await api.post('/sms', { source: 'Shop', message: 'Vanilla', phones: [person.phone] }, 202);
  await sql`
    UPDATE work SET lease_owner = 'killed', lease_until = ${Date.now() + 1_500}, due_at = 0
    WHERE account_id = ${demo.id} AND key = ${Number(id)}`;
  await until(id, 'done');
  assert.deepEqual(linesWith(await dump(sql), [person.phone.slice(1), 'Vanilla']), []);
});

test('only owners have access, each to their own account; subscribers are separate accounts', async () => {
  const shop = await service.addAccount({ username: 'shop-2' }, 100);
  const sub = await service.addAccount({ username: 'sub-2', parentId: demo.id }, 100);
  const subOwner = await asPerson(service, 'owner', sub.id);
  const shopOwner = await asPerson(service, 'owner', shop.id);
  const before = linesWith(await dump(sql), needlesOf(noa)).length;
  const body = { ...named(noa), confirm: noa.phone };
  for (const calls of [shopOwner, subOwner]) {
    const { counts, requests } = await calls.post<{ counts: unknown[]; requests: unknown[] }>(
      '/data-subjects/search',
      named(noa),
    );
    assert.deepEqual([counts, requests], [[], []]);
    const { id } = await calls.post<Request>('/data-subjects/erasures', body, 202);
    await waitFor('it is erased', async () => {
      const { state } = await calls.get<Request>(`/data-subjects/requests/${id}`);
      return state === 'rechecking';
    });
    await owner.get(`/data-subjects/requests/${id}`, 404);
  }
  assert.equal(linesWith(await dump(sql), needlesOf(noa)).length, before);
  for (const role of ['sender', 'viewer', 'agent'] as const) {
    const person = await asPerson(service, role, demo.id);
    assert.equal((await person.refused('POST', '/data-subjects/search', named(noa)))[2], 403);
    assert.equal((await person.refused('POST', '/data-subjects/erasures', body))[2], 403);
    assert.equal((await person.refused('GET', '/data-subjects/requests'))[2], 403);
  }
  assert.equal((await api.refused('POST', '/data-subjects/erasures', body))[2], 403);
});

test('what is no number, is not confirmed, or is the account’s own is refused, and nothing happens', async () => {
  const requests = async () => (await sql`SELECT FROM data_subject_requests`).length;
  const before = await requests();
  for (const [body, field] of [
    [{ phones: ['%'], confirm: '%' }, 'phones[0]'],
    [{ phones: ['9725000100__'], confirm: '9725000100__' }, 'phones[0]'],
    [{ emails: ['%@%'], confirm: 'x' }, 'emails[0]'],
    [{ emails: ['%@example.com'], confirm: noa.address }, 'confirm'],
    [{ chat_ids: ['*'], confirm: '*' }, 'chat_ids[0]'],
    [{ confirm: '' }, 'phones'],
    [{ phones: [noa.phone], confirm: newPhone() }, 'confirm'],
    [{ phones: [noa.phone], confirm: noa.phone.slice(0, -1) }, 'confirm'],
    [{ phones: Array.from({ length: 21 }, newPhone), confirm: noa.phone }, 'phones'],
  ] as const) {
    const [code, at, http] = await owner.refused('POST', '/data-subjects/erasures', body);
    assert.deepEqual(
      [code, at?.startsWith(field.split('[')[0]!), http],
      ['bad-field', true, 400],
      JSON.stringify(body),
    );
  }
  const own = { phones: [persons.inbox], confirm: persons.inbox };
  assert.equal((await owner.refused('POST', '/data-subjects/erasures', own))[0], 'not-now');
  const { own_uses: uses } = await search({ phone: persons.inbox });
  assert.deepEqual(uses, [{ identifier: persons.inbox, use: 'inbound-number' }]);
  assert.equal(await requests(), before);
});

test('archives of a person are deleted with an erasure, and after a week', async () => {
  const { id } = await owner.post<Request>('/data-subjects/exports', named(noa), 202);
  await until(id, 'done');
  await persons.advance(8 * 86_400);
  await persons.cleanUp();
  await owner.get(`/data-subjects/requests/${id}/archive`, 404);
  const [chunks] = await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM data_subject_chunks`;
  assert.equal(chunks!.n, 0);
});

test('an erasure whose request is missing in the database is repeated once from its record', async () => {
  const person = { phone: newPhone() };
  const { id } = await erase(person, 'case 8');
  const { appContext } = service;
  const requests = new SubjectRequests({
    ...appContext,
    budgets: budgetsFor(appContext),
    work: workFor(appContext),
  });
  const records = new ErasureRecords({ folder: erasuresFolderOf(appContext.config), ...appContext });
  const recorded = await records.requests();
  assert.deepEqual(await requests.missing(recorded), []);
  // As in a database that was restored from a backup of before.
  await sql`DELETE FROM data_subject_requests WHERE account_id = ${demo.id} AND id = ${Number(id)}`;
  const { id: list } = await api.post<{ id: string }>('/contact-lists', { name: 'Restored' });
  await api.post(`/contact-lists/${list}/contacts`, { contacts: [{ phone: person.phone }] });
  const lost = await requests.missing(recorded);
  assert.deepEqual(lost, [{ accountId: demo.id, id: Number(id) }]);
  const record = (await records.read(lost[0]!))!;
  assert.deepEqual(record.subject.phones, [stored(person.phone)]);
  assert.equal(await requests.repeat({ ...record, accountId: 1 }), false, 'an account that is not there');
  assert.equal(await requests.repeat(record), true);
  assert.equal(await requests.repeat(record), false);
  const again = await until(id, 'rechecking');
  assert.equal(again.reference, 'case 8');
  assert.deepEqual(countsOf(again.counts), { contacts: 1 });
  assert.deepEqual((await search(person)).counts, []);
});
