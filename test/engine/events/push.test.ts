import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  DuplicateEndpoint,
  EndpointRefused,
  EndpointUnknown,
} from '../../../server/engine/events/endpoints.ts';
import type { EventType } from '../../../server/engine/events/types.ts';
import { covers } from '../../conformance/covers.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { addAccount, numbersOf, record, startEvents, startReceiver, statusEvent, upTo } from './support.ts';

const { sql } = await createDatabase();
const events = await startEvents(sql);
let accounts = 0;
const nothingQueued = async () => (await sql`SELECT 1 FROM event_queue`).length === 0;
const newAccount = async () => {
  const id = ++accounts;
  await addAccount(sql, id);
  return id;
};

test(
  'a dlr push has the fields of the report and the phone, in the account’s time zone',
  covers('events.dlr'),
  async () => {
    const account = await newAccount();
    const receiver = await startReceiver();
    await events.endpoints.register({ accountId: account, kind: 'dlr', url: `${receiver.url}?key=a%20b` });
    const at = Date.UTC(2026, 6, 1, 21, 5, 59);
    await record(sql, events, account, [statusEvent(1, at)]);
    await waitFor('the push', () => receiver.received.length === 1);
    const [push] = receiver.received;
    assert.equal(push!.path, '/push?key=a%20b');
    assert.equal(push!.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(Object.fromEntries(new URLSearchParams(push!.body)), {
      external_id: 'order 1',
      status: '102',
      he_message: 'הגיע ליעד',
      en_message: 'Delivered',
      // Summer time: three hours ahead of UTC, and so the next day.
      date: '02/07/26 00:05',
      shipment_id: '4200000000000',
      phone: '0501000001',
    });
  },
);

test(
  'incoming and blacklist pushes have their fields, whatever the text is',
  covers('events.incoming, blacklist'),
  async () => {
    const account = await newAccount();
    const receiver = await startReceiver();
    await events.endpoints.register({ accountId: account, kind: 'incoming', url: `${receiver.url}/in` });
    await events.endpoints.register({ accountId: account, kind: 'blacklist', url: `${receiver.url}/bl` });
    const at = Date.UTC(2026, 0, 31, 23, 0);
    const message = 'שלום & a=b+c % "q"\n😀 \ud800 \0';
    await record(sql, events, account, [
      {
        type: 'sms.incoming',
        at,
        data: { message_id: 1, source: '972501234567', destination: '972550000001', message },
      },
      { type: 'blacklist.added', at, data: { phone: '447700900123' } },
    ]);
    await waitFor('both', () => receiver.received.length === 2);
    const fields = (path: string) =>
      Object.fromEntries(new URLSearchParams(receiver.received.find((one) => one.path === path)!.body));
    assert.deepEqual(fields('/push/in'), {
      source: '0501234567',
      destination: '0550000001',
      message: message.toWellFormed(),
      date: '01/02/26 01:00',
      phone: '0501234567',
    });
    assert.deepEqual(fields('/push/bl'), { phone: '447700900123', date: '01/02/26 01:00' });
  },
);

test(
  'a webhook is JSON that the Standard Webhooks library verifies, and only of the types it wants',
  covers('amendments.ids', 'events.webhooks'),
  async () => {
    const account = await newAccount();
    const receiver = await startReceiver();
    const all = await events.endpoints.register({
      accountId: account,
      kind: 'webhook',
      url: `${receiver.url}/all`,
    });
    const types: EventType[] = ['blacklist.added'];
    await events.endpoints.register({
      accountId: account,
      kind: 'webhook',
      url: `${receiver.url}/some`,
      types,
    });
    assert.match(all.secret!, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const at = Date.UTC(2026, 6, 1, 21, 5, 59, 123);
    await record(sql, events, account, [
      statusEvent(1, at, 101),
      { type: 'blacklist.added', at, data: { phone: '972501234567' } },
    ]);
    await waitFor('three', () => receiver.received.length === 3);
    const some = receiver.received.filter((one) => one.path === '/push/some');
    assert.equal(some.length, 1);
    const hooks = receiver.received.filter((one) => one.path === '/push/all');
    const bodies = hooks.map(({ headers, body }) => {
      const named = headers as Record<string, string>;
      assert.throws(() => new Webhook(all.secret!).verify(body.replace('data', 'dota'), named));
      assert.equal(headers['content-type'], 'application/json');
      return new Webhook(all.secret!).verify(body, named) as { type: string };
    });
    bodies.sort((a, b) => a.type.localeCompare(b.type));
    assert.deepEqual(bodies, [
      {
        type: 'blacklist.added',
        timestamp: '2026-07-01T21:05:59.123Z',
        data: { phone: '972501234567', date: '2026-07-01T21:05:59.123Z' },
      },
      {
        type: 'message.status',
        timestamp: '2026-07-01T21:05:59.123Z',
        data: {
          message_id: '7000000000001',
          external_id: 'order 1',
          shipment_id: '4200000000000',
          phone: '972501000001',
          source: 'Shop',
          status: 101,
          code: 'DELIVRD',
          en_message: 'Not delivered',
          he_message: 'לא הגיע ליעד',
          date: '2026-07-01T21:05:59.123Z',
        },
      },
    ]);
    assert.equal(new Set(hooks.map(({ headers }) => headers['webhook-id'])).size, 2);
  },
);

test(
  'each event of many batches is pushed once, without a failed attempt, and is counted',
  covers('events.once'),
  async () => {
    const account = await newAccount();
    const receiver = await startReceiver();
    await events.endpoints.register({ accountId: account, kind: 'dlr', url: receiver.url });
    const happened = upTo(2_300).map((n) => statusEvent(n, Date.now()));
    await record(sql, events, account, happened.slice(0, 1_300));
    for (const event of happened.slice(1_300, 1_320)) await record(sql, events, account, [event]);
    await record(sql, events, account, happened.slice(1_320));
    await waitFor('all of them', () => receiver.received.length >= 2_300);
    await waitFor('an empty queue', nothingQueued);
    assert.deepEqual(numbersOf(receiver), upTo(2_300));
    await waitFor('no stored delivery', async () => {
      return (await events.pendingDeliveries({ accountId: account })).length === 0;
    });
    // Where the receiver is behind for a second or more, as on a busy machine, events are stored and sent at its pace.
    const stored = await events.pendingDeliveries({ accountId: account, states: ['done'], most: 2_300 });
    assert.deepEqual(
      stored.filter(({ last_error }) => last_error !== null),
      [],
    );
    const counted = await waitFor('the counter', async () => {
      const [endpoint] = await events.endpoints.list(account);
      return endpoint!.delivered === 2_300 ? endpoint : undefined;
    });
    assert.equal(counted.failed, 0);
    assert.equal(counted.failing_since, null);
  },
);

test('events that nobody wants make no rows, and a removed endpoint wants nothing', async () => {
  const account = await newAccount();
  const receiver = await startReceiver();
  const { id } = await events.endpoints.register({ accountId: account, kind: 'incoming', url: receiver.url });
  assert.equal(events.wants(account, 'sms.incoming'), true);
  assert.equal(events.wants(account, 'message.status'), false);
  await record(sql, events, account, [statusEvent(1, Date.now())]);
  await events.endpoints.remove(account, id);
  assert.equal(events.wants(account, 'sms.incoming'), false);
  assert.equal((await sql`SELECT 1 FROM event_batches WHERE account_id = ${account}`).length, 0);
  await assert.rejects(events.endpoints.remove(account, id), EndpointUnknown);
});

test('a transaction that fails sends nothing', async () => {
  const account = await newAccount();
  const receiver = await startReceiver();
  await events.endpoints.register({ accountId: account, kind: 'dlr', url: receiver.url });
  const failing = sql.begin(async (tx) => {
    await events.record(tx, account, [statusEvent(1, Date.now())]);
    throw new Error('the rule says no');
  });
  await assert.rejects(failing, /the rule says no/);
  await record(sql, events, account, [statusEvent(2, Date.now())]);
  await waitFor('the other one', () => receiver.received.length === 1);
  assert.deepEqual(numbersOf(receiver), [2]);
});

test('registration refuses what cannot be, with its reason', async () => {
  const account = await newAccount();
  const guarded = await startEvents(sql, undefined, { allowPrivate: false });
  const url = 'https://hooks.example.com/path';
  await events.endpoints.register({ accountId: account, kind: 'dlr', url });
  await events.endpoints.register({ accountId: account, kind: 'incoming', url });
  await assert.rejects(
    events.endpoints.register({
      accountId: account,
      kind: 'dlr',
      url: 'HTTPS://hooks.example.com:443/path#x',
    }),
    DuplicateEndpoint,
  );
  const refused = (text: string, reason: RegExp) =>
    assert.rejects(
      guarded.endpoints.register({ accountId: account, kind: 'dlr', url: text }),
      (error: Error) => {
        assert.ok(error instanceof EndpointRefused, String(error));
        assert.match(error.message, reason);
        return true;
      },
    );
  await refused('ftp://example.com/', /http and https/);
  await refused('example.com/path', /full address/);
  await refused('https://user:secret@example.com/', /user name or password/);
  await refused('http://0x7f.1/', /private or reserved/);
  await refused(`https://example.com/${'a'.repeat(2_000)}`, /longer than/);
  await assert.rejects(
    events.endpoints.register({ accountId: account, kind: 'webhook', url, types: ['no.such' as EventType] }),
    EndpointRefused,
  );
  await assert.rejects(
    events.endpoints.register({ accountId: account, kind: 'webhook', url, types: [] }),
    EndpointRefused,
  );
});
