import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createEventModule } from '../../../server/run/app-context.ts';
import { covers } from '../../conformance/covers.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newClient, notification, SOURCE, startChat, templateId } from '../chat-api/support.ts';

/** What the chat platform's webhooks bring: signed, twice, in any order, and about messages of others. */
const SECRET = 'the secret of the app';
const chat = await startChat({ CHAT_APP_SECRET: SECRET });
const { sql, url } = chat;
const { demo } = chat;
const { clock } = chat.appContext;
const receiver = await startReceiver();
const room = createEventModule(chat.appContext, { allowPrivate: true, deliver: false });
await room.endpoints.register({ accountId: demo.id, kind: 'webhook', url: receiver.url });

interface Event {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
const eventsOf = (type: string, to: string): Event[] =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as Event)
    .filter((event) => event.type === type && (event.data.to === to || event.data.from === to));

/** Brings a notification as the platform does; the status of the answer. */
async function bring(body: string | Buffer, signature?: string | null): Promise<number> {
  const signed = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const response = await fetch(`${url}/chat-webhooks`, {
    method: 'POST',
    body: body as string,
    headers: {
      'content-type': 'application/json',
      ...(signature !== null && { 'x-hub-signature-256': signature ?? signed }),
    },
  });
  return response.status;
}

const seconds = () => String(Math.floor(clock.now() / 1_000));
const statusOf = (messageId: number, client: string, status: string, more: object = {}) =>
  notification({
    statuses: [
      {
        id: `wamid.${messageId}`,
        status,
        timestamp: seconds(),
        recipient_id: client,
        biz_opaque_callback_data: `${demo.id}.${messageId}`,
        ...more,
      },
    ],
  });
const messageFrom = (client: string, id: string, body: string) =>
  notification({
    contacts: [{ profile: { name: 'Dana' }, wa_id: client }],
    messages: [{ from: client, id, timestamp: seconds(), type: 'text', text: { body } }],
  });

await waitFor('the endpoint is known', async () => {
  await bring(messageFrom(newClient(), `wamid.known.${clock.now()}.${receiver.received.length}`, 'known?'));
  return receiver.received.length > 0;
});

let silent = 0;

/** Sends to a phone of which no status comes by itself, and waits until the platform has the message. */
async function send(): Promise<{ id: number; client: string }> {
  // 0004: arrives, and no status is told.
  const client = `97254${100 + silent++}0004`;
  const answer = await chat.post('send-template-message', {
    source: SOURCE,
    destination: client,
    templateId: templateId('plain'),
  });
  assert.equal(answer.ans.reason, 1, JSON.stringify(answer.json));
  const id = Number(answer.ans.unique);
  await waitFor('it is handed over', async () => (await stored(id)).handed_at !== null);
  return { id, client };
}

async function stored(id: number) {
  const [row] = await sql<
    { status: number; handed_at: number | null; read_at: number | null; code: string | null }[]
  >`
    SELECT status, handed_at, read_at, code FROM messages WHERE account_id = ${demo.id} AND id = ${id}`;
  return row!;
}

/** Presses a button of a message that arrived at a phone. */
async function press(client: string, message: string, button: string): Promise<void> {
  const response = await fetch(`${url}/v1/sandbox/phones/${client}/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: SOURCE, message, button }),
  });
  assert.equal(response.status, 200);
}

const statusesOf = (client: string) => eventsOf('chat.status', client).map(({ data }) => data.status);

test('statuses are stored in their order, and told', covers('chatEvents.chat.status'), async () => {
  const { id, client } = await send();
  assert.equal(await bring(statusOf(id, client, 'delivered')), 200);
  assert.equal((await stored(id)).status, 102);
  assert.equal(await bring(statusOf(id, client, 'read')), 200);
  assert.notEqual((await stored(id)).read_at, null);
  await waitFor('all are told', () => statusesOf(client).length >= 3);
  assert.deepEqual(statusesOf(client).sort(), ['delivered', 'read', 'sent']);
});

test(
  'statuses that arrive twice or out of order never revert, and are reported once',
  covers('chatEvents.chat.status', 'chatPlatform.twice, in any order'),
  async () => {
    const { id, client } = await send();
    for (const status of ['read', 'read', 'delivered', 'sent', 'delivered']) {
      assert.equal(await bring(statusOf(id, client, status)), 200);
    }
    assert.equal(
      await bring(statusOf(id, client, 'failed', { errors: [{ code: 131026, title: 'x' }] })),
      200,
    );
    const row = await stored(id);
    assert.equal(row.status, 102);
    assert.notEqual(row.read_at, null);
    await waitFor('all are told', () => statusesOf(client).length >= 3);
    assert.deepEqual(statusesOf(client).sort(), ['delivered', 'read', 'sent']);
  },
);

test('a failure is stored with its reason', covers('chatEvents.chat.status'), async () => {
  const { id, client } = await send();
  const failed = statusOf(id, client, 'failed', { errors: [{ code: 131026, title: 'undeliverable' }] });
  assert.equal(await bring(failed), 200);
  const row = await stored(id);
  assert.deepEqual([row.status, row.code], [101, 'no-such-number']);
  assert.equal(await bring(statusOf(id, client, 'delivered')), 200);
  assert.equal((await stored(id)).status, 101);
  await waitFor('it is told', () => statusesOf(client).includes('failed'));
  assert.equal(
    eventsOf('chat.status', client).find(({ data }) => data.status === 'failed')!.data.reason,
    'no-such-number',
  );
});

test('a failure gives the price back, once', async () => {
  for (const code of [131026, 131047, 131049, 131053]) {
    const { id, client } = await send();
    const failed = statusOf(id, client, 'failed', { errors: [{ code, title: 'x' }] });
    assert.deepEqual(await Promise.all([bring(failed), bring(failed)]), [200, 200]);
    assert.equal(await bring(failed), 200);
    const rows = await sql`
      SELECT l.amount = m.price AS whole FROM ledger l
      JOIN messages m ON m.account_id = l.account_id AND m.shipment_id = l.shipment_id
      WHERE l.account_id = ${demo.id} AND m.id = ${id} AND l.kind = 'refund'`;
    assert.deepEqual([...rows], [{ whole: true }], String(code));
    const [window] = await sql`
      SELECT unanswered, conversation_at FROM chat_windows WHERE account_id = ${demo.id} AND client = ${client}`;
    assert.deepEqual({ ...window }, { unanswered: 0, conversation_at: null });
  }
});

test('a failure that contradicts a delivery in the same notification gives nothing back', async () => {
  const { id, client } = await send();
  const both = ['delivered', 'failed'].map((status) => {
    const body = statusOf(id, client, status, { errors: [{ code: 131026, title: 'x' }] });
    return JSON.parse(body).entry[0].changes[0].value.statuses[0];
  });
  assert.equal(await bring(notification({ statuses: both })), 200);
  assert.equal((await stored(id)).status, 102);
  const refunds = await sql`
    SELECT FROM ledger l JOIN messages m ON m.account_id = l.account_id AND m.shipment_id = l.shipment_id
    WHERE l.account_id = ${demo.id} AND m.id = ${id} AND l.kind = 'refund'`;
  assert.equal(refunds.length, 0);
});

test("a status without our reference finds its message by the platform's id", async () => {
  const { id, client } = await send();
  const [{ carrier_id: platformId }] = (await sql`
    SELECT carrier_id FROM carrier_messages WHERE account_id = ${demo.id} AND message_id = ${id}`) as [
    { carrier_id: string },
  ];
  const body = statusOf(id, client, 'delivered', { id: platformId, biz_opaque_callback_data: undefined });
  assert.equal(await bring(body), 200);
  assert.equal((await stored(id)).status, 102);
});

test('a status without our reference that comes before the id is stored is kept, and applied in its order', async () => {
  const { id, client } = await send();
  const [kept] = (await sql`
    DELETE FROM carrier_messages WHERE account_id = ${demo.id} AND message_id = ${id}
    RETURNING carrier_id, link, message_id, part, account_id, phone`) as [Record<string, string | number>];
  const withId = { id: kept.carrier_id, biz_opaque_callback_data: undefined };
  assert.equal(await bring(statusOf(id, client, 'delivered', withId)), 200);
  assert.equal((await stored(id)).status, -1);
  await sql`
    INSERT INTO carrier_messages (carrier_id, link, message_id, part, account_id, phone)
    VALUES (${kept.carrier_id!}, ${kept.link!}, ${kept.message_id!}, ${kept.part!}, ${kept.account_id!}, ${kept.phone!})`;
  await waitFor('it is applied', async () => (await stored(id)).status === 102);
  await waitFor(
    'it is not kept any more',
    async () => (await sql`SELECT FROM chat_early_statuses`).length === 0,
  );
});

test('notices do not open the window', async () => {
  for (const type of ['system', 'unsupported']) {
    const client = newClient();
    const message = { from: client, id: `wamid.${type}.${client}`, timestamp: seconds(), type };
    assert.equal(await bring(notification({ messages: [message] })), 200);
    const rows = await sql`SELECT FROM chat_incoming WHERE account_id = ${demo.id} AND client = ${client}`;
    assert.equal(rows.length, 1);
    const buttons = { source: SOURCE, destination: client, header: '1', body: 'Choose', button1: 'A' };
    assert.equal((await chat.post('send-buttons', buttons)).ans.reason, 8, type);
  }
});

test('a message of a client without a number is kept, once', async () => {
  const message = { from_user_id: 'IL.42', id: 'wamid.hidden', timestamp: seconds(), type: 'text' };
  const contacts = [{ user_id: 'IL.42', profile: { name: 'Dana' } }];
  const body = notification({ contacts, messages: [{ ...message, text: { body: 'Hello' } }] });
  assert.deepEqual([await bring(body), await bring(body)], [200, 200]);
  const rows = await sql`
    SELECT body, client_name, client_user_id FROM chat_incoming WHERE account_id = ${demo.id} AND client = 'IL.42'`;
  assert.deepEqual([...rows], [{ body: 'Hello', client_name: 'Dana', client_user_id: 'IL.42' }]);
});

test('what is not signed, or wrongly, is not believed', covers('chatPlatform.signature'), async () => {
  const { id, client } = await send();
  const body = statusOf(id, client, 'delivered');
  const signed = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  assert.equal(await bring(body, null), 401);
  assert.equal(await bring(body, 'sha256=00'), 401);
  assert.equal(await bring(body, `sha1=${signed.slice(7)}`), 401);
  const other = createHmac('sha256', 'another secret').update(body).digest('hex');
  assert.equal(await bring(body, `sha256=${other}`), 401);
  // The signature is of the bytes, not of what they mean.
  assert.equal(await bring(`${body} `, signed), 401);
  assert.equal((await stored(id)).status, -1);
});

test(
  'bodies that are no notification are refused, large ones too',
  covers('chatPlatform.large, unreadable'),
  async () => {
    assert.equal(await bring('no json'), 400);
    assert.equal(await bring('{"object":"page"}'), 400);
    assert.equal(await bring(Buffer.alloc(4 * 1024 * 1024, 0x20)), 413);
    assert.equal(await bring(notification({ padding: 'x'.repeat(1_000_000) })), 200);
    assert.equal(
      await bring(notification({ statuses: [{ status: 'odd' }, 7, null], messages: 'none' })),
      200,
    );
  },
);

test(
  'statuses of messages that are not ours are passed over',
  covers('chatPlatform.twice, in any order'),
  async () => {
    const client = newClient();
    for (const reference of ['', 'someone else', '1.2', `${demo.id}.999`, '99999999999999999.1']) {
      const body = statusOf(1, client, 'delivered', { biz_opaque_callback_data: reference });
      assert.equal(await bring(body), 200, reference);
    }
  },
);

test(
  'a message of a client is stored once, opens their window, and is reported',
  covers('chatEvents.chat.message', 'chatPlatform.twice, in any order'),
  async () => {
    const client = newClient();
    const buttons = { source: SOURCE, destination: client, header: '1', body: 'Choose', button1: 'A' };
    assert.equal((await chat.post('send-buttons', buttons)).ans.reason, 8);
    const body = messageFrom(client, `wamid.in.${client}`, 'Hello');
    assert.deepEqual(await Promise.all([bring(body), bring(body), bring(body)]), [200, 200, 200]);
    const rows =
      await sql`SELECT body FROM chat_incoming WHERE account_id = ${demo.id} AND client = ${client}`;
    assert.deepEqual(
      rows.map((row) => row.body),
      ['Hello'],
    );
    assert.equal((await chat.post('send-buttons', buttons)).ans.reason, 1);
    await waitFor('it is told', () => eventsOf('chat.message', client).length === 1);
    const { data } = eventsOf('chat.message', client)[0]!;
    assert.deepEqual([data.type, data.body, data.from, data.to], ['text', 'Hello', client, SOURCE]);
  },
);

test(
  'a button that is pressed on a phone comes with our id of its message',
  covers('chat.unique', 'chatEvents.chat.button'),
  async () => {
    const client = newClient();
    await chat.clientWrites(client);
    const buttons = {
      source: SOURCE,
      destination: client,
      header: '1',
      body: 'Choose',
      button1: 'Yes',
      button2: 'No',
    };
    const answer = await chat.accepted('send-buttons', buttons);
    const [message] = await chat.arrived(client);
    // No person presses before the answer to the send is stored.
    await waitFor('the id of the platform is stored', async () => {
      const [row] = await sql`SELECT 1 FROM carrier_messages WHERE message_id = ${String(answer.ans.unique)}`;
      return row !== undefined;
    });
    await press(client, String(message!.id), 'No');
    await waitFor('it is told', () => eventsOf('chat.button', client).length === 1);
    const { data } = eventsOf('chat.button', client)[0]!;
    assert.deepEqual([data.type, data.body, data.button_id], ['button', 'No', '2']);
    assert.equal(String(data.reply_to), answer.ans.unique);
  },
);

test('the address is verified by its token alone', covers('chatPlatform.signature'), async () => {
  const ask = (query: string) => fetch(`${url}/chat-webhooks?${query}`);
  assert.equal((await ask('hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1')).status, 403);
  assert.equal((await ask('')).status, 403);
});

const storedFrom = async (client: string): Promise<unknown[]> => {
  const rows = await sql`
    SELECT body FROM chat_incoming WHERE account_id = ${demo.id} AND client = ${client} ORDER BY id`;
  return rows.map(({ body }) => body);
};

test('what can never be stored is left out, and what came with it is not brought again and again', async () => {
  const { id, client } = await send();
  const [victim, other] = [newClient(), newClient()];
  await sql.unsafe(`ALTER TABLE chat_incoming ADD CONSTRAINT victim_check CHECK (client <> '${victim}')`);
  try {
    const parts = [
      messageFrom(victim, `wamid.victim.${victim}`, 'poison'),
      messageFrom(other, `wamid.other.${other}`, 'Hello'),
      statusOf(id, client, 'delivered'),
    ].map((body) => (JSON.parse(body) as { entry: object[] }).entry[0]);
    assert.equal(await bring(JSON.stringify({ object: 'whatsapp_business_account', entry: parts })), 200);
  } finally {
    await sql.unsafe('ALTER TABLE chat_incoming DROP CONSTRAINT victim_check');
  }
  assert.deepEqual([await storedFrom(victim), await storedFrom(other)], [[], ['Hello']]);
  assert.equal((await stored(id)).status, 102);
});

test('ids that are far too long for an index stop nothing', async () => {
  const long = () => `wamid.${randomBytes(20_000).toString('hex')}`;
  const client = newClient();
  const body = messageFrom(client, long(), 'Hello');
  assert.deepEqual([await bring(body), await bring(body)], [200, 200]);
  assert.deepEqual(await storedFrom(client), ['Hello']);
  const { id, client: recipient } = await send();
  await sql`UPDATE messages SET handed_at = NULL WHERE id = ${id}`;
  assert.equal(await bring(statusOf(id, recipient, 'delivered', { id: long() })), 200);
  assert.equal((await stored(id)).status, 102);
});
