import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mustSend } from '../../faults/support.ts';
import { secrets } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { NUMBERS, startChatDispatching } from './dispatching.ts';

/** Business numbers that stand still, go away, or are stopped in the middle: nothing else is held up, nothing goes astray. */
const chat = await startChatDispatching({ CHAT_CLIENT_PAUSE_MS: '60000', COPY_PAUSE_SECONDS: '30' });
const { sql, taken, network } = chat;
const [STUCK, GONE, PLAIN] = NUMBERS;
const templates = new Map<string, string>();
for (const number of NUMBERS) templates.set(number, await chat.templateOf(number));

/** None of the endings that have a meaning. */
const phones = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(972_500_000_017 + (from + index) * 100));

const sendFrom = async (source: string, destination: string): Promise<number> => {
  const answer = (await chat.post('/chat-api/send-template-message', {
    source,
    destination,
    templateId: templates.get(source),
  })) as { ans: { reason: number; unique: string } };
  assert.equal(answer.ans.reason, 1);
  return Number(answer.ans.unique);
};

const campaign = async (source: string, to: readonly string[]): Promise<number> => {
  const answer = await chat.post('/chat-api/create-campaign-wa', {
    source,
    destinations: { phones: to },
    campaign_message: templates.get(source),
    future_campaign: 'instant',
  });
  assert.deepEqual(answer.data, { success: true, sum: to.length });
  const [row] = await sql<{ id: number }[]>`SELECT id FROM campaigns ORDER BY id DESC LIMIT 1`;
  return row!.id;
};

test('a wrong token alerts the operator, other numbers and SMS of the account continue, and the right token resumes the number', async () => {
  const [stuck] = await sql<{ id: number; sealed: Buffer }[]>`
    SELECT id, access_token AS sealed FROM chat_portfolios WHERE name = ${STUCK}`;
  const purpose = 'chat_portfolios.access_token';
  const right = { token: secrets.openText(stuck!.sealed, purpose, stuck!.id) };
  const setToken = (token: string) => sql`
    UPDATE chat_portfolios SET access_token = ${secrets.seal(token, purpose, stuck!.id)} WHERE name = ${STUCK}`;
  await setToken('wrong');
  let tries = 0;
  const told = await waitFor('the operator is told', async () => {
    await sendFrom(STUCK, phones(20_000 + tries++, 1)[0]!);
    return chat.logged.find((line) => line.includes('refuses the access token'));
  });
  assert.ok(!told.includes('"wrong"') && !told.includes(STUCK), told);
  taken.clear();
  const mine = phones(0, 3_000);
  await campaign(STUCK, mine);
  await waitFor('more waits in the database than memory takes', async () => {
    const [row] = await sql<
      { n: number }[]
    >`SELECT sum(count)::int AS n FROM dispatch_batches WHERE lane = 2`;
    return row!.n === mine.length;
  });
  // In the same lane as the campaign.
  const others = phones(5_000, 20);
  await mustSend(chat.url, chat.caller, others);
  await waitFor('the SMS are sent', () => others.every((phone) => network.taken.has(phone)));
  const [other] = phones(5_500, 1) as [string];
  await sendFrom(PLAIN, other);
  await waitFor('another number sends', () => taken.has(other));
  assert.equal(taken.size, 1);
  await setToken(right.token);
  // Before the pause of a minute is over.
  await waitFor('the campaign goes out', () => mine.every((phone) => taken.has(phone)), 45_000);
});

test('many messages to one client, each after a pause: those to others do not wait for them', async () => {
  const [talked, other] = phones(6_000, 2) as [string, string];
  await sendFrom(PLAIN, talked);
  // Two without an answer are the most: as if they had answered each.
  for (let count = 0; count < 120; count++) {
    await sql`UPDATE chat_windows SET unanswered = 0 WHERE number = ${PLAIN} AND client = ${talked}`;
    await sendFrom(PLAIN, talked);
  }
  await sendFrom(PLAIN, other);
  await waitFor('the other has his', () => taken.has(other));
  assert.equal(taken.get(talked), 1);
});

test('stopped while clients have their pause: it does not wait for them, and nothing is lost', async () => {
  const [client] = phones(7_000, 1) as [string];
  await sendFrom(GONE, client);
  const id = await sendFrom(GONE, client);
  await waitFor('the first went out', () => taken.has(client));
  await chat.restart(30_000);
  // The pause is that of a process.
  await waitFor('the second goes out', async () => {
    const [row] = await sql`SELECT 1 FROM messages WHERE id = ${id} AND handed_at IS NOT NULL`;
    return row !== undefined;
  });
  assert.equal(taken.get(client), 2);
});

test('stopped while an answer is awaited: the message waits for the word of the webhooks, and goes once', async () => {
  chat.platform.change({ answerDelayMs: 20_000 });
  const [client] = phones(8_000, 1) as [string];
  const id = await sendFrom(PLAIN, client);
  await waitFor('the platform has it', () => taken.has(client));
  // Its statuses are brought while nobody is there, and again afterwards.
  await chat.restart(300);
  chat.platform.change({ answerDelayMs: 0 });
  await waitFor('it is delivered', async () => {
    const [row] = await sql`SELECT 1 FROM messages WHERE id = ${id} AND status = 102`;
    return row !== undefined;
  });
  await waitFor(
    'nothing waits',
    async () =>
      (await sql`SELECT 1 FROM dispatch_batches WHERE first_id <= ${id} AND last_id >= ${id}`).length === 0,
    60_000,
  );
  assert.equal(taken.get(client), 1);
});

test('a lost notice that a paused campaign resumes does not stop it', async () => {
  chat.platform.change({ answerDelayMs: 200 });
  const mine = phones(30_000, 3_000);
  const id = await campaign(PLAIN, mine);
  await waitFor('it has begun', () => mine.some((phone) => taken.has(phone)));
  await chat.post(`/v1/chat/campaigns/${id}/pause`);
  await waitFor('what is left waits in the database', async () => {
    const [row] = await sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM dispatch_batches WHERE held_shipment_id = ${id} AND lease_owner IS NULL`;
    return row!.n > 0;
  });
  // What another process does that goes on with it, and dies before it says so.
  await sql`UPDATE shipments SET paused_at = NULL WHERE id = ${id}`;
  await sql`UPDATE campaigns SET next_at = 0 WHERE id = ${id} AND next_at IS NOT NULL`;
  chat.platform.change({ answerDelayMs: 0 });
  await waitFor('it goes out', () => mine.every((phone) => taken.get(phone) === 1), 150_000);
});

test('a number that is removed: what was its goes by no other link', async () => {
  const [client] = phones(10_000, 1) as [string];
  await sendFrom(GONE, client);
  const id = await sendFrom(GONE, client);
  await waitFor('the second waits at the link', async () => {
    const [row] = await sql<{ lease_owner: string | null }[]>`
      SELECT lease_owner FROM dispatch_batches WHERE first_id <= ${id} AND last_id >= ${id}`;
    return taken.has(client) && row?.lease_owner;
  });
  await sql`DELETE FROM chat_numbers WHERE phone = ${GONE}`;
  await waitFor('it waits in the database', async () => {
    const [row] = await sql<{ lease_owner: string | null }[]>`
      SELECT lease_owner FROM dispatch_batches WHERE first_id <= ${id} AND last_id >= ${id}`;
    return row && row.lease_owner === null;
  });
  assert.equal(network.taken.get(client), undefined);
  await mustSend(chat.url, chat.caller, [client]);
  await waitFor('an SMS goes out', () => network.taken.has(client));
  assert.equal(network.taken.get(client), 1);
});
