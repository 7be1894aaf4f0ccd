import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../../bench/support/wait.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { createDatabase } from '../../support/database.ts';
import { databaseUrl, Installation, knownTo } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { addNumber, NUMBER, phones, plainTemplate, post, startPlatform, VERIFY } from './platform-support.ts';

/*
 * The real program and a chat platform that fails: away, slow, wrong, cutting connections; and the program killed in
 * mid-campaign, alone and as one of two.
 */

const WINDOW = 100;

const platform = await startPlatform();
const port = await freePort();
const installation = new Installation({
  PORT: String(port),
  ...platform.environment,
  // Copies of a lost answer and batches of a killed process rest for a second instead of a minute.
  COPY_PAUSE_SECONDS: '1',
});
let program = await installation.start({ ready: false });
await platform.platform.subscribe(`${program.url}/chat-webhooks`, VERIFY);
const account = await addNumber(installation, program.url, 'chatting');
const template = await plainTemplate(program.url, account);
const sql = await installation.sql();

const sendTo = (destination: string) =>
  post(program.url, account, 'send-template-message', { source: NUMBER, destination, templateId: template });
const delivered = async (phone: string) =>
  (await sql`SELECT 1 FROM messages WHERE recipient = ${phone} AND status = 102`).length > 0;

test(
  'an unreachable platform: accepted messages wait, and are sent once when it is back',
  covers('chatPlatform.away'),
  async () => {
    await platform.platform.stopListening();
    const mine = phones(0, 20);
    for (const phone of mine) assert.equal((await sendTo(phone)).ans.reason, 1);
    await platform.listenAgain();
    for (const phone of mine) await waitFor('it is delivered', () => delivered(phone));
    assert.deepEqual(
      mine.map((phone) => platform.taken.get(phone)),
      mine.map(() => 1),
    );
  },
);

test(
  'a platform that is slow, full or failing for a while receives every message in the end',
  covers('A2.6, 21 later', 'A2.21', 'chatPlatform.slow, 500, 429'),
  async () => {
    // Each code twice, at random messages.
    const codes = [130429, 131000, 131016, 1, 2].flatMap((code) => [code, code]);
    platform.platform.change({
      answerDelayMs: 100,
      refuse: () => (Math.random() < 0.5 ? codes.pop() : undefined),
    });
    const mine = phones(100, 30);
    for (const phone of mine) assert.equal((await sendTo(phone)).ans.reason, 1);
    for (const phone of mine) await waitFor('it is delivered', () => delivered(phone), 120_000);
    platform.platform.change({ answerDelayMs: 0, refuse: null });
  },
);

test(
  'a lost answer: the webhook reports the message as accepted, and it is not sent again',
  covers('chatPlatform.cut off'),
  async () => {
    // 0008: taken, and the connection is cut in place of the answer.
    const phone = '972509990008';
    assert.equal((await sendTo(phone)).ans.reason, 1);
    await waitFor('it is delivered', () => delivered(phone));
    await waitFor(
      'nothing waits',
      async () => (await sql`SELECT 1 FROM dispatch_batches`).length === 0,
      60_000,
    );
    assert.equal(platform.taken.get(phone), 1);
  },
);

test(
  'refused by the platform: failed with its reason, and the price comes back',
  covers('A2.6, 21 later', 'A4.6', 'A5.6', 'chatPlatform.refused'),
  async () => {
    const before = await balance();
    const phone = '972509990003';
    assert.equal((await sendTo(phone)).ans.reason, 1);
    await waitFor('it has failed', async () => {
      const [row] =
        await sql`SELECT status, code FROM messages WHERE recipient = ${phone} AND final_at IS NOT NULL`;
      return row?.code === 'no-such-number';
    });
    assert.equal(await balance(), before);
  },
);

async function balance(): Promise<number> {
  const [row] = await sql<
    { balance: string }[]
  >`SELECT balance FROM wallets w JOIN accounts a ON a.id = w.account_id
    WHERE a.username = 'chatting'`;
  return Number(row!.balance);
}

test(
  'killed in mid-campaign: nobody is left out, and nobody has it twice',
  covers('chatPlatform.killed'),
  async () => {
    const mine = phones(1_000, 1_500);
    platform.platform.change({ answerDelayMs: 50 });
    const answer = await post(program.url, account, 'create-campaign-wa', {
      source: NUMBER,
      destinations: { phones: mine },
      campaign_message: template,
      future_campaign: 'instant',
    });
    assert.deepEqual(answer.data, { success: true, sum: mine.length });
    const arrived = () => mine.filter((phone) => platform.taken.has(phone)).length;
    for (const share of [0.2, 0.5]) {
      await waitFor('it is under way', () => arrived() > share * mine.length, 120_000);
      await program.kill();
      program = await installation.start({ ready: false });
    }
    await waitFor(
      'the campaign is over',
      async () => {
        const [row] = await sql`SELECT finished_at FROM campaigns ORDER BY id DESC LIMIT 1`;
        return row!.finished_at !== null;
      },
      120_000,
    );
    assert.equal(arrived(), mine.length);
    const twice = mine.filter((phone) => platform.taken.get(phone)! > 1).length;
    // What was on the way is told by the platform's webhooks, which the program hears when it is back.
    assert.equal(twice, 0, `${twice} were sent to twice`);
    await waitFor('all are delivered', async () => {
      const [row] = await sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM messages WHERE status = 102 AND recipient = ANY(${mine})`;
      return row!.n === mine.length;
    });
    await assertBooksBalance(sql);
  },
);

test(
  'two processes on one database send each message once, and take over the work of a killed one',
  covers('chatPlatform.two processes'),
  async () => {
    const { sql: shared, target } = await createDatabase();
    const second = await startPlatform();
    const both = new Installation({ DATABASE_URL: databaseUrl(target), ...second.environment });
    const serve = { args: ['serve'], ready: false };
    const programs = [await both.start(serve), await both.start(serve)] as const;
    await second.platform.subscribe(`${programs[1].url}/chat-webhooks`, VERIFY);
    const caller = await addNumber(both, programs[0].url, 'shared');
    await knownTo(programs[1].url, caller);
    const id = await plainTemplate(programs[0].url, caller);
    second.platform.change({ answerDelayMs: 20 });
    const mine = phones(20_000, 1_500);
    const answer = await post(programs[0].url, caller, 'create-campaign-wa', {
      source: NUMBER,
      destinations: { phones: mine },
      campaign_message: id,
      future_campaign: 'instant',
    });
    assert.deepEqual(answer.data, { success: true, sum: mine.length });
    await waitFor('it is under way', () => second.taken.size > 300, 120_000);
    const holder = programs.find(({ output }) => output().includes(`chat/${NUMBER}`))!;
    if (holder === programs[1]) await second.platform.subscribe(`${programs[0].url}/chat-webhooks`, VERIFY);
    await holder.kill();
    await waitFor('all are sent', () => second.taken.size === mine.length, 120_000);
    const twice = [...second.taken.values()].filter((count) => count > 1).length;
    assert.ok(twice <= WINDOW, `${twice} were sent to twice`);
    await waitFor('all are delivered', async () => {
      const [row] = await shared<{ n: number }[]>`SELECT count(*)::int AS n FROM messages WHERE status = 102`;
      return row!.n === mine.length;
    });
  },
);
