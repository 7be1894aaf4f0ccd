import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { test } from 'node:test';
import { Blacklist } from '../../../server/modules/audience/blacklist.ts';
import { ContactLists } from '../../../server/modules/audience/contact-lists.ts';
import { MAX_FILE } from '../../../server/modules/audience/csv-intake.ts';
import { CHUNK_BYTES, CsvJobs } from '../../../server/modules/audience/csv-jobs.ts';
import { Imports } from '../../../server/modules/audience/imports.ts';
import { Suppressions } from '../../../server/modules/audience/suppressions.ts';
import { Consents } from '../../../server/modules/consents/consents.ts';
import { createEventModule } from '../../../server/run/app-context.ts';
import { covers } from '../../conformance/covers.ts';
import { budgetsFor } from '../../support/budgets.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workFor } from '../../support/work.ts';
import {
  contactListsOf,
  ended,
  gateBeforePhone,
  type Job,
  json,
  localPhone,
  manyRows,
  refusedLines,
  storedPhone,
  v1,
} from './support.ts';

const service = await startTestService();
const { sql } = service;
const { api, newList, importFile, showList, contactsOf, chunks } = contactListsOf(service);
const BOM = '\ufeff';

interface Refused {
  readonly error: { readonly code: string; readonly message: string; readonly field?: string };
}

/** An upload of which the test sends the pieces. */
function upload(
  list: string,
  options: { headers?: Record<string, string | number>; agent?: Agent } = {},
): ClientRequest {
  return request(`${service.url}/v1/contact-lists/${list}/import`, {
    method: 'POST',
    ...options,
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, ...options.headers },
  });
}

async function answerOf(sent: ClientRequest): Promise<{ status: number; body: Refused }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: (await readJson(response)) as Refused };
}

/** The imports that a list has, whatever their state. */
const importsOf = async (list: string) =>
  sql<{ id: number; state: string; chunks: number }[]>`
    SELECT id, state, chunks FROM csv_jobs WHERE list_id = ${Number(list)} AND kind = 'import' ORDER BY id`;

test(
  'a file as spreadsheets write it: byte-order mark, semicolons, quotes, CRLF',
  covers('v1.import'),
  async () => {
    const list = await newList();
    const done = await importFile(
      list,
      `${BOM}Name;Mobile;City\r\n"Cohen; Dana";050-7000001;"Tel ""Aviv"""\r\n\r\nלוי;+972507000002;\r\n;;\r\n`,
    );
    assert.equal(done.state, 'done');
    assert.deepEqual(
      [done.rows, done.added, done.present, done.refused, done.bytes_done],
      [2, 2, 0, 0, done.bytes],
    );
    assert.deepEqual(await contactsOf(list), [
      ['972507000001', 'Cohen; Dana', 'Tel "Aviv"', null],
      ['972507000002', 'לוי', null, null],
    ]);
    const { columns, count } = await showList(list);
    assert.deepEqual([columns, count], [['Name', 'City'], 2]);
  },
);

test(
  'further files find the columns of the list by their names, two of one name among them',
  covers('v1.import'),
  async () => {
    const list = await newList();
    for (const file of ['phone,City,City\n0507000001,a,b\n', 'City,phone,City\nc,0507000002,d\n']) {
      assert.equal((await importFile(list, file)).state, 'done');
    }
    await importFile(list, 'phone\tage\tcity\n0507000003\t30\tHaifa\n');
    assert.deepEqual(await contactsOf(list), [
      ['972507000001', 'a', 'b', null],
      ['972507000002', 'c', 'd', null],
      ['972507000003', 'Haifa', null, '30'],
    ]);
    assert.deepEqual((await showList(list)).columns, ['City', 'City', 'age']);
  },
);

test(
  'bad rows are left out and reported, each with its line and reason',
  covers('v1.import.rows'),
  async () => {
    const list = await newList({ phone: '0507000010', df1: 'first' });
    const file = Buffer.concat([
      Buffer.from(
        [
          '0507000011,"two',
          'lines",x',
          '12,short',
          ',nobody',
          '0507000010,changed',
          '0507000011,twice',
          `0507000012,${'x'.repeat(1_001)}`,
          '0507000013,a,b,c',
          '0507000014,"open',
          '0507000015,ד"ר',
          `0507000016,${'y'.repeat(200_000)}`,
          '0507000017,',
        ].join('\n'),
      ),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from('0507000018,last'),
    ]);
    const done = await importFile(list, file);
    assert.equal(done.state, 'done');
    const refused = [
      { line: 3, reason: 'phone: too short, too long or not a phone number' },
      { line: 4, reason: 'no phone' },
      { line: 7, reason: 'a field is over 1000 characters' },
      { line: 8, reason: 'more fields than columns' },
      { line: 9, reason: 'not CSV: a quote is not closed' },
      { line: 11, reason: 'longer than 64 KiB' },
      { line: 12, reason: 'not UTF-8 text' },
    ];
    assert.deepEqual(done.refused_rows, refused);
    assert.deepEqual([done.rows, done.added, done.present, done.refused], [12, 3, 2, 7]);
    assert.deepEqual(await contactsOf(list), [
      ['972507000010', 'first', null, null],
      ['972507000011', 'two\nlines', 'x', null],
      ['972507000015', 'ד"ר', null, null],
      ['972507000018', 'last', null, null],
    ]);
    const report = await (await api.get(`/imports/${done.id}/refused`)).text();
    const quoted = (text: string) => (text.includes(',') ? `"${text}"` : text);
    assert.equal(
      report,
      ['line,reason', ...refused.map(({ line, reason }) => `${line},${quoted(reason)}`), ''].join('\r\n'),
    );
    assert.equal((await showList(list)).count, 4);
  },
);

test(
  'thousands of bad rows are all in the report, the first hundred in the answer',
  covers('v1.import.rows'),
  async () => {
    const count = 30_000;
    const done = await importFile(await newList(), `phone,note\n${`1,${'x'.repeat(40)}\n`.repeat(count)}`);
    const lines = Array.from({ length: count }, (_, index) => index + 2);
    assert.deepEqual([done.state, done.rows, done.refused], ['done', count, count]);
    assert.deepEqual(
      done.refused_rows.map(({ line }) => line),
      lines.slice(0, 100),
    );
    assert.deepEqual(await refusedLines(api, done.id), lines);
  },
);

test('a file that is not CSV is abandoned with a reason', async () => {
  const done = await importFile(await newList(), `phone,note\n${'a,"b\n'.repeat(1_500)}`);
  assert.equal(done.state, 'failed');
  assert.match(done.problem!, /^not CSV: over 1000 rows/);
  assert.equal(await chunks(), 0);
});

test('existing contacts are kept, or updated with the values of the file, as the caller chooses', async () => {
  const first = ['phone,name,town', '0507000040,Dana,Haifa', '0507000041,Omer,Eilat'].join('\n');
  const second = ['phone,name,town', '0507000040,Noa,', '0507000040,,Acre', '0507000042,Tal,'].join('\n');
  for (const [query, ...expected] of [
    ['', 'Dana', 'Haifa'],
    ['?existing=keep', 'Dana', 'Haifa'],
    ['?existing=update', 'Noa', 'Acre'],
  ]) {
    const list = await newList();
    await importFile(list, first);
    const done = await importFile(list, second, query);
    assert.deepEqual([done.rows, done.added, done.present], [3, 1, 2], query);
    assert.deepEqual(
      await contactsOf(list),
      [
        ['972507000040', ...expected, null],
        ['972507000041', 'Omer', 'Eilat', null],
        ['972507000042', 'Tal', null, null],
      ],
      query,
    );
    assert.equal((await showList(list)).count, 3);
  }
});

test('a file of several chunks and turns, twice', async () => {
  const list = await newList();
  const file = manyRows(25_000);
  assert.ok(file.length > 2 * CHUNK_BYTES);
  const done = await importFile(list, file);
  assert.deepEqual([done.state, done.rows, done.added, done.refused], ['done', 25_000, 25_000, 0]);
  assert.equal((await showList(list)).count, 25_000);
  const again = await importFile(list, file);
  assert.deepEqual([again.rows, again.added, again.present], [25_000, 0, 25_000]);
  assert.equal((await showList(list)).count, 25_000);
  assert.equal(await chunks(), 0);
});

test(
  'under way it tells how far it is; stopped, it keeps what it has and counts it right',
  covers('v1.import.progress'),
  async (context) => {
    const list = await newList();
    const gate = await gateBeforePhone(context, sql, service.demo.id, list, storedPhone(15_000));
    const { id } = await json<Job>(api.post(`/contact-lists/${list}/import`, manyRows(25_000)), 202);
    await gate.reached();
    const half = await json<Job>(api.get(`/imports/${id}`));
    assert.deepEqual([half.state, half.finished_at, half.refused, half.present], ['running', null, 0, 0]);
    assert.ok(half.rows > 0 && half.rows < 15_000, `${half.rows} rows`);
    assert.equal(half.added, half.rows);
    assert.equal(half.bytes_done, half.rows * manyRows(1).length);
    assert.equal(half.bytes, 25_000 * manyRows(1).length);

    const stopped = await json<Job>(api.post(`/imports/${id}/stop`));
    assert.equal(stopped.state, 'stopped');
    assert.ok(stopped.finished_at !== null);
    await gate.open();
    // An import that ends after it: what the stopped one was doing is over.
    await importFile(await newList(), '0507000051\n');
    const after = await json<Job>(api.post(`/imports/${id}/stop`));
    assert.deepEqual(after, stopped);
    assert.equal(after.rows, half.rows);
    const contacts = await contactsOf(list);
    assert.equal(contacts.length, half.rows);
    assert.equal(contacts.at(-1)![0], storedPhone(half.rows - 1));
    assert.equal((await showList(list)).count, half.rows);
    assert.equal(await chunks(), 0);

    const rest = await importFile(list, manyRows(25_000));
    assert.deepEqual([rest.added, rest.present], [25_000 - half.rows, half.rows]);
  },
);

test('removing the list ends its import and deletes its contacts', async (context) => {
  const [busy, list] = [await newList(), await newList()];
  await importFile(list, manyRows(6_000));
  const gate = await gateBeforePhone(context, sql, service.demo.id, busy, storedPhone(0));
  const first = await json<Job>(api.post(`/contact-lists/${busy}/import`, manyRows(1)), 202);
  await gate.reached();
  const { id } = await json<Job>(api.post(`/contact-lists/${list}/import`, manyRows(10)), 202);
  assert.equal((await service.call('json', 'removeCL', { cl: { id: list } })).status, 0);
  await gate.open();
  assert.equal((await ended(api, `/imports/${first.id}`)).added, 1);
  const done = await ended(api, `/imports/${id}`);
  assert.deepEqual([done.state, done.problem], ['failed', 'the contact list was removed']);
  await waitFor('the contacts are deleted', async () => (await contactsOf(list)).length === 0);
});

test(
  'files that cannot be used are refused, and nothing is left of them',
  covers('v1.import.refused'),
  async () => {
    const list = await newList();
    const table: [file: string | Uint8Array | undefined, message: RegExp][] = [
      [undefined, /^file: its first row/],
      ['', /^file: its first row/],
      ['\r\n\n', /^file: its first row/],
      [Buffer.from(`${BOM}phone\n`, 'utf16le'), /UTF-16/],
      [Buffer.from([0xf9, 0xec, 0xe5, 0xef, 0x2c, 0x61, 0x0a]), /not UTF-8/],
      ['phone,a\0b\n', /not UTF-8/],
      ['phone,a,b,c,d,e,f,g\n', /more than 6 columns/],
      ['0507000001,a,b,c,d,e,f,g\n', /more than 6 columns/],
    ];
    for (const [file, message] of table) {
      const { error } = await json<Refused>(api.post(`/contact-lists/${list}/import`, file), 400);
      assert.deepEqual([error.code, error.field], ['bad-field', 'file']);
      assert.match(error.message, message);
    }
    assert.deepEqual([...(await importsOf(list))], []);
    assert.equal(await chunks(), 0);
  },
);

test('the body is the file, whatever its content type', async () => {
  const list = await newList();
  for (const [index, type] of ['text/csv; charset=utf-8', 'application/json', 'text/xml', 'csv'].entries()) {
    const row = `${localPhone(index)}\n`;
    const job = await json<Job>(
      api.post(`/contact-lists/${list}/import`, Buffer.from(row), { 'content-type': type }),
      202,
    );
    assert.equal((await ended(api, `/imports/${job.id}`)).added, 1, type);
  }
});

test(
  'a file that says it is too large is refused before it is sent',
  covers('v1.import.refused'),
  async () => {
    const list = await newList();
    const sent = upload(list, { headers: { 'content-length': MAX_FILE + 1 } });
    sent.flushHeaders();
    const { status, body } = await answerOf(sent);
    sent.destroy();
    assert.deepEqual([status, body.error.code, body.error.field], [413, 'too-large', 'file']);
    assert.deepEqual([...(await importsOf(list))], []);
  },
);

test('one that turns out too large is refused, and nothing is left of it', async () => {
  const list = await newList();
  const { appContext } = service;
  const jobs = new CsvJobs({
    ...appContext,
    sql,
    audit: appContext.people.audit,
    budgets: budgetsFor(appContext),
    owner: 'test',
    work: workFor({ ...appContext, sql }),
  });
  const events = createEventModule(appContext, { allowPrivate: false, deliver: false });
  const imports = new Imports({
    ...appContext,
    sql,
    jobs,
    consents: new Consents({ ...appContext, sql }),
    lists: new ContactLists({ ...appContext, sql }),
    blacklist: new Blacklist({ ...appContext, sql, events, suppressions: new Suppressions(appContext) }),
  });
  async function* file() {
    yield Buffer.alloc(CHUNK_BYTES, '0507000001\n');
    yield Buffer.alloc(MAX_FILE);
  }
  await assert.rejects(imports.receive(service.demo.id, Number(list), file(), { header: 'auto' }), {
    code: 'too-large',
  });
  assert.deepEqual([...(await importsOf(list))], []);
  assert.equal(await chunks(), 0);
});

test('a file that breaks off leaves nothing', covers('v1.import.refused'), async () => {
  const list = await newList();
  const sent = upload(list);
  const cut = once(sent, 'error');
  sent.write(manyRows(10_000));
  await waitFor('a chunk of it is stored', async () => (await importsOf(list))[0]?.chunks === 1);
  sent.destroy(new Error('cut'));
  await cut;
  await waitFor('nothing is left', async () => (await importsOf(list)).length === 0);
  assert.equal(await chunks(), 0);
});

test('an import that is stopped while its file is on the way tells the caller, who is still sending', async (context) => {
  const list = await newList();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  context.after(() => agent.destroy());
  const sent = upload(list, { agent });
  const answer = answerOf(sent);
  sent.write(manyRows(10_000));
  const id = await waitFor('a chunk of it is stored', async () => {
    const [job] = await importsOf(list);
    return job?.chunks === 1 && job.id;
  });
  assert.equal((await json<Job>(api.post(`/imports/${id}/stop`))).state, 'stopped');
  sent.write(manyRows(10_000));
  const { status, body } = await answer;
  sent.end();
  assert.deepEqual([status, body.error.code], [409, 'not-now']);
  const next = upload(list, { agent });
  next.end();
  assert.equal((await answerOf(next)).status, 400, 'the connection serves further requests');
  assert.equal((await json<Job>(api.get(`/imports/${id}`))).state, 'stopped');
  assert.deepEqual(await contactsOf(list), []);
  assert.equal(await chunks(), 0);
});

test('five at a time, however many arrive concurrently; the imports of a dead process do not count', async (context) => {
  const list = await newList();
  const refused: ClientRequest[] = [];
  const uploads = Array.from({ length: 8 }, () => {
    const sent = upload(list);
    sent.write('0507000001\n');
    const status = answerOf(sent).then(({ status, body }) => {
      if (status === 429 && body.error.code === 'too-fast') refused.push(sent);
      return status;
    });
    return { sent, status };
  });
  context.after(() => uploads.forEach(({ sent }) => void sent.destroy()));
  await waitFor('three are refused', () => refused.length >= 3);
  assert.equal((await importsOf(list)).length, 5);
  // As when the program starts again after it was killed.
  await sql`UPDATE csv_jobs SET lease_until = 0 WHERE state = 'receiving'`;
  assert.equal((await importFile(list, '0507000002\n')).added, 1);
  for (const { sent } of uploads) sent.end();
  const statuses = await Promise.all(uploads.map(({ status }) => status));
  assert.deepEqual(statuses.sort(), [202, 202, 202, 202, 202, 429, 429, 429]);
  for (const { id } of await importsOf(list)) await ended(api, `/imports/${id}`);
});

test('header=yes and header=no overrule what the first row looks like', async () => {
  const list = await newList();
  const yes = await importFile(list, '0507000021,a\n0507000022,b\n', '?header=yes');
  assert.deepEqual([yes.rows, (await showList(list)).columns], [1, ['a']]);
  const no = await importFile(await newList(), 'x,y\n0507000023,z\n', '?header=no');
  assert.deepEqual([no.added, no.refused_rows[0]?.line], [1, 1]);
  const { error } = await json<Refused>(api.post(`/contact-lists/${list}/import?header=maybe`, 'x'), 400);
  assert.equal(error.field, 'header');
});

test('the imports of a list, or of all lists, are listed, newest first', async () => {
  const [list, other] = [await newList(), await newList()];
  const first = await importFile(list, `${localPhone(1)}\n12\n`);
  const second = await importFile(list, `${localPhone(2)}\n`);
  const third = await importFile(other, `${localPhone(3)}\n`);
  const blacklisted = await json<Job>(api.post('/blacklist/import', `${localPhone(4)}\n`), 202);
  const recent = async (query: string) =>
    (await json<{ imports: Job[] }>(api.get(`/imports${query}`))).imports;
  const shown = await recent(`?list_id=${list}`);
  assert.deepEqual(
    shown.map(({ id, state, added, refused }) => [id, state, added, refused]),
    [
      [second.id, 'done', 1, 0],
      [first.id, 'done', 1, 1],
    ],
  );
  assert.deepEqual(
    (await recent('?list_id=0')).map(({ id }) => id),
    [blacklisted.id],
  );
  assert.deepEqual(
    (await recent('?limit=2')).map(({ id }) => id),
    [blacklisted.id, third.id],
  );
  const stranger = await service.addAccount({ username: 'without-imports' });
  assert.deepEqual(await json(v1(service.url, stranger.token).get('/imports')), { imports: [] });
});
