import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { sendRequest } from '../../support/send-request.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startReceiver } from './receiver.ts';

/* Jasmin's HTTP interface, as its documentation describes it. */

const service = await startTestService({ settings: { JASMIN_API: 'on' } });
const receiver = await startReceiver();
const credentials = { username: 'demo', password: DEMO_TOKEN };
const SUCCESS = /^Success "([0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12})"$/;

type Fields = Record<string, string>;

/** Asks an operation, with the fields in the query or in a form. */
function ask(operation: string, fields: Fields, method = 'GET', headers: Fields = {}) {
  const form = new URLSearchParams({ ...credentials, ...fields }).toString();
  const url = `${service.url}/jasmin/${operation}`;
  return method === 'GET'
    ? sendRequest(`${url}?${form}`, { method, headers })
    : sendRequest(url, {
        method,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: form,
      });
}

const send = (fields: Fields, method?: string, headers?: Fields) =>
  ask('send', { from: 'Shop', content: 'Hello', ...fields }, method, headers);

const textsOf = async (phone: string) => (await service.phone(phone)).map(({ text }) => text);

/** The fields of the reports to a path, in their order. */
const reportsTo = (path: string, count: number) =>
  waitFor(`${count} reports to ${path}`, () => {
    const mine = receiver.received.filter((one) => one.path.startsWith(path));
    if (mine.length < count) return undefined;
    return mine.map(({ method, query, body }) => ({
      method,
      fields: Object.fromEntries(method === 'GET' ? query : new URLSearchParams(body)),
    }));
  });

// As a program of Jasmin acknowledges.
receiver.answer = () => [200, 'ACK/Jasmin'];

test('a message is accepted by GET and by POST, and the phone gets it', covers('jasmin.send'), async () => {
  for (const method of ['GET', 'POST']) {
    const to = newPhone();
    const answer = await send({ to, content: `By ${method}` }, method);
    assert.equal(answer.status, 200);
    assert.match(answer.text, SUCCESS);
    await waitFor('the text', async () => (await textsOf(to)).includes(`By ${method}`));
  }
});

test('the content is read by its coding', covers('jasmin.coding'), async () => {
  const cases: [string, string][] = [
    ['content=Caf%C3%A9', 'Café'],
    ['coding=3&content=Caf%E9', 'Café'],
    ['coding=8&content=%05%E9%05%DC%05%D5%05%DD', 'שלום'],
    ['coding=8&hex-content=05E905DC05D505DD', 'שלום'],
    ['hex-content=48656c6c6f', 'Hello'],
  ];
  for (const [fields, expected] of cases) {
    const to = newPhone();
    const query = `${new URLSearchParams({ ...credentials, from: 'Shop', to })}&${fields}`;
    const answer = await sendRequest(`${service.url}/jasmin/send?${query}`, { method: 'GET', headers: {} });
    assert.match(answer.text, SUCCESS, fields);
    await waitFor(fields, async () => (await textsOf(to)).includes(expected));
  }
});

test('reports have the requested level, by GET or POST', covers('jasmin.dlr'), async () => {
  const asked = async (level: string, method: string, to = newPhone()) => {
    const path = `/dlr-${level}-${method}-${to}`;
    const { text } = await send({
      to,
      dlr: 'yes',
      'dlr-url': `${receiver.url}${path}?mine=1`,
      'dlr-level': level,
      'dlr-method': method,
    });
    return { path, id: SUCCESS.exec(text)![1] };
  };
  const [both, carrier, phone] = [await asked('3', 'POST'), await asked('1', 'GET'), await asked('2', 'get')];

  const [first, second] = await reportsTo(both.path, 2);
  assert.deepEqual([first!.method, second!.method], ['POST', 'POST']);
  const { connector, ...submitted } = first!.fields;
  assert.ok(connector);
  assert.deepEqual(submitted, { id: both.id, level: '1', message_status: 'ESME_ROK' });
  const { subdate, donedate, id_smsc, ...delivered } = second!.fields;
  assert.match(subdate!, /^\d{10}$/);
  assert.match(donedate!, /^\d{10}$/);
  assert.ok(id_smsc);
  assert.deepEqual(delivered, {
    id: both.id,
    level: '2',
    message_status: 'DELIVRD',
    connector,
    sub: '001',
    dlvrd: '001',
    err: '000',
    text: '',
  });

  const [onlyCarrier] = await reportsTo(carrier.path, 1);
  assert.equal(onlyCarrier!.method, 'GET');
  assert.deepEqual([onlyCarrier!.fields.level, onlyCarrier!.fields.mine], ['1', '1']);
  const [onlyPhone] = await reportsTo(phone.path, 1);
  assert.deepEqual([onlyPhone!.fields.level, onlyPhone!.fields.message_status], ['2', 'DELIVRD']);

  const failing = await asked('2', 'POST', '0500980002');
  const [expired] = await reportsTo(failing.path, 1);
  assert.equal(expired!.fields.message_status, 'EXPIRED');
  assert.equal((await reportsTo(carrier.path, 1)).length, 1);
  assert.equal((await reportsTo(phone.path, 1)).length, 1);
});

test('a report is sent again until the program acknowledges it', covers('jasmin.ack'), async () => {
  let answered = 0;
  receiver.answer = ({ path }) => [200, path === '/again' && answered++ === 0 ? 'OK' : 'ACK/Jasmin\n'];
  await send({ to: newPhone(), 'dlr-url': `${receiver.url}/again`, 'dlr-level': '2' });
  await reportsTo('/again', 1);
  const [row] = await waitFor('the stored delivery', async () => {
    const rows = await service.sql<{ last_error: string; last_answer: string }[]>`
      SELECT last_error, last_answer FROM deliveries WHERE state = 'retrying'`;
    return rows.length > 0 && rows;
  });
  assert.deepEqual([row!.last_error, row!.last_answer], ['answered 200 without ACK/Jasmin', 'OK']);
  await service.advance(60);
  await reportsTo('/again', 2);
  await waitFor('the end of the delivery', async () => {
    const rows = await service.sql`SELECT FROM deliveries WHERE state = 'done'`;
    return rows.length === 1;
  });
});

test('a delivery time schedules the message, and a validity limits it', covers('jasmin.times'), async () => {
  const last = async () => {
    const [row] = await service.sql<{ due_at: number; valid_until: number }[]>`
      SELECT due_at, valid_until FROM shipments ORDER BY id DESC LIMIT 1`;
    return row!;
  };
  const now = () => service.appContext.clock.now();
  const before = now();
  await send({ to: newPhone(), sdt: '000000010000000R', 'validity-period': '5' });
  const relative = await last();
  assert.ok(relative.due_at >= before + 3_600_000 && relative.due_at <= now() + 3_600_000);
  assert.equal(relative.valid_until - relative.due_at, 300_000);

  // In half an hour, written two hours east of UTC: eight quarters.
  const wanted = Math.ceil(now() / 1_000) * 1_000 + 1_800_000;
  const local = new Date(wanted + 7_200_000).toISOString().replace(/\D/g, '').slice(2, 14);
  await send({ to: newPhone(), sdt: `${local}008+` });
  assert.equal((await last()).due_at, wanted);
});

test('a rate is the price of a part and the number of parts', covers('jasmin.rate'), async () => {
  const { status, text } = await ask('rate', { to: newPhone(), content: 'a'.repeat(200) });
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(text), { submit_sm_count: 2, unit_rate: 1 });
  const without = await ask('rate', { to: newPhone() }, 'POST');
  assert.deepEqual(JSON.parse(without.text), { submit_sm_count: 1, unit_rate: 1 });
});

test('a balance is that of the account', covers('jasmin.balance'), async () => {
  const poor = await service.addAccount({ username: 'poor' }, 12);
  const { text } = await ask('balance', { username: 'poor', password: poor.token });
  assert.deepEqual(JSON.parse(text), { balance: 12, sms_count: 'ND' });
  const { token } = await service.appContext.tokens.mint(poor.id, { scopes: ['send'] });
  const refused = await ask('balance', { username: 'poor', password: token });
  assert.deepEqual([refused.status, refused.text], [403, '"Authorization failed"']);
});

test('a repeated request with a send key sends once and returns the same id', async () => {
  const to = newPhone();
  const headers = { 'idempotency-key': 'jasmin-1' };
  const [first, second] = [await send({ to }, 'GET', headers), await send({ to }, 'GET', headers)];
  assert.match(first.text, SUCCESS);
  assert.equal(first.text, second.text);
});

test('refusals have the statuses and the form of Jasmin', covers('jasmin.refusals'), async () => {
  const empty = await service.addAccount({ username: 'empty' }, 0);
  const cases: [Fields, number, RegExp][] = [
    [{ to: newPhone(), password: 'wrong' }, 403, /^Error "Authentication failure"$/],
    [{ to: newPhone(), username: 'nobody' }, 403, /^Error "Authentication failure"$/],
    [{}, 400, /^Error "Mandatory argument \[to\] is not found\."$/],
    [{ to: 'abc' }, 400, /^Error "Argument \[to\] has an invalid value: invalid\."$/],
    [{ to: '12' }, 400, /^Error "Argument \[to\] has an invalid value: .*"$/],
    [{ to: newPhone(), from: '' }, 400, /^Error "Mandatory argument \[from\] is not found\."$/],
    [
      { to: newPhone(), coding: '4' },
      400,
      /^Error "Argument \[coding\] has an invalid value: not supported\."$/,
    ],
    [{ to: newPhone(), coding: '99' }, 400, /^Error "Argument \[coding\] has an invalid value: invalid\."$/],
    [{ to: newPhone(), 'hex-content': '4' }, 400, /hex-content/],
    [{ to: newPhone(), 'hex-content': '41' }, 400, /^Error "content and hex-content cannot be used both/],
    [{ to: newPhone(), priority: '9' }, 400, /\[priority\]/],
    [{ to: newPhone(), sdt: 'soon' }, 400, /\[sdt\]/],
    [{ to: newPhone(), sdt: '991399000000000+' }, 400, /\[sdt\]/],
    [{ to: newPhone(), custom_tlvs: '[[1,2,3,4]]' }, 400, /\[custom_tlvs\]/],
    [{ to: newPhone(), 'dlr-url': 'ftp://x' }, 400, /\[dlr-url\]/],
    [{ to: newPhone(), 'dlr-url': 'http://x', 'dlr-level': '4' }, 400, /\[dlr-level\]/],
    [{ to: newPhone(), username: 'empty', password: empty.token }, 403, /^Error "Cannot charge submit_sm/],
  ];
  for (const [fields, http, text] of cases) {
    const answer = await send(fields);
    assert.equal(answer.status, http, `${JSON.stringify(fields)} ${answer.text}`);
    assert.match(answer.text, text);
  }
  const blocked = newPhone();
  await service.call('json', 'addNumBL', { phones: { phone: blocked } });
  const answer = await send({ to: blocked });
  assert.deepEqual([answer.status, answer.text], [412, 'Error "No route found"']);
  const rows = await service.sql`SELECT FROM messages WHERE recipient = ${stored(blocked)}`;
  assert.equal(rows.length, 0);
});

test('hostile queries and bodies are answered, and never with a fault', async () => {
  const signedIn = new URLSearchParams(credentials).toString();
  for (const operation of ['send', 'rate', 'balance']) {
    for (const hostile of [
      '%',
      '%00',
      'to=%00',
      'to=1&content=%ff',
      'to=0501234567&coding=8&content=%d8%00',
      '=&&',
      'sdt=%00',
    ]) {
      for (const method of ['GET', 'POST']) {
        const url = `${service.url}/jasmin/${operation}`;
        const { status } =
          method === 'GET'
            ? await sendRequest(`${url}?${signedIn}&${hostile}`, { method, headers: {} })
            : await sendRequest(url, { method, headers: {}, body: `${signedIn}&${hostile}` });
        assert.ok(status < 500, `${operation} ${hostile}: ${status}`);
      }
    }
  }
});
