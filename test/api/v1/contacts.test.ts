import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhones, stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { asPerson, type Calls, withToken } from './calls.ts';
import { contactListsOf, localPhone } from './support.ts';

interface List {
  readonly id: string;
  readonly name: string;
  readonly columns: string[];
  readonly count: number;
}
interface Contact {
  readonly phone: string;
  readonly fields: (string | null)[];
}
interface Preview {
  readonly separator: string;
  readonly named: boolean;
  readonly columns: { name: string | null; target: string | null }[];
  readonly too_many_columns: boolean;
  readonly rows: { line: number; fields: string[]; phone: string | null; problem: string | null }[];
}

const service = await startTestService();
const { url, sql } = service;
const calls = withToken(url, DEMO_TOKEN);
const { importFile, showList } = contactListsOf(service);

const newList = (body: object = { name: 'list' }) => calls.post<List>('/contact-lists', body);
const contactsOf = async (id: string, query = '', by: Calls = calls) =>
  (await by.get<{ contacts: Contact[] }>(`/contact-lists/${id}/contacts${query}`)).contacts;
const add = (id: string, contacts: object[]) => calls.post(`/contact-lists/${id}/contacts`, { contacts });

async function preview(id: string, file: string, query = '', status = 200): Promise<Preview> {
  const response = await calls.fetch('POST', `/contact-lists/${id}/preview${query}`, file, {
    'content-type': 'text/csv',
  });
  assert.equal(response.status, status);
  return (await response.json()) as Preview;
}

test('a list is created, renamed and removed', async () => {
  const made = await newList({ name: ' Customers ', columns: ['first name', '', 'town'] });
  assert.deepEqual([made.name, made.columns, made.count], ['Customers', ['first name', '', 'town'], 0]);
  const renamed = await calls.call<List>('PATCH', `/contact-lists/${made.id}`, { name: 'Friends' });
  assert.deepEqual([renamed.name, renamed.columns], ['Friends', made.columns]);
  const again = await calls.call<List>('PATCH', `/contact-lists/${made.id}`, { columns: ['name'] });
  assert.deepEqual([again.name, again.columns], ['Friends', ['name']]);
  assert.deepEqual(await calls.get(`/contact-lists/${made.id}`), again);
  assert.deepEqual(await calls.call('DELETE', `/contact-lists/${made.id}`), { done: true });
  assert.deepEqual(await calls.refused('DELETE', `/contact-lists/${made.id}`), [
    'unknown-list',
    undefined,
    404,
  ]);
});

test('contacts are added, looked at in pages, found by a part of their number, and taken out', async () => {
  const { id } = await newList();
  const [first, second, third] = newPhones(3) as [string, string, string];
  assert.deepEqual(
    await add(id, [
      { phone: first, fields: ['Dana', '', 'Haifa'] },
      { phone: stored(first), fields: ['twice'] },
      { phone: second, fields: [null, 'x'] },
      { phone: third },
    ]),
    { added: 3, present: 0 },
  );
  assert.deepEqual(await add(id, [{ phone: first, fields: ['other'] }]), { added: 0, present: 1 });
  const all = await contactsOf(id);
  assert.deepEqual(all, [
    { phone: first, fields: ['Dana', null, 'Haifa'] },
    { phone: second, fields: [null, 'x', null] },
    { phone: third, fields: [null, null, null] },
  ]);
  assert.deepEqual(await contactsOf(id, `?phone=${first.slice(0, 5)}`), all);
  assert.deepEqual(await contactsOf(id, `?phone=${second}`), [all[1]]);
  // The last digits are different in all three.
  assert.deepEqual(await contactsOf(id, `?phone=${third.slice(-5)}`), [all[2]]);
  assert.deepEqual(await contactsOf(id, '?phone=0599'), []);
  const found: Contact[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: { contacts: Contact[]; next: string | null } = await calls.get(
      `/contact-lists/${id}/contacts?limit=2&after=${next}`,
    );
    found.push(...page.contacts);
    next = page.next;
  }
  assert.deepEqual(found, all);
  assert.deepEqual(
    await calls.post(`/contact-lists/${id}/contacts/remove`, {
      phones: [first, stored(first), '0501110000'],
    }),
    { removed: 1, absent: 1 },
  );
  assert.equal((await showList(id)).count, 2);
});

test('the fields of a contact are replaced only on request', async () => {
  const { id } = await newList();
  const [one, two] = newPhones(2) as [string, string];
  await add(id, [{ phone: one, fields: ['Dana', 'Haifa'] }]);
  await add(id, [{ phone: one, fields: ['Other'] }]);
  assert.deepEqual(await contactsOf(id), [{ phone: one, fields: ['Dana', 'Haifa'] }]);
  const answer = await calls.post(`/contact-lists/${id}/contacts`, {
    contacts: [
      { phone: one, fields: ['Dana Levi', '', 'VIP'] },
      { phone: two, fields: ['Noa'] },
    ],
    replace: true,
  });
  assert.deepEqual(answer, { added: 1, present: 1 });
  const found = await Promise.all([one, two].map((phone) => contactsOf(id, `?phone=${phone}`)));
  assert.deepEqual(found.flat(), [
    { phone: one, fields: ['Dana Levi', null, 'VIP'] },
    { phone: two, fields: ['Noa', null, null] },
  ]);
  assert.equal((await calls.get<List>(`/contact-lists/${id}`)).count, 2);
});

test('a number is found in all lists that have it', async () => {
  const [phone, other] = newPhones(2) as [string, string];
  const [one, two, gone] = await Promise.all(['one', 'two', 'gone'].map((name) => newList({ name })));
  await add(one!.id, [{ phone, fields: ['Dana'] }]);
  await add(two!.id, [{ phone: other }]);
  await add(gone!.id, [{ phone }]);
  await add(two!.id, [{ phone }]);
  await calls.call('DELETE', `/contact-lists/${gone!.id}`);
  type Found = { lists: (List & { fields: (string | null)[] })[] };
  const { lists } = await calls.get<Found>(`/contacts?phone=${stored(phone)}`);
  assert.deepEqual(lists.map(({ name, count, fields }) => [name, count, fields]).toSorted(), [
    ['one', 1, ['Dana']],
    ['two', 2, []],
  ]);
  assert.deepEqual(await calls.get('/contacts?phone=0501119999'), { lists: [] });
});

test('what cannot be used is refused, and nothing is stored', async () => {
  const { id } = await newList();
  const path = `/contact-lists/${id}`;
  for (const [method, to, body, field] of [
    ['POST', '/contact-lists', {}, 'name'],
    ['POST', '/contact-lists', { name: 'x'.repeat(101) }, 'name'],
    ['POST', '/contact-lists', { name: 'x', columns: Array(7).fill('a') }, 'columns'],
    ['PATCH', path, { name: '' }, 'name'],
    ['POST', `${path}/contacts`, { contacts: [] }, 'contacts'],
    [
      'POST',
      `${path}/contacts`,
      { contacts: [{ phone: '0501234567' }, { phone: '12' }] },
      'contacts[1].phone',
    ],
    [
      'POST',
      `${path}/contacts`,
      { contacts: [{ phone: '0501234567', fields: Array(7).fill('a') }] },
      'contacts[0].fields',
    ],
    [
      'POST',
      `${path}/contacts`,
      { contacts: [{ phone: '0501234567', fields: ['x'.repeat(1_001)] }] },
      'contacts[0].fields[0]',
    ],
    ['POST', `${path}/contacts/remove`, { phones: ['12'] }, 'phones[0]'],
    ['GET', '/contacts', undefined, 'phone'],
    ['GET', '/contacts?phone=12', undefined, 'phone'],
    ['GET', `${path}/contacts?limit=501`, undefined, 'limit'],
    ['POST', `${path}/preview?columns=name`, 'x', 'columns'],
  ] as const) {
    assert.deepEqual(
      await calls.refused(method, to, body),
      ['bad-field', field, 400],
      `${to} ${JSON.stringify(body)}`,
    );
  }
  assert.equal((await showList(id)).count, 0);
});

test('a preview tells what an import would make of a file, and stores nothing', async () => {
  const { id } = await newList({ name: 'preview', columns: ['town'] });
  const file = `name;phone;town\nDana;${localPhone(1)};Haifa\nNoa;12;Eilat\n;;\n${'x;'.repeat(3)};\n`;
  const seen = await preview(id, file);
  assert.deepEqual(
    [seen.separator, seen.named, seen.too_many_columns, seen.columns],
    [
      ';',
      true,
      false,
      [
        { name: 'name', target: '2' },
        { name: 'phone', target: 'phone' },
        { name: 'town', target: '1' },
      ],
    ],
  );
  assert.deepEqual(
    seen.rows.map(({ line, phone, problem }) => [line, phone, problem]),
    [
      [2, localPhone(1), null],
      [3, null, 'phone: too short, too long or not a phone number'],
      [4, null, null],
      [5, null, 'phone: too short, too long or not a phone number'],
    ],
  );
  assert.deepEqual(seen.rows[0]!.fields, ['Dana', localPhone(1), 'Haifa']);
  assert.deepEqual((await showList(id)).columns, ['town']);
  const chosen = await preview(id, file, '?columns=1,phone');
  assert.deepEqual(
    chosen.columns.map(({ target }) => target),
    ['1', 'phone', null],
  );
  const bare = await preview(id, `${localPhone(1)},Dana\n`);
  assert.deepEqual(
    [bare.named, bare.rows.length, bare.columns[0]],
    [false, 1, { name: null, target: 'phone' }],
  );
});

test('a preview shows the beginning of a long file, also one with too many columns', async () => {
  const { id } = await newList();
  const rows = Array.from({ length: 5_000 }, (_, index) => `${localPhone(index)},${'x'.repeat(20)}`);
  const long = await preview(id, ['phone,text', ...rows].join('\n'));
  assert.equal(long.rows.length, 20);
  assert.ok(long.rows.every(({ phone }) => phone !== null));
  const wide = await preview(id, `a,b,c,phone,d,e,f,g,h\n1,2,3,${localPhone(1)},4,5,6,7,8\n`);
  assert.equal(wide.too_many_columns, true);
  assert.deepEqual(
    wide.columns.map(({ target }) => target),
    [null, null, null, 'phone', null, null, null, null, null],
  );
  assert.equal(wide.rows[0]!.phone, localPhone(1));
  await preview(id, 'x'.repeat(300 * 1024), '', 413);
  await preview('1', 'phone\n', '', 404);
});

test('an import takes the columns that the caller chose, under their names', async () => {
  const { id } = await newList({ name: 'mapped', columns: ['', 'town'] });
  const file = `a,b,tel,c,d,e,f,g\n1,2,${localPhone(7)},3,4,5,6,7\n`;
  assert.equal((await calls.fetch('POST', `/contact-lists/${id}/import`, file)).status, 400);
  const job = await importFile(id, file, '?columns=2,,phone,1,,,,6');
  assert.deepEqual([job.state, job.added, job.refused], ['done', 1, 0]);
  assert.deepEqual((await showList(id)).columns, ['c', 'town', '', '', '', 'g']);
  assert.deepEqual(await contactsOf(id), [
    { phone: localPhone(7), fields: ['3', '1', null, null, null, '7'] },
  ]);
  for (const columns of ['1,2', 'phone,phone', 'phone,1,1', 'phone,1,2,3,4,5,6,,,', 'phone,7', 'tel']) {
    const response = await calls.fetch('POST', `/contact-lists/${id}/import?columns=${columns}`, file);
    const { error } = (await response.json()) as { error: { code: string; field: string } };
    assert.deepEqual([response.status, error.code, error.field], [400, 'bad-field', 'columns'], columns);
  }
});

test("another account's lists are not there, and viewers change nothing", async () => {
  const [phone] = newPhones(1);
  const { id } = await newList();
  await add(id, [{ phone }]);
  const stranger = withToken(url, (await service.addAccount({ username: 'stranger' })).token);
  assert.deepEqual(await stranger.get(`/contacts?phone=${phone}`), { lists: [] });
  for (const [method, path, body] of [
    ['GET', `/contact-lists/${id}/contacts`],
    ['PATCH', `/contact-lists/${id}`, { name: 'mine' }],
    ['DELETE', `/contact-lists/${id}`],
    ['POST', `/contact-lists/${id}/contacts`, { contacts: [{ phone: '0501234567' }] }],
    ['POST', `/contact-lists/${id}/contacts/remove`, { phones: [phone] }],
    ['POST', `/contact-lists/${id}/preview`, 'phone\n'],
  ] as const) {
    assert.deepEqual(await stranger.refused(method, path, body), ['unknown-list', undefined, 404], path);
  }
  const viewer = await asPerson(service, 'viewer', service.demo.id);
  assert.equal((await contactsOf(id, '', viewer)).length, 1);
  for (const [method, path] of [
    ['PATCH', `/contact-lists/${id}`],
    ['DELETE', `/contact-lists/${id}`],
    ['POST', `/contact-lists/${id}/contacts`],
  ] as const) {
    assert.deepEqual(await viewer.refused(method, path), ['not-allowed', undefined, 403]);
  }
  const [row] = await sql`SELECT name, count FROM contact_lists WHERE id = ${Number(id)}`;
  assert.deepEqual({ ...row }, { name: 'list', count: 1 });
});
