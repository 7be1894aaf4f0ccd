import assert from 'node:assert/strict';
import { test } from 'node:test';
import twilio from 'twilio';
import { idOfSid, sidOf } from '../../../server/api/http-interfaces/ids.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { sendRequest } from '../../support/send-request.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startReceiver } from './receiver.ts';
import { failure, twilioClient } from './twilio-support.ts';

/* Twilio's Messages resource, by Twilio's own library for Node.js with another address. */

const service = await startTestService({ settings: { TWILIO_API: 'on', VERIFY_SOURCES: 'on' } });
await service.appContext.sources.approve(service.demo.id, 'Shop');
const receiver = await startReceiver();
const sid = sidOf('AC', service.demo.id);

const clientOf = (account: string, token: string) => twilioClient(service.url, account, token);
const client = clientOf(sid, DEMO_TOKEN);
const send = (to: string, more: object = {}) =>
  client.messages.create({ to, from: 'Shop', body: 'Hello', ...more });

const textsOf = async (phone: string) => (await service.phone(phone)).map(({ text }) => text);

/** Waits for the reports to a path, and returns their forms in their order. */
const reportsTo = (path: string, count: number) =>
  waitFor(`${count} reports to ${path}`, () => {
    const mine = receiver.received.filter((one) => one.path.startsWith(path));
    return mine.length >= count && mine;
  });

test(
  'a created message has the fields of the resource, and the phone gets it',
  covers('twilio.create'),
  async () => {
    const to = newPhone();
    const message = await send(`+${stored(to)}`, { body: 'Hello from the library' });
    assert.match(message.sid, /^SM[0-9a-f]{32}$/);
    assert.equal(message.accountSid, sid);
    assert.equal(message.to, `+${stored(to)}`);
    assert.equal(message.from, 'Shop');
    assert.equal(message.body, 'Hello from the library');
    assert.equal(message.status, 'queued');
    assert.equal(message.direction, 'outbound-api');
    assert.equal(message.numSegments, '1');
    assert.equal(message.price, '-1');
    assert.equal(message.errorCode, null);
    assert.ok(Math.abs(message.dateCreated.getTime() - service.appContext.clock.now()) < 60_000);
    await waitFor('the text', async () => (await textsOf(to)).includes('Hello from the library'));
  },
);

test('a message is fetched with its status', covers('twilio.fetch'), async () => {
  const delivered = await send(newPhone());
  const expired = await send('0500970002');
  const fetched = await waitFor('the delivery', async () => {
    const message = await client.messages(delivered.sid).fetch();
    return message.status === 'delivered' && message;
  });
  assert.ok(fetched.dateSent);
  const failed = await waitFor('the failure', async () => {
    const message = await client.messages(expired.sid).fetch();
    return message.status === 'undelivered' && message;
  });
  assert.equal(failed.errorCode, 30003);
  assert.deepEqual(await failure(client.messages(sidOf('SM', 1)).fetch()), { status: 404, code: 20404 });
  assert.deepEqual(await failure(client.messages('SMx').fetch()), { status: 404, code: 20404 });
});

test('messages are listed page by page, newest first, and by recipient', covers('twilio.list'), async () => {
  const to = newPhone();
  const sent: string[] = [];
  for (let i = 0; i < 5; i++) sent.unshift((await send(to, { body: `Number ${i}` })).sid);
  const all = await client.messages.list({ pageSize: 2, limit: 5 });
  assert.deepEqual(
    all.map((message) => message.sid),
    sent,
  );
  const mine = await client.messages.list({ to: `+${stored(to)}`, pageSize: 3 });
  assert.deepEqual(
    mine.map(({ body }) => body),
    ['Number 4', 'Number 3', 'Number 2', 'Number 1', 'Number 0'],
  );
  const now = service.appContext.clock.now();
  const counted = async (filter: object) => (await client.messages.list({ to, limit: 20, ...filter })).length;
  const at = (hours: number) => new Date(now + hours * 3_600_000);
  assert.equal(await counted({ dateSentAfter: at(-1) }), 5);
  assert.equal(await counted({ dateSentAfter: at(1) }), 0);
  assert.equal(await counted({ dateSentBefore: at(1) }), 5);
  assert.equal(await counted({ dateSentBefore: at(-1) }), 0);
  assert.equal(await counted({ dateSent: at(-48) }), 0);
  // Midnight may have passed since the first of them.
  assert.equal((await counted({ dateSent: at(0) })) + (await counted({ dateSent: at(-24) })), 5);
  assert.deepEqual(await failure(client.messages.list({ from: 'Shop', limit: 1 })), {
    status: 400,
    code: 20001,
  });
});

test(
  'status callbacks are forms with a signature that the library accepts',
  covers('twilio.callback'),
  async () => {
    const to = newPhone();
    const url = `${receiver.url}/status?order=17`;
    const message = await send(to, { statusCallback: url });
    const reports = await reportsTo('/status', 2);
    const forms = reports.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    assert.deepEqual(
      forms.map(({ MessageStatus }) => MessageStatus),
      ['sent', 'delivered'],
    );
    for (const [index, form] of forms.entries()) {
      assert.equal(form.MessageSid, message.sid);
      assert.equal(form.AccountSid, sid);
      assert.equal(form.To, `+${stored(to)}`);
      assert.equal(form.From, 'Shop');
      assert.equal(reports[index]!.method, 'POST');
      const signature = String(reports[index]!.headers['x-twilio-signature']);
      assert.ok(twilio.validateRequest(DEMO_TOKEN, signature, url, form));
      assert.ok(!twilio.validateRequest(`${DEMO_TOKEN}x`, signature, url, form));
    }
    await send('0500970003', { statusCallback: `${receiver.url}/rejected` });
    const [, rejected] = await reportsTo('/rejected', 2);
    const form = Object.fromEntries(new URLSearchParams(rejected!.body));
    assert.deepEqual([form.MessageStatus, form.ErrorCode], ['undelivered', '30007']);
  },
);

test('the token of a callback is stored sealed', covers('twilio.sealed'), async () => {
  const rows = await service.sql<
    { secret: Buffer; content: string }[]
  >`SELECT secret, content FROM status_callbacks`;
  assert.ok(rows.length > 0);
  for (const { secret, content } of rows) {
    assert.ok(!secret.includes(DEMO_TOKEN));
    assert.ok(!content.includes(DEMO_TOKEN));
  }
});

test('a scheduled message waits, and a validity limits the attempts', covers('twilio.times'), async () => {
  const sendAt = new Date(service.appContext.clock.now() + 3_600_000);
  const message = await send(newPhone(), { sendAt, scheduleType: 'fixed', validityPeriod: 600 });
  assert.equal(message.status, 'scheduled');
  const [row] = await service.sql<{ due_at: number; valid_until: number }[]>`
    SELECT due_at, valid_until FROM shipments ORDER BY id DESC LIMIT 1`;
  assert.equal(Math.floor(row!.due_at / 1_000), Math.floor(sendAt.getTime() / 1_000));
  assert.equal(row!.valid_until - row!.due_at, 600_000);
});

test('refusals have the codes of Twilio', covers('twilio.errors'), async () => {
  const poor = await service.addAccount({ username: 'poor' }, 0);
  const { tokens } = service.appContext;
  const { token: reader } = await tokens.mint(poor.id, { scopes: ['read'] });
  const poorSid = sidOf('AC', poor.id);
  const blocked = newPhone();
  await service.call('json', 'addNumBL', { phones: { phone: blocked } });
  const to = newPhone();
  await service.appContext.sources.approve(poor.id, 'Shop');
  const create = (account: string, token: string, from = 'Shop') =>
    clientOf(account, token).messages.create({ to, from, body: 'a' });
  const cases: [() => Promise<unknown>, number, number | null][] = [
    [() => create(sid, 'wrong'), 401, 20003],
    [() => create(sidOf('AC', 1), DEMO_TOKEN), 401, 20003],
    [() => create(poorSid, reader), 403, 20403],
    [() => clientOf(poorSid, DEMO_TOKEN).messages.list({ limit: 1 }), 401, 20003],
    [() => create(poorSid, poor.token), 402, null],
    [() => create(poorSid, poor.token, 'Other'), 400, 21606],
    [() => send('12'), 400, 21211],
    [() => send(to, { from: '' }), 400, 21603],
    [() => send(to, { from: 'Not a sender!' }), 400, 21212],
    [() => send(to, { body: '' }), 400, 21602],
    [() => send(to, { body: 'a'.repeat(1_006) }), 400, 21617],
    [() => send(to, { statusCallback: 'ftp://example.com/' }), 400, 21609],
    [() => send(to, { mediaUrl: ['https://example.com/a.png'] }), 400, 20001],
    [() => send(to, { messagingServiceSid: 'MG00000000000000000000000000000000' }), 400, 20001],
    [() => send(to, { validityPeriod: 40_000 }), 400, 35118],
    [() => send(to, { sendAt: new Date(), scheduleType: 'never' }), 400, 35114],
    [() => send(blocked), 400, 21610],
  ];
  for (const [work, status, code] of cases) assert.deepEqual(await failure(work()), { status, code });
});

test('a repeated request with a send key sends once and returns the same message', async () => {
  const form = new URLSearchParams({ To: newPhone(), From: 'Shop', Body: 'Once' }).toString();
  const create = async () => {
    const { status, text } = await sendRequest(`${service.url}/2010-04-01/Accounts/${sid}/Messages.json`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${sid}:${DEMO_TOKEN}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': 'twilio-1',
      },
      body: form,
    });
    assert.equal(status, 201);
    return (JSON.parse(text) as { sid: string }).sid;
  };
  const first = await create();
  assert.equal(await create(), first);
});

test('a parent creates and reads messages of its subscriber, and nobody else does', async () => {
  const seller = await service.addAccount({ username: 'seller' });
  const branch = await service.addAccount({ username: 'branch', parentId: seller.id });
  const sidOfBranch = sidOf('AC', branch.id);
  assert.deepEqual(await clientOf(sidOfBranch, seller.token).messages.list({ limit: 5 }), []);
  assert.deepEqual(await failure(clientOf(sidOfBranch, DEMO_TOKEN).messages.list({ limit: 5 })), {
    status: 401,
    code: 20003,
  });
  const mine = await send(newPhone());
  assert.deepEqual(await failure(clientOf(sidOf('AC', seller.id), seller.token).messages(mine.sid).fetch()), {
    status: 404,
    code: 20404,
  });
});

test('hostile requests are answered, and never with a fault', async () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const root = `${service.url}/2010-04-01/Accounts`;
  const signedIn = basic(`${sid}:${DEMO_TOKEN}`);
  for (const [path, method, headers, body] of [
    [`${sid}/Messages.json?PageSize=x&Page=-1&PageToken=%00`, 'GET', signedIn, null],
    [`${sid}/Messages.json?DateSent=never`, 'GET', signedIn, null],
    [`${sid}/Messages.json?To=%ff`, 'GET', signedIn, null],
    [`${sid}/Messages/SM${'f'.repeat(32)}.json`, 'GET', signedIn, null],
    [`${sid}/Messages/%00.json`, 'GET', signedIn, null],
    [`AC${'f'.repeat(32)}/Messages.json`, 'GET', signedIn, null],
    [`${sid}/Messages.json`, 'GET', basic('\0:\0'), null],
    [`${sid}/Messages.json`, 'GET', { authorization: 'Basic ====' }, null],
    [`${sid}/Messages.json`, 'GET', {}, null],
    [`${sid}/Messages.json`, 'POST', signedIn, 'To=%00&From=%00&Body=%00&StatusCallback=%00&SendAt=%00'],
    [`${sid}/Messages.json`, 'POST', signedIn, 'To=0501234567&From=Shop&Body=%00'],
    [`${sid}/Messages.json`, 'POST', signedIn, '\0\0'],
  ] as const) {
    const { status } = await sendRequest(`${root}/${path}`, { method, headers: { ...headers }, body });
    assert.ok(status < 500, `${method} ${path}: ${status}`);
  }
  assert.equal(idOfSid('SM', `SM${'f'.repeat(32)}`), undefined);
});
