import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v1At } from '../../channels/mail/campaign-support.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { contactListsOf, ended, type Job, json, v1 } from './support.ts';

/* Contacts and users of mailing lists as one list of people, and one file for both. */

const service = await startTestService();
const call = v1At(service.url);
const api = v1(service.url, DEMO_TOKEN);
const { newList } = contactListsOf(service);

interface Recipient {
  readonly phone: string | null;
  readonly addresses: readonly string[];
  readonly name: string;
  readonly fields: readonly string[];
  readonly contact_lists: readonly { id: string; name: string }[];
  readonly mailing_lists: readonly { id: string; name: string }[];
  readonly blocked: boolean;
}

interface Page {
  readonly recipients: readonly Recipient[];
  readonly next: string | null;
}

const list = (query = '') => json<Page>(api.get(`/recipients${query}`));
const found = async (search: string) =>
  (await list(`?search=${encodeURIComponent(search)}`)).recipients.map(
    ({ phone, addresses }) => phone ?? addresses[0],
  );

async function newMailList(name: string, users: readonly object[]): Promise<string> {
  const { body } = await call('POST', 'mail/lists', { name });
  const { status } = await call('POST', `mail/lists/${body.id}/users`, { users });
  assert.equal(status, 200);
  return String(body.id);
}

const shop = await newList(
  { phone: '0521239777', df1: 'Noa', df2: 'noa.private@example.com' },
  { phone: '0521239778', df1: 'Ben' },
);
const club = await newList({ phone: '+972521239777', df1: 'Noa Levi' });
const news = await newMailList('News', [
  { email: 'Noa@Example.com', first_name: 'Noa', last_name: 'Levi', cellphone: '052-123-9777' },
  { email: 'abroad@example.com', first_name: 'Ann', cellphone: '+44 20 7946 0958' },
  // The last digits of Ben's number, and another number.
  { email: 'other@example.com', cellphone: '0541239778' },
]);

test('a person of contact lists and mailing lists is shown once, with everything that the lists have', async () => {
  await json(
    api.post('/blacklist', JSON.stringify({ phones: ['0521239778'] }), {
      'content-type': 'application/json',
    }),
  );
  const { recipients, next } = await list();
  assert.equal(next, null);
  assert.deepEqual(recipients, [
    {
      phone: '0521239777',
      addresses: ['Noa@Example.com', 'noa.private@example.com'],
      name: 'Noa Levi',
      fields: ['Noa'],
      contact_lists: [
        { id: shop, name: 'list' },
        { id: club, name: 'list' },
      ],
      mailing_lists: [{ id: news, name: 'News' }],
      blocked: false,
    },
    {
      phone: '0521239778',
      addresses: [],
      name: '',
      fields: ['Ben'],
      contact_lists: [{ id: shop, name: 'list' }],
      mailing_lists: [],
      blocked: true,
    },
    {
      phone: '442079460958',
      addresses: ['abroad@example.com'],
      name: 'Ann',
      fields: [],
      contact_lists: [],
      mailing_lists: [{ id: news, name: 'News' }],
      blocked: false,
    },
    {
      phone: '0541239778',
      addresses: ['other@example.com'],
      name: '',
      fields: [],
      contact_lists: [],
      mailing_lists: [{ id: news, name: 'News' }],
      blocked: false,
    },
  ]);
});

test('people are found by digits, addresses, names and fields, also when only one of their lists matches', async () => {
  assert.deepEqual(await found('9777'), ['0521239777']);
  assert.deepEqual(await found('+972 52-123-9777'), ['0521239777']);
  assert.deepEqual(await found('052'), ['0521239777', '0521239778']);
  assert.deepEqual(await found('9778'), ['0521239778', '0541239778']);
  assert.deepEqual(await found('79460'), ['442079460958']);
  assert.deepEqual(await found('noa@EXAMPLE'), ['0521239777']);
  assert.deepEqual(await found('levi'), ['0521239777']);
  assert.deepEqual(await found('ben'), ['0521239778']);
  assert.deepEqual(await found('@example.com'), ['0521239777', '442079460958', '0541239778']);
  assert.deepEqual(await found('nobody'), []);
});

test('pages contain each person once, in one order, whatever their length', async () => {
  const all = (await list()).recipients;
  for (const limit of [1, 2, 3]) {
    const read: Recipient[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: Page = await list(`?limit=${limit}&after=${encodeURIComponent(next)}`);
      assert.ok(page.recipients.length <= limit);
      read.push(...page.recipients);
      next = page.next;
    }
    assert.deepEqual(read, all, `pages of ${limit}`);
  }
  const { error } = await json<{ error: { field: string } }>(api.get('/recipients?after=17'), 400);
  assert.equal(error.field, 'after');
});

test('removed lists and deleted users are not shown, and another account sees nobody', async () => {
  const gone = await newList({ phone: '0521239779' });
  await newMailList('Old', [{ email: 'gone@example.com' }]);
  const { users } = await json<{ users: { id: string }[] }>(api.get('/mail/users?email=gone@example.com'));
  await call('POST', `mail/users/${users[0]!.id}/status`, { status: 'deleted' });
  assert.equal((await call('DELETE', `contact-lists/${gone}`)).status, 200);
  assert.equal((await list()).recipients.length, 4);
  const { token } = await service.addAccount({ username: 'stranger' });
  assert.deepEqual(await json(v1(service.url, token).get('/recipients')), { recipients: [], next: null });
});

interface Preview {
  readonly named: boolean;
  readonly columns: readonly { name: string | null; target: string; left_out: boolean }[];
  readonly contact_columns: string | null;
  readonly mail_columns: string | null;
  readonly rows: readonly Record<string, unknown>[];
}

const preview = (file: string, query = '') => json<Preview>(api.post(`/recipients/preview${query}`, file));

test('a preview says what a file becomes in both lists, and both imports do just that', async () => {
  const file = [
    'name,mobile,e-mail,first name,town',
    'x,0521239777,noa@example.com,Noa,Haifa',
    'y,0521239790,not an address,Gil,Jaffa',
    'z,none,zoe@example.com,Zoe,Eilat',
  ].join('\n');
  const read = await preview(file, `?contact_list=${shop}&mailing_list=${news}`);
  assert.deepEqual(
    read.columns.map(({ target }) => target),
    ['field:name', 'phone', 'email', 'first_name', 'field:town'],
  );
  assert.deepEqual(
    read.rows.map((row) => [row.line, row.phone, row.in_contact_list, row.address, row.in_mailing_list]),
    [
      [2, '0521239777', true, 'noa@example.com', true],
      [3, '0521239790', false, null, false],
      [4, null, false, 'zoe@example.com', false],
    ],
  );
  assert.equal(read.rows[1]!.address_problem, 'e-mail: not an address');
  assert.equal(read.rows[2]!.phone_problem, 'phone: too short, too long or not a phone number');

  const start = async (path: string, columns: string | null) => {
    const query = `header=yes&existing=update&columns=${encodeURIComponent(columns!)}`;
    const { id } = await json<Job>(api.post(`${path}/import?${query}`, file), 202);
    const { added, present, refused } = await ended(api, `/imports/${id}`);
    return { added, present, refused };
  };
  const once = { added: 1, present: 1, refused: 1 };
  assert.deepEqual(await start(`/contact-lists/${shop}`, read.contact_columns), once);
  assert.deepEqual(await start(`/mail/lists/${news}`, read.mail_columns), once);
  const gil = (await list('?search=0521239790')).recipients[0]!;
  assert.deepEqual(gil.fields, ['y', 'Gil', 'Jaffa']);
  const zoe = (await list('?search=zoe@')).recipients[0]!;
  assert.deepEqual([zoe.name, zoe.phone], ['Zoe', null]);
});

test('a contact has six fields: further columns are named, and fields of the list keep their places', async () => {
  const file = 'phone,a,b,c,d,e,f,g\n0521239791,1,2,3,4,5,6,7\n';
  const read = await preview(file);
  assert.equal(read.contact_columns, 'phone,1,2,3,4,5,6,');
  assert.deepEqual(
    read.columns.map((column) => column.left_out),
    [false, false, false, false, false, false, false, true],
  );
  const { body } = await call('POST', 'contact-lists', { name: 'fields', columns: ['b', '', 'a'] });
  assert.equal((await preview(file, `?contact_list=${body.id}`)).contact_columns, 'phone,3,1,2,4,5,6,');
});

test('a file of very many columns is read as far as an import reads it', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `column ${index}`);
  const read = await preview(`phone,${names.join()}\n0521239794,${names.join()}\n`);
  assert.equal(read.columns.length, 200);
  assert.equal(read.rows[0]!.phone, '0521239794');
  assert.equal((read.rows[0]!.cells as string[]).length, 200);
});

test('columns can be chosen, and a file without names is read by its values', async () => {
  const unnamed = await preview('Dana;dana@example.com;0521239792\n');
  assert.equal(unnamed.named, false);
  assert.deepEqual(
    unnamed.columns.map(({ name, target }) => [name, target]),
    [
      [null, ''],
      [null, 'email'],
      [null, 'phone'],
    ],
  );
  const chosen = await preview('Dana;dana@example.com;0521239792\n', '?columns=field:nick,,phone');
  assert.deepEqual([chosen.contact_columns, chosen.mail_columns], ['1,,phone', null]);
  for (const [query, field] of [
    ['?columns=phone,phone', 'columns'],
    ['?columns=number', 'columns'],
    ['?contact_list=x', 'contact_list'],
  ]) {
    const { error } = await json<{ error: { field: string } }>(
      api.post(`/recipients/preview${query}`, 'a,b\n'),
      400,
    );
    assert.equal(error.field, field);
  }
  // A list that has been deleted: its import refuses the file.
  assert.equal(
    (await preview('phone\n0521239793\n', '?contact_list=17&mailing_list=17')).contact_columns,
    'phone',
  );
});
