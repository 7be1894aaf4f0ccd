import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asPerson } from '../../api/v1/calls.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newClient, signedWith } from '../chat-api/support.ts';

/* Messages of clients of many accounts are stored in groups: none affects another. */

const SECRET = 'the secret of the app';
const lines: string[] = [];
const service = await startTestService({
  settings: { CHAT_APP_SECRET: SECRET },
  logTo: (line) => lines.push(line),
});
const { sql, url, appContext } = service;
const { clock } = appContext;

interface Desk {
  readonly id: number;
  /** The business number, and its id on the platform. */
  readonly number: string;
  readonly numberId: string;
}

let desks = 0;

/** Creates an account with a business number. */
async function newDesk(): Promise<Desk> {
  const index = ++desks;
  const { id } = await service.addAccount({ username: `desk-${index}` });
  const [number, numberId] = [`97255200${String(index).padStart(4, '0')}`, `7000${index}`];
  await sql`
    INSERT INTO chat_numbers (phone, account_id, portfolio_id, name, platform_id, messages_per_second, created_at)
    SELECT ${number}, ${id}, portfolio_id, 'Desk', ${numberId}, 80, 0 FROM chat_numbers LIMIT 1`;
  return { id, number, numberId };
}

const newDesks = async (count: number): Promise<Desk[]> => {
  const all: Desk[] = [];
  while (all.length < count) all.push(await newDesk());
  return all;
};

let lastId = 0;

interface Text {
  readonly id: string;
  readonly body: string;
}
const text = (body: string): Text => ({ id: `wamid.group.${++lastId}`, body });
const texts = (...bodies: readonly string[]) => bodies.map(text);

const messageOf = (from: object, { id, body }: Text) => ({
  ...{ ...from, id, timestamp: String(Math.floor(clock.now() / 1_000)) },
  ...{ type: 'text', text: { body } },
});

/** A change of a webhook with messages of a client, a number or an id of the platform. */
const written = (client: string, messages: readonly Text[]) => ({
  field: 'messages',
  value: {
    contacts: [{ profile: { name: 'Dana' }, wa_id: client }],
    messages: messages.map((message) => messageOf({ from: client }, message)),
  },
});

/** Brings a webhook, which is stored then. */
async function bring({ number, numberId }: Desk, changes: readonly { field: string; value: object }[]) {
  const metadata = { display_phone_number: number, phone_number_id: numberId };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '100000000000001',
        changes: changes.map(({ field, value }) => ({ field, value: { metadata, ...value } })),
      },
    ],
  });
  const response = await fetch(`${url}/chat-webhooks`, {
    method: 'POST',
    body,
    headers: signedWith(SECRET, body),
  });
  assert.equal(response.status, 200);
}

/** Texts of a desk's messages by client, in the order of their ids. */
async function storedAt({ id }: Desk): Promise<Record<string, string[]>> {
  const rows = await sql<{ client: string; body: string }[]>`
    SELECT client, body FROM chat_incoming WHERE account_id = ${id} ORDER BY id`;
  const byClient = Object.groupBy(rows, ({ client }) => client);
  return Object.fromEntries(
    Object.entries(byClient).map(([client, own]) => [client, own!.map(({ body }) => body)]),
  );
}

interface Conversation {
  readonly id: number;
  readonly unread: number;
  readonly last_text: string;
  readonly last_from_client: boolean;
  readonly assignee_id: number | null;
}

async function conversationOf({ id }: Desk, client: string): Promise<Conversation | undefined> {
  const [row] = await sql<Conversation[]>`
    SELECT id, unread, last_text, last_from_client, assignee_id FROM conversations
    WHERE account_id = ${id} AND client = ${client}`;
  return row;
}

/** Counts the statements that store messages while `work` runs. */
async function countGroups(work: () => Promise<unknown>): Promise<number> {
  const { options } = appContext.database.sql;
  let count = 0;
  options.observe = (statement) => {
    if (statement.includes('INSERT INTO chat_incoming')) count++;
  };
  try {
    await work();
  } finally {
    options.observe = undefined;
  }
  return count;
}

test('messages of many accounts are stored in groups, each in its conversation', async () => {
  const all = await newDesks(20);
  const client = newClient();
  const others = all.map(() => newClient());
  const groups = await countGroups(() =>
    Promise.all(
      all.flatMap((desk, index) => [
        bring(desk, [written(client, texts('One', 'Two', 'Three'))]),
        bring(desk, [written(others[index]!, texts('Hello'))]),
      ]),
    ),
  );
  assert.ok(groups < 80, `${groups} groups of 80 messages`);
  for (const [index, desk] of all.entries()) {
    assert.deepEqual(await storedAt(desk), {
      [client]: ['One', 'Two', 'Three'],
      [others[index]!]: ['Hello'],
    });
    const conversation = await conversationOf(desk, client);
    assert.deepEqual([conversation!.unread, conversation!.last_text], [3, 'Three']);
    const windows = await sql`
      SELECT FROM chat_windows WHERE account_id = ${desk.id} AND number = ${desk.number} AND client_at IS NOT NULL`;
    assert.equal(windows.length, 2);
  }
});

test('a message that arrives repeatedly in one group is stored once', async () => {
  const desk = await newDesk();
  const client = newClient();
  const [first, second] = texts('First', 'Second') as [Text, Text];
  const change = written(client, [first, second, second, first, second]);
  await Promise.all([bring(desk, [change, change]), bring(desk, [change])]);
  assert.deepEqual(await storedAt(desk), { [client]: ['First', 'Second'] });
  assert.equal((await conversationOf(desk, client))!.unread, 2);
});

test('a message that cannot be stored is left out, and the others of its group are stored', async () => {
  const all = await newDesks(5);
  const clients = all.map(() => newClient());
  await sql`ALTER TABLE chat_incoming ADD CONSTRAINT no_poison CHECK (body <> 'poison') NOT VALID`;
  try {
    await Promise.all(
      all.map((desk, index) =>
        bring(desk, [written(clients[index]!, texts('One', index === 2 ? 'poison' : 'Two', 'Three'))]),
      ),
    );
  } finally {
    await sql`ALTER TABLE chat_incoming DROP CONSTRAINT no_poison`;
  }
  for (const [index, desk] of all.entries()) {
    const expected = index === 2 ? ['One', 'Three'] : ['One', 'Two', 'Three'];
    assert.deepEqual(await storedAt(desk), { [clients[index]!]: expected });
    assert.equal((await conversationOf(desk, clients[index]!))!.unread, expected.length);
  }
  const logged = lines.filter((line) => line.includes('notice of the chat platform not stored'));
  assert.equal(logged.length, 1);
  assert.ok(!lines.some((line) => line.includes('"body":"poison"')));
});

describe('the messages of a conversation', () => {
  test('keep the order of their arrival', async () => {
    const desk = await newDesk();
    const client = newClient();
    const bodies = Array.from({ length: 40 }, (_, index) => `Message ${index}`);
    await bring(desk, [written(client, texts(...bodies))]);
    assert.deepEqual(await storedAt(desk), { [client]: bodies });
    const { unread, last_text } = (await conversationOf(desk, client))!;
    assert.deepEqual([unread, last_text], [40, 'Message 39']);
  });

  test('change it in their order, among those that the business wrote on its phone', async () => {
    const desk = await newDesk();
    const client = newClient();
    const echo = (body: string) => ({
      field: 'smb_message_echoes',
      value: { message_echoes: [messageOf({ from: desk.number, to: client }, text(body))] },
    });
    await bring(desk, [echo('Before anything'), written(client, texts('One', 'Two')), echo('Answer')]);
    const read = (await conversationOf(desk, client))!;
    assert.deepEqual([read.unread, read.last_text, read.last_from_client], [0, 'Answer', false]);
    await bring(desk, [
      written(client, texts('Three', 'Four')),
      echo('Another'),
      written(client, texts('Five')),
    ]);
    const { unread, last_text, last_from_client } = (await conversationOf(desk, client))!;
    assert.deepEqual([unread, last_text, last_from_client], [1, 'Five', true]);
    const bodies = ['Before anything', 'One', 'Two', 'Answer', 'Three', 'Four', 'Another', 'Five'];
    assert.deepEqual(await storedAt(desk), { [client]: bodies });
  });

  test('stay together when the number of the client becomes known in between', async () => {
    const desk = await newDesk();
    const [client, userId] = [newClient(), `IL.${++lastId}7000`];
    const change = (from: object, body: string) => ({
      field: 'messages',
      value: { messages: [messageOf(from, text(body))] },
    });
    await bring(desk, [
      change({ from_user_id: userId }, 'Hidden'),
      change({ from: client, from_user_id: userId }, 'Known'),
      change({ from_user_id: userId }, 'Hidden again'),
    ]);
    assert.deepEqual(await storedAt(desk), { [userId]: ['Hidden'], [client]: ['Known', 'Hidden again'] });
  });
});

test('an account whose conversation is locked does not delay the others', async () => {
  const [slow, ...others] = await newDesks(5);
  const client = newClient();
  await bring(slow!, [written(client, texts('Before'))]);
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const lock = sql.begin(async (tx) => {
    await tx`SELECT FROM conversations WHERE account_id = ${slow!.id} FOR UPDATE`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  let isStored = false;
  const waiting = bring(slow!, [written(client, texts('While it is locked'))]).then(() => (isStored = true));
  await Promise.all(others.map((desk) => bring(desk, [written(client, texts('Hello'))])));
  assert.equal(isStored, false);
  released.resolve();
  await Promise.all([lock, waiting]);
  assert.deepEqual(await storedAt(slow!), { [client]: ['Before', 'While it is locked'] });
});

describe('rules', () => {
  test('assign conversations of one group by turns', async () => {
    const desk = await newDesk();
    const owner = await asPerson(service, 'owner', desk.id);
    const { people } = appContext.people;
    for (const name of ['Avi', 'Beni']) {
      const username = `${name}-${desk.id}`;
      await people.add({ accountId: desk.id, username, name, role: 'agent' });
    }
    const agents = await people.listAgents(desk.id);
    await owner.call('PATCH', '/conversation-settings', { assign_by_turns: true });
    const clients = Array.from({ length: 4 * agents.length }, newClient);
    await Promise.all(clients.map((client) => bring(desk, [written(client, texts('One', 'Two'))])));
    const assigned: (number | null)[] = [];
    for (const client of clients) assigned.push((await conversationOf(desk, client))!.assignee_id);
    for (const { id } of agents) assert.equal(assigned.filter((one) => one === id).length, 4);
  });

  test('that fail for a message leave it stored, and work for the others of its group', async () => {
    const all = await newDesks(4);
    const client = newClient();
    const [failing] = all as [Desk];
    for (const desk of all) {
      const owner = await asPerson(service, 'owner', desk.id);
      await owner.post('/conversation-rules', { name: 'Greeting', reply_text: 'Welcome' });
    }
    await sql.unsafe(
      `ALTER TABLE conversation_tasks ADD CONSTRAINT no_reply CHECK (account_id <> ${failing.id}) NOT VALID`,
    );
    try {
      await Promise.all(all.map((desk) => bring(desk, [written(client, texts('One', 'Two'))])));
    } finally {
      await sql`ALTER TABLE conversation_tasks DROP CONSTRAINT no_reply`;
    }
    for (const desk of all) {
      assert.deepEqual(await storedAt(desk), { [client]: ['One', 'Two'] });
      const { id } = (await conversationOf(desk, client))!;
      const expected = desk === failing ? 0 : 2;
      await waitFor('its rule ran', async () => {
        const rows = await sql`
          SELECT FROM conversation_entries
          WHERE account_id = ${desk.id} AND conversation_id = ${id} AND kind = 'rule'`;
        return rows.length === expected;
      });
    }
  });
});
