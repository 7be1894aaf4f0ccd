import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { sendRequest } from '../../support/send-request.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startReceiver } from './receiver.ts';

/* Kannel's sendsms, as its user guide describes it and its clients use it. */

const log: string[] = [];
const service = await startTestService({
  settings: { KANNEL_API: 'on', VERIFY_SOURCES: 'on', LOG_LEVEL: 'trace' },
  logTo: (line) => log.push(line),
});
const { sources } = service.appContext;
await sources.approve(service.demo.id, 'Shop');
const receiver = await startReceiver();
const credentials = { username: 'demo', password: DEMO_TOKEN };

/** Sends a GET with these fields, encoded as UTF-8. */
function get(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...credentials, from: 'Shop', text: 'Hello', ...fields });
  return sendRequest(`${service.url}/cgi-bin/sendsms?${query}`, { method: 'GET', headers });
}

const textsOf = async (phone: string) => (await service.phone(phone)).map(({ text }) => text);

/** Waits for the reports of the callbacks whose address has this key, and returns them in their order. */
const reportsOf = (key: string, count: number) =>
  waitFor(`${count} reports of ${key}`, () => {
    const mine = receiver.received.filter(({ query }) => query.get('key') === key);
    return mine.length >= count && mine;
  });

test(
  'a GET is accepted with 202 and the text of Kannel, and the phone gets the text',
  covers('kannel.accepted'),
  async () => {
    const to = newPhone();
    const answer = await get({ to, text: 'Hello from Kannel' });
    assert.equal(answer.status, 202);
    assert.equal(answer.text, '0: Accepted for delivery');
    await waitFor('the text', async () => (await textsOf(to)).includes('Hello from Kannel'));
    assert.equal((await service.phone(to))[0]!.from, 'Shop');
  },
);

test(
  'the short names user and pass are accepted, and several numbers in one `to`',
  covers('kannel.several'),
  async () => {
    const phones = [newPhone(), newPhone(), newPhone()];
    const query = new URLSearchParams({
      user: 'demo',
      pass: DEMO_TOKEN,
      from: 'Shop',
      to: phones.join(' '),
      text: 'All',
    });
    const answer = await sendRequest(`${service.url}/cgi-bin/sendsms?${query}`, {
      method: 'GET',
      headers: {},
    });
    assert.equal(answer.status, 202);
    for (const phone of phones) await waitFor('the text', async () => (await textsOf(phone)).includes('All'));
  },
);

test('a form is accepted, and a plain text with X-Kannel headers', covers('kannel.post'), async () => {
  const [first, second] = [newPhone(), newPhone()];
  const url = `${service.url}/cgi-bin/sendsms`;
  const form = await sendRequest(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...credentials, from: 'Shop', to: first, text: 'By form' }).toString(),
  });
  assert.equal(form.status, 202);
  const plain = await sendRequest(url, {
    method: 'POST',
    headers: {
      'content-type': 'text/plain; charset=ISO-8859-1',
      'x-kannel-username': 'demo',
      'x-kannel-password': DEMO_TOKEN,
      'x-kannel-from': 'Shop',
      'x-kannel-to': second,
    },
    body: Buffer.from('Café', 'latin1'),
  });
  assert.equal(plain.status, 202);
  await waitFor('the form', async () => (await textsOf(first)).includes('By form'));
  await waitFor('the plain text', async () => (await textsOf(second)).includes('Café'));
});

test('the text is read in its alphabet', covers('kannel.charset'), async () => {
  const cases = [
    ['charset=ISO-8859-1&text=Caf%E9', 'Café'],
    ['charset=UTF-8&text=Caf%C3%A9', 'Café'],
    ['text=%D7%A9%D7%9C%D7%95%D7%9D', 'שלום'],
    ['coding=2&text=%05%E9%05%DC%05%D5%05%DD', 'שלום'],
    ['coding=2&charset=UTF-8&text=%D7%A9%D7%9C%D7%95%D7%9D', 'שלום'],
    ['coding=2&charset=UCS-2&text=%00H%00i', 'Hi'],
  ];
  for (const [fields, expected] of cases) {
    const to = newPhone();
    const query = `${new URLSearchParams({ ...credentials, from: 'Shop', to })}&${fields}`;
    const answer = await sendRequest(`${service.url}/cgi-bin/sendsms?${query}`, {
      method: 'GET',
      headers: {},
    });
    assert.equal(answer.status, 202, answer.text);
    await waitFor(fields!, async () => (await textsOf(to)).includes(expected!));
  }
});

test(
  'reports have the escape codes replaced, each asked status once and in order',
  covers('kannel.dlr'),
  async () => {
    const to = newPhone();
    const url = `${receiver.url}/dlr?key=all&type=%d&to=%p&from=%P&reply=%A&id=%I&smsc=%i&user=%n&account=%o&at=%T&day=%t&fid=%F&meta=%D&one=%#smpp#order#&none=%k&x=%x&percent=%%41`;
    const answer = await get({
      to,
      'dlr-mask': '31',
      'dlr-url': url,
      account: 'billing-7',
      'meta-data': '?smpp?order=A+17',
    });
    assert.equal(answer.status, 202);
    const reports = await reportsOf('all', 2);
    assert.deepEqual(
      reports.map(({ method, query }) => [method, query.get('type')]),
      [
        ['GET', '8'],
        ['GET', '1'],
      ],
    );
    for (const { query } of reports) {
      assert.equal(query.get('to'), stored(to));
      assert.equal(query.get('from'), 'Shop');
      assert.equal(query.get('user'), 'demo');
      assert.equal(query.get('account'), 'billing-7');
      assert.equal(query.get('meta'), '?smpp?order=A+17');
      assert.equal(query.get('one'), 'A 17');
      assert.equal(query.get('none'), '');
      assert.equal(query.get('percent'), 'A');
      assert.match(query.get('day')!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      assert.ok(Number(query.get('at')) > 1_700_000_000);
      assert.match(query.get('id')!, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-0{12}$/);
      assert.ok(query.get('smsc'), 'the carrier connection');
      assert.ok(query.get('fid'), "the carrier's id");
    }
    assert.equal(reports[0]!.query.get('reply'), 'ACK/');
    assert.equal(reports[1]!.query.get('reply'), 'stat:DELIVRD err:000');
    assert.equal(reports[0]!.query.get('id'), reports[1]!.query.get('id'));
  },
);

test('only statuses of the mask are reported', async () => {
  await get({ to: newPhone(), 'dlr-mask': '1', 'dlr-url': `${receiver.url}/?key=delivered&type=%d` });
  await get({ to: newPhone(), 'dlr-mask': '0', 'dlr-url': `${receiver.url}/?key=nothing&type=%d` });
  const [report, ...others] = await reportsOf('delivered', 1);
  assert.equal(report!.query.get('type'), '1');
  assert.deepEqual(others, []);
  assert.ok(!receiver.received.some(({ query }) => query.get('key') === 'nothing'));
});

test(
  'a message that fails is reported with 2, and one that is not sent with 16',
  covers('kannel.dlr.failed'),
  async () => {
    const failing = '0500990002';
    await get({ to: failing, 'dlr-mask': '31', 'dlr-url': `${receiver.url}/?key=failed&type=%d` });
    const failed = await reportsOf('failed', 2);
    assert.deepEqual(
      failed.map(({ query }) => query.get('type')),
      ['8', '2'],
    );

    const [blocked, other] = [newPhone(), newPhone()];
    const { status } = await service.call('json', 'addNumBL', { phones: { phone: blocked } });
    assert.equal(status, 946);
    await get({
      to: `${blocked} ${other}`,
      'dlr-mask': '16',
      'dlr-url': `${receiver.url}/?key=blocked&type=%d&to=%p`,
    });
    const [refused] = await reportsOf('blocked', 1);
    assert.equal(refused!.query.get('type'), '16');
    assert.equal(refused!.query.get('to'), stored(blocked));
  },
);

test('a report that is not accepted is sent again', covers('kannel.dlr.again'), async () => {
  let refusals = 1;
  receiver.answer = ({ query }) => (query.get('key') === 'again' && refusals-- > 0 ? [500, 'no'] : [200, '']);
  await get({ to: newPhone(), 'dlr-mask': '1', 'dlr-url': `${receiver.url}/?key=again&type=%d` });
  await reportsOf('again', 1);
  await waitFor('the stored delivery', async () => {
    const rows = await service.sql`SELECT FROM deliveries WHERE state = 'retrying'`;
    return rows.length > 0;
  });
  await service.advance(60);
  const reports = await reportsOf('again', 2);
  assert.equal(reports[0]!.path, reports[1]!.path);
});

test('the host of the reports is listed as an endpoint, which no one registered', async () => {
  const { status, text } = await sendRequest(`${service.url}/v1/webhooks`, {
    method: 'GET',
    headers: { authorization: `Bearer ${DEMO_TOKEN}` },
  });
  assert.equal(status, 200);
  const { webhooks } = JSON.parse(text) as { webhooks: { kind: string; url: string; delivered: number }[] };
  assert.deepEqual(
    webhooks.map(({ kind, url }) => [kind, url]),
    [['callback', `${receiver.url}/`]],
  );
});

test(
  'deferred messages are scheduled, and validity limits the time of the attempts',
  covers('kannel.times'),
  async () => {
    const before = Date.now();
    await get({ to: newPhone(), deferred: '60', validity: '10' });
    const [row] = await service.sql<{ due_at: number; valid_until: number }[]>`
    SELECT due_at, valid_until FROM shipments ORDER BY id DESC LIMIT 1`;
    assert.ok(row!.due_at >= before + 60 * 60_000);
    assert.equal(row!.valid_until - row!.due_at, 10 * 60_000);
  },
);

test('a repeated request with a send key sends once', covers('kannel.key'), async () => {
  const to = newPhone();
  const headers = { 'idempotency-key': 'kannel-1' };
  for (let i = 0; i < 2; i++) assert.equal((await get({ to, text: 'Once' }, headers)).status, 202);
  await waitFor('the text', async () => (await textsOf(to)).length > 0);
  assert.deepEqual(await textsOf(to), ['Once']);
  const other = await get({ to, text: 'Another' }, headers);
  assert.equal(other.status, 400);
});

test('refusals have a status of 4xx and a text', covers('kannel.refusals'), async () => {
  const cases: [Record<string, string>, number, RegExp][] = [
    [{ to: newPhone(), password: 'wrong' }, 403, /^Authorization failed for sendsms$/],
    [{ to: newPhone(), username: 'nobody' }, 403, /^Authorization failed for sendsms$/],
    [{ to: newPhone(), password: '' }, 403, /^Authorization failed for sendsms$/],
    [{}, 400, /^to: missing, rejected$/],
    [{ to: ' ' }, 400, /^to: empty, rejected$/],
    [{ to: `${newPhone()} 12` }, 400, /^to\[1\]: .*not a phone number, rejected$/],
    [{ to: newPhone(), from: '' }, 400, /^from: missing, rejected$/],
    [{ to: newPhone(), from: 'Not a sender!' }, 400, /^from: /],
    [{ to: newPhone(), from: 'Unapproved' }, 400, /^from: /],
    [{ to: newPhone(), text: '' }, 400, /^text: empty, rejected$/],
    [{ to: newPhone(), udh: '\u0006\u0005' }, 400, /^udh: not supported, rejected$/],
    [{ to: newPhone(), coding: '1' }, 400, /^coding: not supported, rejected$/],
    [{ to: newPhone(), coding: '7' }, 400, /^coding: misformed, rejected$/],
    [{ to: newPhone(), mclass: '4' }, 400, /^mclass: misformed, rejected$/],
    [{ to: newPhone(), mwi: '2' }, 400, /^mwi: not supported, rejected$/],
    [{ to: newPhone(), priority: '4' }, 400, /^priority: misformed, rejected$/],
    [{ to: newPhone(), validity: '-5' }, 400, /^validity: misformed, rejected$/],
    [{ to: newPhone(), charset: 'no-such' }, 400, /^charset: misformed, rejected$/],
    [{ to: newPhone(), account: 'a\nb' }, 400, /^account: misformed, rejected$/],
    [{ to: newPhone(), 'dlr-mask': '1', 'dlr-url': 'ftp://x/' }, 400, /^dlr-url: .*, rejected$/],
  ];
  for (const [fields, http, text] of cases) {
    const answer = await get(fields);
    assert.equal(answer.status, http, JSON.stringify(fields));
    assert.match(answer.text, text);
  }
  const xml = await sendRequest(`${service.url}/cgi-bin/sendsms`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: '<message/>',
  });
  assert.deepEqual([xml.status, xml.text], [400, 'Unsupported content-type, rejected']);
});

test('an account without credit is refused with 402', async () => {
  const poor = await service.addAccount({ username: 'poor' }, 0);
  await sources.approve(poor.id, 'Shop');
  const answer = await get({ username: 'poor', password: poor.token, to: newPhone() });
  assert.deepEqual([answer.status, answer.text], [402, 'Not enough credit, rejected']);
});

test('a HEAD does not send', async () => {
  const to = newPhone();
  const query = new URLSearchParams({ ...credentials, from: 'Shop', to, text: 'No' });
  const answer = await sendRequest(`${service.url}/cgi-bin/sendsms?${query}`, {
    method: 'HEAD',
    headers: {},
  });
  assert.equal(answer.status, 404);
  const rows = await service.sql`SELECT FROM messages WHERE recipient = ${stored(to)}`;
  assert.equal(rows.length, 0);
});

test(
  'requests are in the request log, and neither log has tokens, texts or numbers',
  covers('kannel.secret'),
  async () => {
    const to = newPhone();
    await get({ to, text: 'A text that nobody logs' });
    await waitFor('the request log', async () => {
      const rows = await service.sql<
        { door: string }[]
      >`SELECT door FROM request_log WHERE operation = 'sendsms'`;
      return rows.length > 0 && rows.every(({ door }) => door === 'kannel');
    });
    const lines = log.join('\n');
    assert.ok(lines.length > 0);
    for (const secret of [DEMO_TOKEN, 'A text that nobody logs', to, stored(to)]) {
      assert.ok(!lines.includes(secret), 'the log has a secret');
    }
  },
);

test('a token needs the scope `send`, a right to the account, and a time that is not over', async () => {
  const { tokens } = service.appContext;
  const seller = await service.addAccount({ username: 'seller' });
  const branch = await service.addAccount({ username: 'branch', parentId: seller.id });
  const { token: reader } = await tokens.mint(seller.id, { scopes: ['read', 'webhooks'] });
  const { token: over } = await tokens.mint(seller.id, { expiresAt: 1 });
  const asked = (username: string, password: string) =>
    get({ username, password, to: newPhone(), from: '0501234567' });
  for (const [username, password] of [
    ['seller', reader],
    ['seller', over],
    ['branch', over],
    ['demo', seller.token],
    ['seller', branch.token],
  ] as const) {
    const { status, text } = await asked(username, password);
    assert.deepEqual([status, text], [403, 'Authorization failed for sendsms'], username);
  }
  for (const [username, password] of [
    ['seller', seller.token],
    ['branch', seller.token],
  ] as const) {
    // The sender is not verified, so the call was let in.
    const { status, text } = await asked(username, password);
    assert.deepEqual([status, text.startsWith('from: ')], [400, true], text);
  }
});

test('hostile queries and bodies are answered, and never with a fault', async () => {
  const url = `${service.url}/cgi-bin/sendsms`;
  const signedIn = new URLSearchParams(credentials).toString();
  const types = [
    'application/x-www-form-urlencoded',
    'text/plain; charset=utf-16',
    'text/plain;charset=x',
    '',
  ];
  for (const hostile of [
    '%',
    '%00',
    'to=%00',
    'to=%ff%fe',
    'from=%00&to=0501234567&text=a',
    'from=Shop&to=0501234567&text=%00',
    'from=Shop&to=0501234567&text=%ff&charset=utf-8',
    'from=Shop&to=0501234567&text=%d8%00&coding=2',
    `from=Shop&to=${'0'.repeat(5_000)}&text=a`,
    `from=Shop&to=${'0501234567+'.repeat(900)}&text=a&dlr-mask=1&dlr-url=http://%2500/`,
    'from=Shop&to=0501234567&text=a&dlr-mask=1&dlr-url=http://user:secret@example.com/',
    'from=Shop&to=0501234567&text=a&dlr-mask=1&dlr-url=%00',
    'from=Shop&to=0501234567&text=a&meta-data=%00&account=%00',
    'from=Shop&to=0501234567&text=a&deferred=99999999999999999999',
    '=&=&&&&&=',
    '__proto__=1&constructor=2&to=1',
    'a&'.repeat(3_000),
  ]) {
    const answers = [
      await sendRequest(`${url}?${signedIn}&${hostile}`, { method: 'GET', headers: {} }),
      await sendRequest(`${url}?${hostile}`, { method: 'GET', headers: {} }),
    ];
    for (const type of types) {
      answers.push(
        await sendRequest(url, {
          method: 'POST',
          headers: { 'content-type': type, 'x-kannel-username': 'demo', 'x-kannel-password': DEMO_TOKEN },
          body: `${signedIn}&${hostile}`,
        }),
      );
    }
    for (const { status, text } of answers) {
      assert.ok(status < 500, `${status} ${text} for ${hostile.slice(0, 80)}`);
    }
  }
  const large = await sendRequest(url, { method: 'POST', headers: {}, body: 'a'.repeat(70_000) });
  assert.equal(large.status, 413);
});
