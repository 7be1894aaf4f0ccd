import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailAt, newAddress, v1At } from '../../channels/mail/campaign-support.ts';
import { covers } from '../../conformance/covers.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { asPerson } from './calls.ts';
import { ended, type Job, json, refusedLines, v1 } from './support.ts';

const service = await startTestService();
const call = v1At(service.url);
const api = v1(service.url, DEMO_TOKEN);
const mail = mailAt(call);
const BOM = '\ufeff';

interface ShownUser {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly cellphone: string;
  readonly fields: Record<string, string>;
  readonly status: string;
  readonly status_by: string;
  readonly status_at: string | null;
  readonly waiting: boolean;
}

interface Users {
  readonly users: readonly ShownUser[];
  readonly next: string | null;
}

const usersOf = (list: string, query = '') => json<Users>(api.get(`/mail/lists/${list}/users${query}`));
const showList = (list: string) =>
  json<{ users: number; active: number; columns: string[] }>(api.get(`/mail/lists/${list}`));

async function importFile(list: string, file: string | Uint8Array, query = ''): Promise<Job> {
  const { id } = await json<Job>(api.post(`/mail/lists/${list}/import${query}`, file), 202);
  return ended(api, `/imports/${id}`);
}

async function refused(
  method: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
): Promise<string> {
  const answer = await call(method, path, body);
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code], JSON.stringify(answer.body));
  return answer.body.error!.message;
}

test(
  'a list is created, changed, shown among the others, and removed',
  covers('mailingLists.lists'),
  async () => {
    const made = (await call('POST', 'mail/lists', { name: ' News ', confirm: true, track: false })).body;
    assert.deepEqual(
      [made.name, made.description, made.confirm, made.track, made.users, made.active],
      ['News', '', true, false, 0, 0],
    );
    const other = await mail.list([]);
    const changed = (await call('PATCH', `mail/lists/${made.id}`, { description: 'a\nb', confirm: false }))
      .body;
    assert.deepEqual([changed.name, changed.description, changed.confirm], ['News', 'a\nb', false]);
    const { lists } = (await call('GET', `mail/lists?after=${Number(made.id) - 1}&limit=2`)).body;
    assert.deepEqual(
      (lists as { id: string }[]).map(({ id }) => id),
      [made.id, other],
    );
    assert.deepEqual((await call('DELETE', `mail/lists/${made.id}`)).body, { done: true });
    await refused('GET', `mail/lists/${made.id}`, undefined, 404, 'unknown-list');
    await refused('DELETE', `mail/lists/${made.id}`, undefined, 404, 'unknown-list');
    await refused('PATCH', `mail/lists/${other}`, { name: 'a\r\nBcc: x@example.com' }, 400, 'bad-field');
    await refused('POST', 'mail/lists', { name: '' }, 400, 'bad-field');
  },
);

test(
  'users come in pages, by kind, and by a part of their address',
  covers('mailingLists.deletion, undelete', 'mailingLists.lists'),
  async () => {
    const list = await mail.list([
      { email: 'anna@search.example' },
      { email: 'Anna.B@search.example' },
      { email: 'אנה@search.example' },
      { email: 'anton@search.example' },
      { email: 'an_a@search.example' },
    ]);
    const addresses = async (query: string) =>
      (await usersOf(list, query)).users.map(({ email }) => email).sort();
    assert.deepEqual(await addresses('?search=ANNA'), ['Anna.B@search.example', 'anna@search.example']);
    assert.deepEqual(await addresses(`?search=${encodeURIComponent('אנה')}`), ['אנה@search.example']);
    assert.deepEqual(await addresses('?search=a.b@'), ['Anna.B@search.example']);
    assert.deepEqual(await addresses('?search=an_'), ['an_a@search.example']);
    assert.deepEqual(await addresses('?search=an%25'), []);
    assert.deepEqual(await addresses('?search=nobody'), []);

    const first = await usersOf(list, '?search=an&limit=2');
    const second = await usersOf(list, `?search=an&limit=2&after=${first.next}`);
    assert.deepEqual(
      [...first.users, ...second.users].map(({ email }) => email).sort(),
      await addresses('?search=an'),
    );
    assert.equal(second.next, null);

    assert.equal(new Set(await addresses('?search=an')).size, 4);

    const { id } = (await usersOf(list, '?search=anna@')).users[0]!;
    const deleted = (await call('POST', `mail/users/${id}/status`, { status: 'deleted' })).body;
    assert.deepEqual([deleted.status, deleted.status_by], ['deleted', 'account']);
    assert.deepEqual(await addresses('?kind=deleted'), ['anna@search.example']);
    assert.deepEqual(await addresses('?kind=active&search=anna'), ['Anna.B@search.example']);
    assert.equal((await showList(list)).active, 4);
    const back = (await call('POST', `mail/users/${id}/status`, { status: 'active' })).body;
    assert.equal(back.status, 'active');
    assert.deepEqual([(await showList(list)).users, (await showList(list)).active], [5, 5]);

    await refused('GET', `mail/lists/${list}/users?kind=gone`, undefined, 400, 'bad-field');
    await refused('GET', `mail/lists/${list}/users?after=x`, undefined, 400, 'bad-field');
    await refused('POST', 'mail/users/99999999/status', { status: 'active' }, 404, 'not-found');
    await refused('POST', `mail/users/${id}/status`, { status: 'bounced' }, 400, 'bad-field');
  },
);

test(
  'a user is found by their address, with their lists; those of another account are not there',
  covers('mailingLists.lists'),
  async () => {
    const address = newAddress('Known');
    const [one, two] = [await mail.list([{ email: address }]), await mail.list([{ email: address }])];
    const { users } = (await call('GET', `mail/users?email=${address.toUpperCase()}`)).body;
    const [user] = users as [ShownUser & { lists: { id: string }[] }];
    assert.deepEqual([user.email, user.lists.map(({ id }) => id)], [address, [one, two]]);
    assert.deepEqual((await call('GET', 'mail/users?email=nobody@example.com')).body.users, []);
    assert.equal((await call('GET', `mail/users/${user.id}`)).body.email, address);

    const other = v1At(service.url, (await service.addAccount({ username: 'neighbour' })).token);
    assert.equal((await other('GET', `mail/users/${user.id}`)).status, 404);
    assert.equal((await other('GET', `mail/lists/${one}/users`)).status, 404);
    assert.equal((await other('POST', `mail/lists/${one}/empty`)).status, 404);
    assert.equal((await other('POST', `mail/users/${user.id}/status`, { status: 'deleted' })).status, 404);
    assert.deepEqual((await other('GET', `mail/users?email=${address}`)).body.users, []);
    assert.deepEqual((await call('POST', `mail/lists/${one}/empty`)).body, { done: true });
    assert.deepEqual([(await showList(one)).users, (await showList(two)).users], [0, 1]);
  },
);

test('users that cannot be added are refused with their place, and nobody is added', async () => {
  const list = await mail.list([]);
  const wrong: [user: object, message: RegExp][] = [
    [{ email: 'x' }, /users\[1\]\.email: not an e-mail address/],
    [{}, /users\[1\]\.email/],
    [{ email: 'x@example.com', first_name: 'a\nb' }, /must be one line/],
    [{ email: 'x@example.com', fields: { 'a\r\nb': 'x' } }, /one line|key/i],
    [{ email: 'x@example.com', fields: { a: 7 } }, /must be a text/],
  ];
  for (const [user, message] of wrong) {
    const users = [{ email: newAddress() }, user];
    assert.match(await refused('POST', `mail/lists/${list}/users`, { users }, 400, 'bad-field'), message);
  }
  assert.equal((await showList(list)).users, 0);
});

test(
  'a file with names of columns: users, fields, refused rows with their lines, progress',
  covers('mailingLists.import'),
  async () => {
    const known = newAddress('known');
    const list = await mail.list([{ email: known, first_name: 'Dana', fields: { City: 'Haifa' } }]);
    const [fresh, other] = [newAddress('fresh'), newAddress('other')];
    const done = await importFile(
      list,
      [
        `${BOM}First name;E-mail;City;Points`,
        `Noa;${fresh};Tel Aviv;7`,
        `;${known.toUpperCase()};Acre;`,
        ';no address;x;',
        `Omer;${other};"a\nb";1`,
        '',
        `Omer;${other};Eilat;1;more`,
        'x;;y;',
      ].join('\r\n'),
    );
    assert.deepEqual(
      [done.state, done.rows, done.added, done.present, done.refused, done.bytes_done],
      ['done', 6, 1, 1, 4, done.bytes],
      JSON.stringify(done),
    );
    assert.deepEqual(await refusedLines(api, done.id), [4, 5, 8, 9]);
    const { users } = await usersOf(list);
    assert.deepEqual(
      users.map(({ email, first_name, fields }) => [email, first_name, fields]),
      [
        [known, 'Dana', { City: 'Acre' }],
        [fresh, 'Noa', { City: 'Tel Aviv', Points: '7' }],
      ],
    );
    assert.deepEqual((await showList(list)).columns, ['City', 'Points']);
  },
);

test('an import updates existing users, or keeps them, as the caller chooses', async () => {
  for (const [query, expected] of [
    ['', ['Noa', { City: 'Acre', Points: '2' }]],
    ['?existing=update', ['Noa', { City: 'Acre', Points: '2' }]],
    ['?existing=keep', ['Dana', { City: 'Haifa' }]],
  ] as const) {
    const known = newAddress('known');
    await mail.list([{ email: known, first_name: 'Dana', fields: { City: 'Haifa' } }]);
    const list = await mail.list([]);
    const rows = ['email,first name,City,Points', `${known},Noa,,1`, `${known},,Acre,2`];
    const done = await importFile(list, rows.join('\n'), query);
    assert.deepEqual([done.rows, done.added], [2, 1], query);
    const { users } = await usersOf(list);
    assert.deepEqual(
      users.map(({ first_name, fields }) => [first_name, fields]),
      [expected],
      query,
    );
  }
  const fresh = newAddress('fresh');
  const list = await mail.list([]);
  const rows = ['email,first name', `${fresh},Noa`, `${fresh},Omer`].join('\n');
  await importFile(list, rows, '?existing=keep');
  assert.equal((await usersOf(list)).users[0]!.first_name, 'Noa');
  const wrong = await api.post(`/mail/lists/${list}/import?existing=drop`, rows);
  const { error } = await json<{ error: { code: string; message: string } }>(wrong, 400);
  assert.deepEqual([error.code, error.message], ['bad-field', 'existing: must be keep or update']);
});

test('the caller may say what the columns are', covers('mailingLists.import'), async () => {
  const list = await mail.list([]);
  const [one, two] = [newAddress(), newAddress()];
  const columns = `columns=${encodeURIComponent('last_name,,email,field:Town')}`;
  const done = await importFile(list, `Cohen,x,${one},Haifa,y\nLevi,,${two},,\n`, `?header=no&${columns}`);
  assert.deepEqual([done.added, done.refused], [2, 0]);
  const { users } = await usersOf(list);
  assert.deepEqual(
    users.map(({ email, first_name, last_name, fields }) => [email, first_name, last_name, fields]),
    [
      [one, '', 'Cohen', { Town: 'Haifa' }],
      [two, '', 'Levi', {}],
    ],
  );
  const jobs = async () => (await service.sql`SELECT count(*)::int AS count FROM csv_jobs`)[0]!.count;
  const before = await jobs();
  for (const [wrong, message] of [
    ['first_name,last_name', /one of them must be email/],
    ['field:a,field:a,email', /the file has 2 columns, not 3/],
    ['email,email', /two of them are the same/],
    ['email,,,', /the file has 2 columns, not 4/],
    ['email,phone', /must be like/],
    ['email,field:', /must be like/],
  ] as const) {
    const answer = await api.post(
      `/mail/lists/${list}/import?columns=${encodeURIComponent(wrong)}`,
      'a@example.com,b\n',
    );
    const { error } = await json<{ error: { code: string; message: string } }>(answer, 400);
    assert.equal(error.code, 'bad-field');
    assert.match(error.message, message);
  }
  assert.equal(await jobs(), before, 'nothing is left of them');
});

test('a file that is invalid, or for an unknown list', covers('mailingLists.import'), async () => {
  const list = await mail.list([]);
  for (const file of [Buffer.from([0xff, 0xfe, 0x61, 0]), 'a,b,c,d,e\nx@example.com\n', '"'.repeat(20)]) {
    const answer = await api.post(`/mail/lists/${list}/import?header=no`, file);
    assert.ok([202, 400].includes(answer.status));
    if (answer.status === 202) {
      const { id } = (await answer.json()) as Job;
      assert.equal((await ended(api, `/imports/${id}`)).added, 0);
    }
  }
  assert.equal((await api.post('/mail/lists/999999/import', 'x@example.com\n')).status, 404);
  assert.equal((await showList(list)).users, 0);
});

test(
  'a list as a file, streamed and in the background, which imports as the same list',
  covers('mailingLists.export'),
  async () => {
    const [active, removed] = [newAddress('export'), newAddress('export')];
    const list = await mail.list([
      { email: active, first_name: 'Dana; "D"', fields: { City: '=1+1' } },
      { email: removed },
    ]);
    const user = (await usersOf(list)).users[1]!;
    await call('POST', `mail/users/${user.id}/status`, { status: 'removed' });
    const response = await api.get(`/mail/lists/${list}/export`);
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    const file = Buffer.from(await response.arrayBuffer()).toString();
    assert.match(file, /^\ufeffemail,first name,last name,cellphone,status,City\r\n/);
    assert.match(file, new RegExp(`${removed},,,,removed,`));

    const { id } = await json<Job>(api.post(`/mail/lists/${list}/export`), 202);
    const job = await ended(api, `/exports/${id}`);
    assert.deepEqual([job.state, job.rows], ['done', 2]);
    assert.equal(Buffer.from(await (await api.get(`/exports/${id}/file`)).arrayBuffer()).toString(), file);

    const copy = await mail.list([]);
    const done = await importFile(copy, file);
    assert.deepEqual([done.added, done.refused], [2, 0], JSON.stringify(done));
    const { users } = await usersOf(copy);
    assert.deepEqual(
      [users[0]!.first_name, users[0]!.status, users[1]!.status],
      ['Dana; "D"', 'active', 'removed'],
    );
    const { active: activeCount, columns } = await showList(copy);
    assert.deepEqual([activeCount, columns], [1, ['City']]);
  },
);

test(
  'mail tokens are created, shown without their values, and revoked',
  covers('C.token.console'),
  async () => {
    const account = await service.addAccount({ username: 'token-maker' });
    const own = await asPerson(service, 'owner', account.id);
    const stranger = await asPerson(service, 'owner', service.demo.id);
    const made = await own.post<{ id: string; token: string }>('/mail/tokens', { label: 'the shop' });
    const { id, token } = made;
    const lists = (bearer: string) =>
      fetch(`${service.url}/api/Mailer/GetMailingListNames`, {
        method: 'POST',
        headers: { authorization: bearer },
      }).then((response) => response.json() as Promise<{ result: { ResultID: number } }>);
    assert.equal((await lists(token)).result.ResultID, 200);
    const { tokens } = await own.get<{ tokens: object[] }>('/mail/tokens');
    assert.equal(tokens.length, 1);
    assert.ok(!JSON.stringify(tokens).includes(token));
    await stranger.call('DELETE', `/mail/tokens/${id}`, undefined, 404);
    await own.call('DELETE', `/mail/tokens/${id}`);
    assert.equal((await lists(token)).result.ResultID, 401);
    for (let count = 0; count < 5; count++) await own.post('/mail/tokens', { label: 'more' });
    assert.deepEqual(await own.refused('POST', '/mail/tokens', { label: 'more' }), [
      'not-now',
      undefined,
      409,
    ]);
  },
);
