import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newClient, SOURCE, startChat, templateId } from '../chat-api/support.ts';

/** What was never sent leaves no trace in a client's window. */
const chat = await startChat();
const { sql, demo } = chat;

const campaign = (phones: readonly string[], over: object = {}) =>
  chat.post('create-campaign-wa', {
    source: SOURCE,
    destinations: { phones },
    campaign_message: templateId('plain'),
    future_campaign: 'instant',
    campaign_name: 'taken back',
    ...over,
  });

async function windowOf(client: string) {
  const [row] = await sql<{ unanswered: number; conversation_at: number | null }[]>`
    SELECT unanswered, conversation_at FROM chat_windows
    WHERE account_id = ${demo.id} AND number = ${SOURCE} AND client = ${client}`;
  return row;
}

/** Sends a template to a client of its own. Whether it does not go out, though the link has had time to hear of it. */
async function isHeldBack(): Promise<boolean> {
  const content = { source: SOURCE, destination: newClient(), templateId: templateId('plain') };
  const id = Number((await chat.accepted('send-template-message', content)).ans.unique);
  const sent = async () =>
    (await sql`SELECT 1 FROM messages WHERE id = ${id} AND handed_at IS NOT NULL`).length > 0;
  const went = await waitFor('it is sent', sent, 5_000).catch(() => false);
  if (went) return false;
  const [message] = await sql<{ shipment_id: number }[]>`SELECT shipment_id FROM messages WHERE id = ${id}`;
  await chat.call('json', 'cancel', { campaign_id: message!.shipment_id });
  return true;
}

test(
  'a campaign cancelled before submission leaves no unanswered template and no open conversation',
  covers('windows.refused'),
  async () => {
    const phones = [newClient(), newClient()];
    const [number] =
      await sql`UPDATE chat_numbers SET platform_id = 'gone' WHERE phone = ${SOURCE} RETURNING phone`;
    assert.ok(number);
    try {
      // The platform does not know the number: what goes there is tried again, as soon as the link has heard of it.
      await waitFor('the link holds back', isHeldBack);
      const before = await chat.balance();
      await campaign(phones);
      await waitFor('it has its messages', async () => {
        const [row] = await sql`SELECT next_at FROM campaigns ORDER BY id DESC LIMIT 1`;
        return row?.next_at === null;
      });
      const cancelled = await chat.call('json', 'cancel', { campaign_name: 'taken back' });
      assert.ok([0, 970].includes(cancelled.status), cancelled.message);
      await waitFor('nothing waits', async () => (await sql`SELECT 1 FROM dispatch_batches`).length === 0);
      assert.equal(await chat.balance(), before);
    } finally {
      await sql`UPDATE chat_numbers SET platform_id = '200000000000001' WHERE phone = ${SOURCE}`;
    }
    for (const phone of phones) {
      assert.deepEqual({ ...(await windowOf(phone)) }, { unanswered: 0, conversation_at: null });
    }
  },
);

test(
  'refused by the platform: the price comes back, and the next message opens the conversation',
  covers('windows.refused'),
  async () => {
    // 0003: refused at once.
    const client = '972547770003';
    const before = await chat.balance();
    const content = { source: SOURCE, destination: client, templateId: templateId('plain') };
    for (let time = 1; time <= 3; time++) {
      // The third would be one too many if the two before it had come to something.
      await chat.accepted('send-template-message', content);
      await waitFor('it is refused, and paid back', async () => (await chat.balance()) === before);
    }
    assert.deepEqual({ ...(await windowOf(client)) }, { unanswered: 0, conversation_at: null });
  },
);

test('a refused button that had its own price leaves the conversation open that was paid before', async () => {
  const client = '972547780003';
  await chat.clientWrites(client);
  const opened = chat.appContext.clock.now() - 5_000;
  await sql`
    UPDATE chat_windows SET conversation_at = ${opened} WHERE number = ${SOURCE} AND client = ${client}`;
  await sql`
    INSERT INTO chat_months (account_id, month, messages)
    SELECT ${demo.id}, extract(year FROM day) * 12 + extract(month FROM day), 1000
    FROM (SELECT to_timestamp(${Date.now() / 1_000}) AT TIME ZONE 'Asia/Jerusalem' AS day) today`;
  const before = await chat.balance();
  const answer = await chat.accepted('send-buttons', {
    source: SOURCE,
    destination: client,
    header: '1',
    body: 'Choose',
    button1: 'A',
  });
  const [message] = await sql<{ price: string }[]>`
    SELECT price FROM messages WHERE id = ${Number(answer.ans.unique)}`;
  assert.equal(Number(message!.price), 0.5);
  await waitFor('it is refused, and paid back', async () => (await chat.balance()) === before);
  assert.equal((await windowOf(client))?.conversation_at, opened);
});
