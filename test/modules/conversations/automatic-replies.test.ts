import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HIDDEN } from '../../../server/engine/work/worker.ts';
import { Conversations } from '../../../server/modules/conversations/conversations.ts';
import { withToken } from '../../api/v1/calls.ts';
import { newClient, SOURCE, startChat } from '../../channels/chat-api/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Automatic replies: each row of conversation_tasks is sent once, or the conversation says why not. */

const chat = await startChat();
const { sql, demo } = chat;
const { ids, clock } = chat.appContext;
const api = withToken(chat.url, DEMO_TOKEN);

interface Item {
  readonly kind: string;
  readonly text: string | null;
  readonly automatic: boolean;
  readonly by: string | null;
  readonly failed: string | null;
}

const timeline = async (id: number): Promise<Item[]> =>
  (await api.get<{ items: Item[] }>(`/conversations/${id}/timeline`)).items.reverse();
const arrived = async (client: string) =>
  (await api.get<{ chat: { body: string }[] }>(`/sandbox/phones/${client}`)).chat.map(({ body }) => body);
const nothingDue = () =>
  waitFor('the replies to be done', async () => (await sql`SELECT FROM conversation_tasks`).length === 0);

async function begun(): Promise<{ client: string; id: number }> {
  const client = newClient();
  await api.post(`/sandbox/phones/${client}/chat`, { to: SOURCE, body: 'Hello' });
  const [row] = await waitFor('the conversation', async () => {
    const rows = await sql<{ id: number }[]>`SELECT id FROM conversations WHERE client = ${client}`;
    return rows.length > 0 && rows;
  });
  return { client, id: row!.id };
}

const addTask = (conversationId: number, text: string, id: number) =>
  sql.begin(async (tx) => {
    await tx`
      INSERT INTO conversation_tasks (account_id, id, conversation_id, text, due_at)
      VALUES (${demo.id}, ${id}, ${conversationId}, ${text}, ${HIDDEN})`;
    await tx`
      INSERT INTO work (account_id, kind, key, due_at, created_at)
      VALUES (${demo.id}, 'automatic-reply', ${id}, ${clock.now()}, ${clock.now()})`;
  });

test('is sent once, also when the process ends before it is noted', async () => {
  const { client, id } = await begun();
  const taskId = ids.next();
  await addTask(id, 'We are closed', taskId);
  await nothingDue();
  // As a process leaves it that was killed after the send was stored.
  await sql`DELETE FROM conversation_entries WHERE account_id = ${demo.id} AND conversation_id = ${id}`;
  await addTask(id, 'We are closed', taskId);
  await nothingDue();
  await waitFor('the phone to have it', async () => (await arrived(client)).length > 0);
  const [received, sent, ...more] = await timeline(id);
  assert.equal(received!.kind, 'received');
  assert.deepEqual(
    [sent!.kind, sent!.text, sent!.automatic, sent!.by, more.length],
    ['sent', 'We are closed', true, null, 0],
  );
  assert.deepEqual(await arrived(client), ['We are closed']);
  const { unread } = await api.get<{ unread: number }>(`/conversations/${id}`);
  assert.equal(unread, 1, 'a person has not read it');
});

test('that cannot be sent appears in the conversation with its reason', async () => {
  const { client, id } = await begun();
  await sql`
    UPDATE chat_windows SET client_at = client_at - 86400001 WHERE account_id = ${demo.id} AND client = ${client}`;
  await addTask(id, 'Too late', ids.next());
  await nothingDue();
  const items = await timeline(id);
  assert.deepEqual(
    items.map(({ kind, failed }) => [kind, failed]),
    [
      ['received', null],
      ['rule', 'window-closed'],
    ],
  );
  assert.deepEqual(await arrived(client), []);
});

test('of a conversation that is gone is dropped', async () => {
  await addTask(7, 'To nobody', ids.next());
  await nothingDue();
});

test('conversations without a message for longer than messages are kept are deleted with their entries', async () => {
  const { id } = await begun();
  const { id: other } = await begun();
  await api.post(`/conversations/${id}/notes`, { text: 'Old' });
  await api.post(`/conversations/${other}/notes`, { text: 'New' });
  const events = { record: async () => {}, recordEach: async () => {} };
  const conversations = new Conversations({
    ...chat.appContext,
    events,
    automation: { received: async () => {} },
    changed: () => {},
  });
  await sql`UPDATE conversations SET last_id = 1 WHERE account_id = ${demo.id} AND id = ${id}`;
  await conversations.cleanUp(2);
  const left = await sql<{ conversation_id: number }[]>`
    SELECT DISTINCT conversation_id FROM conversation_entries WHERE conversation_id IN (${id}, ${other})`;
  assert.deepEqual([...left], [{ conversation_id: other }]);
  await api.get(`/conversations/${id}`, 404);
});
