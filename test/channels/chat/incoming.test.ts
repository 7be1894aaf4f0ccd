import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { createEventModule } from '../../../server/run/app-context.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { incomingExamples } from '../../protocols/chat-platform/incoming-examples.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newClient, notification, SOURCE, signedWith, startChat, templateId } from '../chat-api/support.ts';

/* What clients write, of every kind: kept once, told once, and answered, also when they hide their number. */

const SECRET = 'the secret of the app';
const chat = await startChat({ CHAT_APP_SECRET: SECRET });
const { sql, url, demo } = chat;
const { clock } = chat.appContext;
const receiver = await startReceiver();
const events = createEventModule(chat.appContext, { allowPrivate: true, deliver: false });
await events.endpoints.register({ accountId: demo.id, kind: 'webhook', url: receiver.url });

interface Event {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
const eventsFrom = (client: string): Event[] =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as Event)
    .filter(({ type, data }) => /^chat\.(message|button)$/.test(type) && data.from === client);

async function bring(value: object): Promise<void> {
  const body = notification(value);
  const response = await fetch(`${url}/chat-webhooks`, {
    method: 'POST',
    body,
    headers: signedWith(SECRET, body),
  });
  assert.equal(response.status, 200);
}

let lastId = 0;
const newId = () => `wamid.${clock.now()}.${++lastId}`;
const newUserId = () => `IL.${randomInt(2 ** 40)}${++lastId}`;

/** Brings a message; its id. */
async function write(from: object, message: object, contact: object = {}): Promise<string> {
  const id = newId();
  const timestamp = String(Math.floor(clock.now() / 1_000));
  const contacts = [{ profile: { name: 'Dana', username: 'dana.levi' }, ...contact }];
  await bring({ contacts, messages: [{ ...from, id, timestamp, ...message }] });
  return id;
}

interface Row {
  readonly id: number;
  readonly type: string;
  readonly body: string;
  readonly button_id: string | null;
  readonly card: number | null;
  readonly content: object | null;
  readonly about_id: number | null;
  readonly client_name: string;
  readonly client_user_id: string;
  readonly client_username: string;
}
const storedFrom = (client: string) => sql<Row[]>`
  SELECT id, type, body, button_id, card, content, about_id, client_name, client_user_id, client_username
  FROM chat_incoming WHERE account_id = ${demo.id} AND number = ${SOURCE} AND client = ${client} ORDER BY id`;

const text = (body: string) => ({ type: 'text', text: { body } });
const buttons = (client: string) => {
  return { source: SOURCE, destination: client, header: '1', body: 'Choose', button1: 'A' };
};
/** The reason of an answer to the client: 1 for accepted. */
const answerReason = async (client: string) => (await chat.post('send-buttons', buttons(client))).ans.reason;

await waitFor('the endpoint is known', async () => {
  await write({ from: newClient() }, text('known?'));
  return receiver.received.length > 0;
});

describe("the platform's examples", () => {
  for (const { name, message, content, origin, opensWindow } of incomingExamples) {
    test(`${name}: stored and told once, and ${opensWindow ? 'opens' : 'does not open'} the window`, async () => {
      const client = newClient();
      const given = { from: client, id: newId(), timestamp: String(Math.floor(clock.now() / 1_000)) };
      const value = {
        contacts: [{ profile: { name: 'Dana' }, wa_id: client }],
        messages: [{ ...given, ...message }],
      };
      await Promise.all([bring(value), bring(value)]);
      await bring(value);
      const [row, ...more] = await storedFrom(client);
      assert.equal(more.length, 0);
      // Of a file, our id, which it gets when it is first heard of.
      const [file] = await sql<{ id: number; origin_id: string }[]>`
        SELECT id, origin_id FROM media WHERE id > ${row!.id} ORDER BY id DESC LIMIT 1`;
      assert.equal(file?.origin_id, content.media?.id);
      const media = file ? { media_id: String(file.id) } : null;
      const told = content.details || origin ? { ...media, ...content.details, ...origin } : null;
      const { body = '', buttonId = null, card = null } = content;
      const shown = [row!.type, row!.body, row!.button_id, row!.card, row!.content];
      assert.deepEqual(shown, [content.type, body, buttonId, card, told]);
      const [window] = await sql`
        SELECT FROM chat_windows WHERE account_id = ${demo.id} AND client = ${client} AND client_at IS NOT NULL`;
      assert.equal(window !== undefined, opensWindow);
      await waitFor('it is told', () => eventsFrom(client).length > 0);
      const events = eventsFrom(client).map(({ type, data }) => [type, data.type, data.body, data.content]);
      const event = content.type === 'button' ? 'chat.button' : 'chat.message';
      assert.deepEqual(events, [[event, content.type, body, told]]);
    });
  }
});

test('edits, deletions and reactions name the message that they are about', async () => {
  const client = newClient();
  // The phone of the sandbox wrote, too: its platform has a window of its own.
  await chat.clientWrites(client);
  const original = await write({ from: client }, text('Tomorrow at 4'));
  assert.equal(await answerReason(client), 1);
  const [sent] = await chat.arrived(client);
  await waitFor('the id of the platform is stored', async () => {
    const rows = await sql`SELECT FROM carrier_messages WHERE account_id = ${demo.id} AND phone = ${client}`;
    return rows.length > 0;
  });
  const message = text('Tomorrow at 5');
  await write({ from: client }, { type: 'edit', edit: { original_message_id: original, message } });
  await write({ from: client }, { type: 'revoke', revoke: { original_message_id: original } });
  await write({ from: client }, { type: 'reaction', reaction: { message_id: sent!.id, emoji: '👍' } });
  await write({ from: client }, { type: 'reaction', reaction: { message_id: original, emoji: '👍' } });
  await write({ from: client }, { type: 'revoke', revoke: { original_message_id: 'wamid.elsewhere' } });
  const [, first, ...about] = await storedFrom(client);
  const [ours] = await sql<{ id: number }[]>`
    SELECT id FROM messages WHERE account_id = ${demo.id} AND recipient = ${client}`;
  assert.equal(first!.body, 'Tomorrow at 4');
  assert.deepEqual(
    about.map(({ type, body, about_id }) => [type, body, about_id]),
    [
      ['edited', 'Tomorrow at 5', first!.id],
      ['deleted', '', first!.id],
      ['reaction', '👍', ours!.id],
      ['reaction', '👍', first!.id],
      ['deleted', '', null],
    ],
  );
  await waitFor('all are told', () => eventsFrom(client).length === 7);
  const edit = eventsFrom(client).find(({ data }) => data.type === 'edited');
  assert.equal(edit!.data.about_id, String(first!.id));
});

describe('clients who hide their number', () => {
  test('are kept, told by their id, and answered like others', async () => {
    const userId = newUserId();
    assert.notEqual(await answerReason(userId), 1);
    await write({ from_user_id: userId }, text('Hello'), { user_id: userId });
    const [row] = await storedFrom(userId);
    assert.deepEqual(
      [row!.body, row!.client_name, row!.client_username, row!.client_user_id],
      ['Hello', 'Dana', 'dana.levi', userId],
    );
    await waitFor('it is told', () => eventsFrom(userId).length === 1);
    const { data } = eventsFrom(userId)[0]!;
    assert.deepEqual([data.user_id, data.name, data.body], [userId, 'Dana', 'Hello']);

    // The phone of the sandbox wrote, too: its platform has a window of its own.
    await chat.clientWrites(userId, 'Are you there?');
    const answer = await chat.accepted('send-buttons', { ...buttons(userId), replyTo: String(row!.id) });
    assert.equal(answer.ans.to, userId);
    const [arrived] = await chat.arrived(userId);
    assert.equal(arrived!.body, 'Choose');
    const id = Number(answer.ans.unique);
    await waitFor('its delivery is known', async () => {
      const [message] = await sql`SELECT status FROM messages WHERE account_id = ${demo.id} AND id = ${id}`;
      return message!.status === 102;
    });
    const template = { source: SOURCE, destination: userId, templateId: templateId('plain') };
    await chat.accepted('send-template-message', template);
  });

  test('stay in the conversation of their number', async () => {
    const [client, userId] = [newClient(), newUserId()];
    await write({ from: client, from_user_id: userId }, text('With my number'));
    await write({ from_user_id: userId }, text('Without'));
    const rows = await storedFrom(client);
    assert.deepEqual(
      rows.map(({ body, client_user_id }) => [body, client_user_id]),
      [
        ['With my number', userId],
        ['Without', userId],
      ],
    );
    assert.equal((await storedFrom(userId)).length, 0);
    // Answered by either name, it is the same window.
    assert.equal((await chat.accepted('send-buttons', buttons(userId))).ans.to, client);
    assert.equal((await chat.accepted('send-buttons', buttons(client))).ans.to, client);
    // The contact of a message names the id, too; a new number takes its place.
    const moved = newClient();
    await write({ from: moved }, text('My new number'), { wa_id: moved, user_id: userId });
    await write({ from_user_id: userId }, text('Hidden again'));
    assert.deepEqual(
      (await storedFrom(moved)).map(({ body }) => body),
      ['My new number', 'Hidden again'],
    );
  });

  test('pay the price of the country that their id names', async () => {
    const token = { headers: { authorization: `Bearer ${DEMO_TOKEN}` } };
    const [abroad, home] = [`US.${randomInt(2 ** 40)}`, newUserId()];
    await sql`INSERT INTO prices (account_id, channel, prefix, price) VALUES (${demo.id}, 'chat', '1', 2.5)`;
    try {
      for (const client of [abroad, home]) await write({ from_user_id: client }, text('Hello'));
      await waitFor('the price is known', async () => {
        const response = await fetch(`${url}/v1/chat/messages/estimate`, {
          method: 'POST',
          headers: { ...token.headers, 'content-type': 'application/json' },
          body: JSON.stringify({ source: SOURCE, to: abroad, template_id: templateId('plain') }),
        });
        const { cost } = (await response.json()) as { cost: string };
        return Number(cost) === 2.5;
      });
      const costOf = async (client: string) => {
        const { ans } = await chat.accepted('send-buttons', buttons(client));
        const [message] = await sql<{ price: string }[]>`
          SELECT price FROM messages WHERE account_id = ${demo.id} AND id = ${String(ans.unique)}`;
        return Number(message!.price);
      };
      assert.equal(await costOf(abroad), 2.5);
      assert.notEqual(await costOf(home), 2.5);
    } finally {
      await sql`DELETE FROM prices WHERE account_id = ${demo.id} AND channel = 'chat' AND prefix = '1'`;
    }
  });
});
