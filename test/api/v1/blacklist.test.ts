import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhones, stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson, type Calls, withToken } from './calls.ts';
import { type Job, localPhone, storedPhone } from './support.ts';

interface Page {
  readonly numbers: { phone: string; since: string }[];
  readonly next: string | null;
}

const service = await startTestService();
const { url, sql } = service;

const phonesOf = async (calls: Calls, query = '') =>
  (await calls.get<Page>(`/blacklist${query}`)).numbers.map(({ phone }) => phone);

async function importFile(calls: Calls, file: string, query = ''): Promise<Job> {
  const response = await calls.fetch('POST', `/blacklist/import${query}`, file, {
    'content-type': 'text/csv',
  });
  assert.equal(response.status, 202);
  const { id } = (await response.json()) as Job;
  return waitFor('the end of the import', async () => {
    const job = await calls.get<Job>(`/imports/${id}`);
    return job.finished_at !== null && job;
  });
}

test('numbers are put on it, found by a part of them, and taken off with a reason', async () => {
  const account = await service.addAccount({ username: 'listing' });
  const calls = withToken(url, account.token);
  const [first, second] = newPhones(2) as [string, string];
  const foreign = '4915112345678';
  const added = await calls.post('/blacklist', {
    phones: [first, stored(first), second, `+${foreign}`, '12'],
  });
  assert.deepEqual(added, {
    added: 3,
    present: 0,
    errors: ['phones[4]: too short, too long or not a phone number'],
  });
  assert.deepEqual(await calls.post('/blacklist', { phones: [first] }), { added: 0, present: 1, errors: [] });
  assert.deepEqual(await phonesOf(calls), [foreign, first, second]);
  for (const [typed, ...expected] of [
    [first, first],
    [stored(first), first],
    [`%2B${stored(first)}`, first],
    [first.slice(0, 4), first, second],
    [stored(first).slice(0, 6), first, second],
    ['4915', foreign],
    ['004915', foreign],
    ['12345678', foreign],
    [second.slice(-6), second],
    ['0599'],
  ]) {
    assert.deepEqual(await phonesOf(calls, `?phone=${typed}`), expected, typed);
  }
  const removed = await calls.post('/blacklist/remove', {
    phones: [first, '0501112223'],
    reason: 'asked for it',
  });
  assert.deepEqual(removed, { removed: 1, absent: 1, errors: [] });
  assert.deepEqual(await phonesOf(calls), [foreign, second]);
  const [kept] = await sql`SELECT phones, reason FROM blacklist_removals WHERE account_id = ${account.id}`;
  assert.deepEqual({ ...kept }, { phones: [stored(first)], reason: 'asked for it' });

  const all: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Page = await calls.get(`/blacklist?limit=1&after=${next}`);
    all.push(...page.numbers.map(({ phone }) => phone));
    next = page.next;
  }
  assert.deepEqual(all, [foreign, second]);
});

test('a message to a number on it is not sent', async () => {
  const account = await service.addAccount({ username: 'blocking' });
  const calls = withToken(url, account.token);
  const [phone] = newPhones(1);
  await calls.post('/blacklist', { phones: [phone] });
  const answer = await service.call(
    'json',
    'sms',
    { user: { username: 'blocking' }, source: 'Shop', destinations: { phone }, message: 'hello' },
    { token: account.token },
  );
  assert.notEqual(answer.status, 0);
  assert.equal(await service.balance(account.id), 1_000);
});

test('a file is imported, bad rows and other columns left out, and exported', async () => {
  const account = await service.addAccount({ username: 'importing' });
  const calls = withToken(url, account.token);
  const rows = Array.from(
    { length: 3_000 },
    (_, index) => `name ${index};${localPhone(index)};x;x;x;x;x;x;x`,
  );
  const file = ['name;phone;1;2;3;4;5;6;7', ...rows, 'bad;12;', `again;${localPhone(0)}`].join('\n');
  const job = await importFile(calls, file);
  assert.deepEqual(
    [job.list_id, job.state, job.rows, job.added, job.present, job.refused],
    [null, 'done', 3_002, 3_000, 1, 1],
  );
  assert.deepEqual(job.refused_rows, [
    { line: 3_002, reason: 'phone: too short, too long or not a phone number' },
  ]);
  assert.equal((await importFile(calls, `x,${localPhone(3_000)}\n`, '?header=no')).added, 1);
  const [count] = await sql`SELECT count(*)::int AS count FROM blacklist WHERE account_id = ${account.id}`;
  assert.equal(count!.count, 3_001);

  const response = await calls.fetch('GET', '/blacklist/export');
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  const lines = Buffer.from(await response.arrayBuffer())
    .toString()
    .trimEnd()
    .split('\r\n');
  assert.equal(lines[0], '\ufeffphone,since');
  assert.equal(lines.length, 3_002);
  assert.equal(lines[1]!.split(',')[0], localPhone(0));
  const other = await service.addAccount({ username: 'exported' });
  assert.equal((await importFile(withToken(url, other.token), lines.join('\r\n'))).added, 3_001);
});

test('an import is an event for each number that is new', async () => {
  const account = await service.addAccount({ username: 'telling' });
  const calls = withToken(url, account.token);
  await calls.post('/webhooks', { url: 'http://127.0.0.1:9/', types: ['blacklist.added'] });
  await calls.post('/blacklist', { phones: [localPhone(1)] });
  await importFile(calls, `${localPhone(1)}\n${localPhone(2)}\n`);
  const events = await sql<{ events: string }[]>`
    SELECT events FROM event_batches WHERE account_id = ${account.id} ORDER BY id`;
  const phones = events.flatMap((row) => JSON.parse(row.events)).map(({ data }) => data.phone);
  assert.deepEqual(phones, [storedPhone(1), storedPhone(2)]);
});

test('what cannot be used is refused', async () => {
  const calls = withToken(url, DEMO_TOKEN);
  for (const [path, body, code, field] of [
    ['/blacklist', {}, 'bad-field', 'phones'],
    ['/blacklist', { phones: [] }, 'bad-field', 'phones'],
    ['/blacklist', { phones: ['12'] }, 'bad-blacklist-entry', 'phones[0]'],
    ['/blacklist/remove', { phones: ['0501234567'] }, 'bad-field', 'reason'],
    ['/blacklist/remove', { phones: ['0501234567'], reason: ' ' }, 'bad-field', 'reason'],
  ] as const) {
    assert.deepEqual(await calls.refused('POST', path, body), [code, field, 400], JSON.stringify(body));
  }
  for (const query of ['?limit=0', '?after=x']) {
    assert.equal((await calls.refused('GET', `/blacklist${query}`))[0], 'bad-field');
  }
  const utf16 = await fetch(`${url}/v1/blacklist/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    body: Buffer.from('\ufeffphone\n', 'utf16le'),
  });
  assert.equal(utf16.status, 400);
  // The list with the id 0 is no way to it.
  const asList = await calls.fetch('POST', '/contact-lists/0/import', '0501234567\n');
  assert.equal(asList.status, 404);
});

test("another account's numbers are not there, and viewers change nothing", async () => {
  const account = await service.addAccount({ username: 'mine' });
  const stranger = await service.addAccount({ username: 'stranger' });
  const [phone] = newPhones(1);
  await withToken(url, account.token).post('/blacklist', { phones: [phone] });
  const other = withToken(url, stranger.token);
  assert.deepEqual(await phonesOf(other), []);
  assert.deepEqual(await other.post('/blacklist/remove', { phones: [phone], reason: 'x' }), {
    removed: 0,
    absent: 1,
    errors: [],
  });
  const viewer = await asPerson(service, 'viewer', account.id);
  assert.deepEqual(await phonesOf(viewer), [phone]);
  for (const path of ['/blacklist', '/blacklist/remove', '/blacklist/import']) {
    assert.deepEqual(await viewer.refused('POST', path, {}), ['not-allowed', undefined, 403]);
  }
});
