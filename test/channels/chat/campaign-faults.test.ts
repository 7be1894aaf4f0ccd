import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ChatNumber, ChatNumbers } from '../../../server/channels/chat/business-numbers.ts';
import { endLeases } from '../../../server/database/leases.ts';
import { isDatabaseTrouble } from '../../../server/database/trouble.ts';
import { CAMPAIGN } from '../../../server/engine/campaigns/steps.ts';
import { systemClock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { ContactLists } from '../../../server/modules/audience/contact-lists.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { cancelStatement, waitersFor, waitingStatements } from '../../support/lock-waits.ts';
import { Installation } from '../../support/process.ts';
import { secrets } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newClients } from './admissions.ts';
import { createCampaignBench, storeTemplate } from './campaign-bench.ts';

/** Campaigns whose steps fail, are cut off, or meet each other. */
const bench = await createCampaignBench();
const { sql, canceller, control, expanderOf } = bench;

const CREDITS = 20_000;
const FIRST = 3_000;
const SHARED = 500;
const SECOND = 4_500;
const ALL = FIRST + SECOND - SHARED;

async function newSender(): Promise<{ number: ChatNumber; template: string }> {
  const number = await bench.newNumber((await bench.newAccount(CREDITS)).id);
  await bench.numbers.setTier(number.portfolioId, 1_000_000);
  return { number, template: await bench.newTemplate(number) };
}

/** A campaign to phones and a list that share some: several steps of each. */
async function bigCampaign({ number, template }: { number: ChatNumber; template: string }): Promise<number> {
  const phones = newClients(FIRST);
  const contacts = [...phones.slice(0, SHARED), ...newClients(SECOND - SHARED)].map((phone) => ({
    phone,
    fields: [],
  }));
  const list = await bench.newList(number.accountId, contacts);
  const { id, sum } = await bench.create(number, template, { phones, lists: [list] });
  assert.equal(sum, ALL);
  return id;
}

const madeOf = async (id: number) => {
  const [row] = await sql<{ made: number; phones: number }[]>`
    SELECT count(*)::int AS made, count(DISTINCT recipient)::int AS phones FROM messages WHERE shipment_id = ${id}`;
  return row!;
};

/** Everyone has one message and one place in a batch, and each conversation was opened and paid for once. */
async function assertWhole(id: number, number: ChatNumber): Promise<void> {
  assert.deepEqual(await bench.stateOf(id), { state: 'running', expanded: true, held: 0, total: ALL });
  assert.deepEqual({ ...(await madeOf(id)) }, { made: ALL, phones: ALL });
  const [row] = await sql<{ batched: number; windows: number; reached: number; unanswered: number }[]>`
    SELECT (SELECT sum(count)::int FROM dispatch_batches WHERE held_shipment_id = ${id}) AS batched,
      (SELECT count(*)::int FROM chat_windows WHERE number = ${number.phone}) AS windows,
      (SELECT max(unanswered)::int FROM chat_windows WHERE number = ${number.phone}) AS unanswered,
      (SELECT sum(clients)::int FROM chat_reach WHERE portfolio_id = ${number.portfolioId}) AS reached`;
  assert.deepEqual({ ...row! }, { batched: ALL, windows: ALL, unanswered: 1, reached: ALL });
  assert.equal(await bench.wallets.balance(number.accountId), (CREDITS - ALL) * CREDIT);
}

/** Stops the step that comes to the portfolio's row, under its lock of the shipment, until the gate opens. */
async function gateBeforePortfolio(context: TestContext, { portfolioId }: ChatNumber) {
  const connection = await sql.reserve();
  await connection`BEGIN`;
  await connection`SELECT 1 FROM chat_portfolios WHERE id = ${portfolioId} FOR UPDATE`;
  let closed = true;
  const open = async () => {
    if (!closed) return;
    closed = false;
    await connection`ROLLBACK`;
    connection.release();
  };
  context.after(open);
  const waiting = async () => (await waitersFor(connection))[0] ?? false;
  return { open, reached: () => waitFor('a step stands before the gate', waiting) };
}

/** The lease of a campaign's step runs out, as that of a process that stands still or is dead. */
const expireLease = (id: number) =>
  sql`UPDATE work SET lease_until = 0 WHERE kind = ${CAMPAIGN} AND key = ${id}`;

test('a step that fails in the middle leaves nothing, and is done again', async () => {
  const sender = await newSender();
  const id = await bigCampaign(sender);
  const [{ victim }] = (await sql`
    SELECT phones[1500] AS victim FROM chat_campaign_phones WHERE campaign_id = ${id} AND chunk = 0`) as unknown as [
    { victim: string },
  ];
  // The last of what a step writes to the wallet's side fails, or one row in the middle of its messages.
  await sql.unsafe(
    `ALTER TABLE messages ADD CONSTRAINT messages_victim_check CHECK (recipient <> '${victim}')`,
  );
  await expanderOf('one').run();
  assert.deepEqual({ ...(await madeOf(id)) }, { made: 0, phones: 0 });
  const windows = await sql`SELECT 1 FROM chat_windows WHERE number = ${sender.number.phone}`;
  assert.equal(windows.length, 0);
  assert.equal((await bench.stateOf(id)).held, ALL);
  // After a pause.
  await sql.unsafe('ALTER TABLE messages DROP CONSTRAINT messages_victim_check');
  await expanderOf('one').run();
  assert.deepEqual({ ...(await madeOf(id)) }, { made: 0, phones: 0 });
  bench.clock.advance(30_000);
  await expanderOf('one').run();
  await assertWhole(id, sender.number);
});

test(
  'several concurrent expanders leave every campaign complete, and no recipient has two messages',
  covers('A3.before lists are read'),
  async () => {
    const senders = [await newSender(), await newSender()];
    const ids: number[] = [];
    for (const sender of senders) ids.push(await bigCampaign(sender));
    const work = () =>
      sql<{ open: number }[]>`SELECT count(*)::int AS open FROM campaigns WHERE next_at IS NOT NULL`;
    await waitFor('all is made', async () => {
      await Promise.all(['one', 'two', 'three'].map((owner) => expanderOf(owner).run()));
      return (await work())[0]!.open === 0;
    });
    for (const [index, id] of ids.entries()) await assertWhole(id, senders[index]!.number);
  },
);

test(
  'an expander cut off in the middle of a step is continued, and no recipient has two messages',
  covers('A3.before lists are read'),
  async (context) => {
    const sender = await newSender();
    const id = await bigCampaign(sender);
    const gate = await gateBeforePortfolio(context, sender.number);
    const running = expanderOf('cut off').run();
    const step = await gate.reached();
    const failed = assert.rejects(running, (error) => isDatabaseTrouble(error));
    await cancelStatement(sql, step);
    await failed;
    await gate.open();
    assert.deepEqual({ ...(await madeOf(id)) }, { made: 0, phones: 0 });
    // As the one process of an embedded database does when it starts.
    await endLeases(sql, ['work']);
    await expanderOf('next').run();
    await assertWhole(id, sender.number);
  },
);

test('a process that stood still beyond its lease stores nothing of its step', async (context) => {
  const sender = await newSender();
  const id = await bigCampaign(sender);
  const gate = await gateBeforePortfolio(context, sender.number);
  const slow = expanderOf('slow').run();
  await gate.reached();
  await expireLease(id);
  const other = expanderOf('other');
  const quick = other.run();
  await waitFor('the other has the lease', async () => {
    const [row] = await sql<{ owner: string }[]>`
      SELECT lease_owner AS owner FROM work WHERE kind = ${CAMPAIGN} AND key = ${id}`;
    return row!.owner === 'other';
  });
  await gate.open();
  await Promise.all([slow, quick]);
  await assertWhole(id, sender.number);
});

test(
  'paused and cancelled during a step: it is whole or not at all',
  covers('A3.cancelled'),
  async (context) => {
    for (const stop of ['pause', 'cancel'] as const) {
      const sender = await newSender();
      const { accountId } = sender.number;
      const id = await bigCampaign(sender);
      const gate = await gateBeforePortfolio(context, sender.number);
      const running = expanderOf('one').run();
      await gate.reached();
      const stopping = stop === 'pause' ? control.pause(accountId, id) : canceller.byId(accountId, id);
      await waitFor('it waits for the step', async () => {
        const waiting = await waitingStatements(sql);
        return waiting.some((statement) => /FROM (public\.)?shipments.*FOR UPDATE/s.test(statement));
      });
      await gate.open();
      await Promise.all([running, stopping]);
      const { made } = await madeOf(id);
      // It may have begun another step before the other one had its turn.
      assert.ok(made > 0 && made < ALL && made % 500 === 0, `${made} messages`);
      await control.align();
      await expanderOf('one').run();
      assert.equal((await madeOf(id)).made, made);
      assert.equal(await bench.submit(sender.number), 0);
      if (stop === 'cancel') {
        assert.equal(await bench.wallets.balance(accountId), CREDITS * CREDIT);
        continue;
      }
      await control.resume(accountId, id);
      await expanderOf('one').run();
      await assertWhole(id, sender.number);
    }
  },
);

test(
  'credit that is spent elsewhere during a step is not spent again',
  covers('A3.credit'),
  async (context) => {
    const number = await bench.newNumber((await bench.newAccount(10)).id);
    const template = await bench.newTemplate(number);
    const phones = newClients(10);
    const list = await bench.newList(
      number.accountId,
      phones.slice(0, 5).map((phone) => ({ phone, fields: [] })),
    );
    const { id } = await bench.create(number, template, { lists: [list] });
    const more = phones.slice(5).map((phone) => ({ phone, fields: [] }));
    await bench.contactLists.add(number.accountId, [{ listId: Number(list), entries: more }]);
    const gate = await gateBeforePortfolio(context, number);
    const running = expanderOf('one').run();
    await gate.reached();
    // It counts on the 5 that were held and the 5 that were left.
    await bench.wallets.topUp(number.accountId, -3 * CREDIT, 'test');
    await gate.open();
    await running;
    const rows = await bench.messagesOf(id);
    assert.deepEqual(
      rows.map(({ code }) => code),
      [...Array(7).fill(null), ...Array(3).fill('no-credit')],
    );
    assert.equal(await bench.wallets.balance(number.accountId), 0);
  },
);

test('single sends and campaigns to the same clients do not block each other for good', async () => {
  const sender = await newSender();
  const phones = newClients(600);
  const ids = await Promise.all(
    [0, 1].map(() => bench.create(sender.number, sender.template, { phones }).then(({ id }) => id)),
  );
  const singles = Array.from({ length: 40 }, (_, index) =>
    bench.admitted(sender.number, [phones[index * 15]!], { also: bench.pay(sender.number) }),
  );
  await Promise.all([expanderOf('one').run(), expanderOf('two').run(), ...singles]);
  await Promise.all([expanderOf('one').run(), expanderOf('two').run()]);
  const rows = (await Promise.all(ids.map((id) => bench.messagesOf(id)))).flat();
  assert.equal(rows.length, 1_200);
  // Two templates without an answer, whoever sent them, and one conversation.
  const [sent] = await sql<{ most: number; sum: number }[]>`
    SELECT max(unanswered)::int AS most, sum(unanswered)::int AS sum FROM chat_windows
    WHERE number = ${sender.number.phone}`;
  assert.deepEqual({ ...sent! }, { most: 2, sum: 1_200 });
  assert.equal(rows.filter(({ code }) => code === 'two-unanswered').length, 40);
  assert.equal(await bench.wallets.balance(sender.number.accountId), (CREDITS - 600) * CREDIT);
});

test(
  'the program is killed in the middle, again and again: nobody is left out, and nobody has two messages',
  covers('A3.before lists are read'),
  async () => {
    // Nobody answers there, and there is no network for SMS: what is made waits.
    const installation = new Installation({ CHAT_PLATFORM_URL: 'http://127.0.0.1:9' });
    const unready = { ready: false };
    let program = await installation.start(unready);
    const account = await installation.account(program.url, 'sender', CREDITS);
    const own = await installation.sql();
    const ids = createIdSource(63, systemClock);
    const chatNumbers = new ChatNumbers({ sql: own, ids, clock: systemClock, secrets });
    const portfolio = { name: 'Shop', tier: 100_000, platformId: 'business', accessToken: 'token' };
    const { id: portfolioId } = await chatNumbers.createPortfolio({ accountId: account.id, ...portfolio });
    const { phone } = await chatNumbers.addNumber({
      ...{ phone: '972551111111', accountId: account.id, portfolioId, name: 'Shop' },
      ...{ platformId: 'number', messagesPerSecond: 1 },
    });
    const templateId = await storeTemplate(own, ids, systemClock.now(), { accountId: account.id, phone });
    const clients = newClients(20_000);
    const [listId] = await new ContactLists({ sql: own, ids, clock: systemClock }).create(account.id, [
      { name: 'big', contacts: clients.slice(2_500).map((client) => ({ phone: client, fields: [] })) },
    ]);
    const answer = await fetch(`${program.url}/chat-api/create-campaign-wa`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        source: phone,
        destinations: { phones: clients.slice(0, 5_000), cl: [String(listId)] },
        campaign_message: templateId,
        future_campaign: 'instant',
      }),
    });
    assert.deepEqual(await answer.json(), { data: { success: true, sum: clients.length } });
    const progress = async () => {
      const [row] = await own<{ made: number; open: boolean }[]>`
      SELECT (SELECT count(*)::int FROM messages) AS made, next_at IS NOT NULL AS open FROM campaigns`;
      return row!;
    };
    let kills = 0;
    for (let seen = 0; kills < 2; kills++) {
      const now = await waitFor('some more have their message', async () => {
        const { made, open } = await progress();
        return (made > seen || !open) && { made, open };
      });
      if (!now.open) break;
      seen = now.made;
      await program.kill();
      program = await installation.start(unready);
    }
    assert.ok(kills > 0, 'the campaign was through before the first kill');
    await waitFor('all is made', async () => !(await progress()).open, 60_000);
    const [row] = await own`
    SELECT count(*)::int AS messages, count(DISTINCT recipient)::int AS phones,
      (SELECT balance::int FROM wallets WHERE account_id = ${account.id}) AS balance,
      (SELECT sum(clients)::int FROM chat_reach) AS reached,
      (SELECT max(unanswered)::int FROM chat_windows) AS unanswered FROM messages`;
    assert.deepEqual(
      { ...row! },
      { messages: 20_000, phones: 20_000, balance: 0, reached: 20_000, unanswered: 1 },
    );
    await assertBooksBalance(own);
  },
);
