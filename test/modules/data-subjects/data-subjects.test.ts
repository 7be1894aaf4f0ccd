import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEALED } from '../../../server/database/sealed-text.ts';
import { runningLoops } from '../../../server/kit/loop.ts';
import { status } from '../../../server/kit/statuses.ts';
import { ErasureRecords, erasuresFolderOf } from '../../../server/modules/data-subjects/erasure-records.ts';
import { SubjectRequests } from '../../../server/modules/data-subjects/requests.ts';
import { textModes } from '../../../server/secrets/text-storage.ts';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { budgetsFor } from '../../support/budgets.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workFor } from '../../support/work.ts';
import { jpeg } from '../media/samples.ts';
import {
  dump,
  filesBelow,
  filesIn,
  linesWith,
  named,
  openDump,
  type Request,
  type Somebody,
  startPersons,
} from './support.ts';

/* What there is about one person over all channels: exported, and erased, without touching anybody else's. */

const persons = await startPersons();
const { service, sql, demo, owner, api, live, search, erase, until } = persons;

let people = 0;
/** The word has five letters or more: dumps have sealed texts in base64, in which four letters occur by chance. */
const somebody = (word: string): Somebody => ({
  phone: newPhone(),
  address: `${word.toLowerCase()}${++people}@example.com`,
  word,
});
const needlesOf = ({ phone, address, word }: Somebody) => [phone.slice(1), address, word];
const countsOf = (counts: readonly { kind: string; count: number }[]) =>
  Object.fromEntries(counts.map(({ kind, count }) => [kind, count]));

/** Erased persons with their messages, in every mode. */
const pseudonyms = new Set<string>();
let noa = somebody('');
const filesThere = () => filesBelow(service.appContext.config.MEDIA_DIR!).length;

/** What people said is removed, but for what was written beside the messages. */
const isKept = { plain: true, sealed: true, none: false };

for (const mode of textModes) {
  const [dana, neighbour] = [somebody(`Papaya${mode}`), somebody(`Quince${mode}`)];

  test(`texts ${mode}: an export has everything of a person over all channels, and nothing of a neighbour`, async () => {
    noa = neighbour;
    await persons.storeTexts(mode);
    const both = await persons.upload('both.jpg', jpeg(41_000 + mode.length));
    await live(dana, [both]);
    await live(noa, [both]);
    await api.post('/sms', { source: 'Shop', message: 'To both', phones: [dana.phone, noa.phone] }, 202);
    if (mode === 'none') await persons.runRetention();
    const found = countsOf((await search(dana)).counts);
    for (const kind of [
      'messages',
      'clicks',
      'incoming-sms',
      'incoming-chat',
      'incoming-mail',
      'conversations',
      'conversation-entries',
      'files',
      'contacts',
      'mailing-list-users',
      'chat-windows',
      'events',
    ]) {
      assert.ok(found[kind]! > 0, `${kind}: ${JSON.stringify(found)}`);
    }
    const { id } = await owner.post<Request>(
      '/data-subjects/exports',
      { ...named(dana), reference: 'r-1' },
      202,
    );
    const made = await until(id, 'done');
    assert.equal(made.reference, 'r-1');
    const answer = await owner.fetch('GET', `/data-subjects/requests/${id}/archive`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-disposition')!, /personal-data-\d+\.tar\.gz/);
    const files = await filesIn(Buffer.from(await answer.arrayBuffer()));
    const names = [...files.keys()];
    for (const kind of [
      'messages',
      'incoming-sms',
      'incoming-chat',
      'incoming-mail',
      'contacts',
      'conversation-entries',
    ])
      assert.ok(names.includes(`${kind}.json`) && names.includes(`${kind}.csv`), `${kind} in ${names}`);
    assert.equal(names.filter((name) => /^files\/\d+\.jpe?g$/.test(name)).length, 3, names.join());
    const text = [...files].map(([, bytes]) => bytes.toString('latin1')).join('\n');
    const { word } = dana;
    for (const said of [
      `Dear ${word}`,
      `${word} aloud`,
      `${word} by SMS`,
      `${word} by chat`,
      `${word} by mail`,
      `${word} reply`,
    ])
      assert.equal(text.includes(said), isKept[mode], said);
    assert.ok(text.includes(`${word} note`));
    const readable = [...files].filter(([name]) => !name.startsWith('files/'));
    const marks = [SEALED, JSON.stringify(SEALED).slice(1, -1)];
    const sealed = readable.filter(([, bytes]) => marks.some((mark) => bytes.includes(mark)));
    assert.deepEqual(
      sealed.map(([name]) => name),
      [],
    );
    for (const needle of needlesOf(noa)) assert.ok(!text.includes(needle), `${needle} of a neighbour`);
    const page = files.get('index.html')!.toString();
    assert.match(page, /Messages that were sent/);
    assert.match(page, /הודעות שנשלחו/);
    // Noted when all of it was sent.
    await waitFor('the entry of the download', async () => {
      const { entries } = await owner.get<{ entries: { action: string; object: { id: string } }[] }>(
        '/audit?kind=data-subject-requests',
      );
      return entries.some(({ action, object }) => action.endsWith('/archive') && object.id === id);
    });
  });

  test(`texts ${mode}: after an erasure the number, the address and the texts are nowhere; a neighbour has all of theirs`, async () => {
    const before = linesWith(await dump(sql), needlesOf(noa)).length;
    const openBefore = linesWith(await openDump(sql), needlesOf(noa)).length;
    const filesBefore = filesThere();
    assert.ok(linesWith(await openDump(sql), needlesOf(dana)).length > 10);
    const request = await erase(dana, `case 7 ${mode}`);
    const done = countsOf(request.counts);
    assert.ok(done.messages! >= 3 && done.files === 2 && done.exports === 1, JSON.stringify(done));
    assert.deepEqual(linesWith(await dump(sql), needlesOf(dana)), []);
    assert.deepEqual(linesWith(await openDump(sql), needlesOf(dana)), []);
    assert.equal(
      linesWith(await dump(sql), needlesOf(noa)).length,
      before,
      'nothing of theirs is there in plain that was not',
    );
    assert.equal(linesWith(await openDump(sql), needlesOf(noa)).length, openBefore);
    assert.equal(filesThere(), filesBefore - 2, 'the file that the neighbour got, too, is there');
    assert.deepEqual((await search(dana)).counts, []);
    const erased = linesWith(await openDump(sql), ['data_subject.erased']);
    assert.ok(erased.some((line) => line.includes(`case 7 ${mode}`)));
  });

  test(`texts ${mode}: what is left of erased messages can still be read, counted and listed`, async () => {
    const rows = await sql<{ id: number; channel: number }[]>`
    SELECT id, channel FROM messages WHERE account_id = ${demo.id} AND recipient LIKE 'erased-%' ORDER BY id`;
    assert.deepEqual([...new Set(rows.map(({ channel }) => channel))].sort(), [0, 1, 2, 3]);
    for (const { id } of rows) {
      await owner.get(`/messages/${id}`);
      await owner.get(`/messages/${id}/content`);
    }
    await owner.get('/messages?limit=50');
  });

  test(`texts ${mode}: what is left says nothing of whom it was, and a late answer or click of theirs brings nothing back`, async () => {
    const recipients = await sql<
      { recipient: string }[]
    >`SELECT recipient FROM messages WHERE recipient LIKE 'erased-%'`;
    const known = pseudonyms.size;
    for (const { recipient } of recipients) pseudonyms.add(recipient);
    assert.equal(pseudonyms.size, known + 2);
    const [left] = await sql<{ sealed: number; open: number }[]>`
    SELECT (SELECT count(*)::int FROM data_subject_requests WHERE sealed IS NOT NULL) AS sealed,
      (SELECT count(*)::int FROM conversations WHERE client LIKE 'erased-%') AS open`;
    assert.deepEqual(left, { sealed: 0, open: 0 });
    const texts = await service.phone(dana.phone);
    const link = texts.flatMap(({ text }) => /https?:\/\/\S+/.exec(text) ?? [])[0]!;
    await fetch(link, { redirect: 'manual' });
    const [mail] = await persons.mail.mailbox(dana.address);
    const answer = {
      from: dana.address,
      to: mail!.headers['reply-to']!,
      subject: 'Re',
      text: 'Papaya again',
    };
    await persons.transport.sendMail(answer).catch(() => {});
    assert.deepEqual(linesWith(await openDump(sql), needlesOf(dana)), []);
    assert.deepEqual(linesWith(await dump(sql), needlesOf(dana)), []);
  });
}

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
