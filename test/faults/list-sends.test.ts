import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../conformance/covers.ts';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { allFinal, assertPaid, call, phones, startNetwork } from './support.ts';

/* The program is killed (kill -9) while it makes messages of contact lists. */

const WINDOW = 100;
const CREDITS = 100_000;
const FIRST = 12_000;
const SHARED = 3_000;
const SECOND = 12_000;
const ALL = FIRST + SECOND - SHARED;

const network = await startNetwork();
const installation = new Installation({
  SMPP_URL: network.url({ window: WINDOW }),
  COPY_PAUSE_SECONDS: '0',
});
let program = await installation.start();
const account = await installation.account(program.url, 'listed', CREDITS);
const sql = await installation.sql();

const newList = async (numbers: readonly string[]) => {
  const destination = numbers.map((phone) => ({ phone, df1: phone.slice(-4) }));
  const answer = await call(program.url, account, 'newCL', {
    cl: { name: 'big', destinations: { destination } },
  });
  assert.equal(answer.status, 0, answer.message);
  return (answer as unknown as { identifiers: string[] }).identifiers[0]!;
};

test(
  'killed in mid-list, again and again: nobody is left out, and nobody has two messages',
  covers('B1.cl_id.restart', 'texts.duplicates'),
  async () => {
    const cl_id = [await newList(phones(0, FIRST)), await newList(phones(FIRST - SHARED, SECOND))];
    const answer = await call(program.url, account, 'sms', {
      source: 'Carillon',
      message: 'Hello',
      destinations: { cl_id },
    });
    assert.equal(answer.status, 0, answer.message);
    const progress = async () => {
      const [row] = await sql<{ made: number; open: number }[]>`
      SELECT (SELECT count(*)::int FROM messages) AS made, (SELECT count(*)::int FROM campaigns WHERE next_at IS NOT NULL) AS open`;
      return row!;
    };
    let kills = 0;
    for (let seen = 0; kills < 2; kills++) {
      const now = await waitFor('some more have their message', async () => {
        const { made, open } = await progress();
        return (made > seen || open === 0) && { made, open };
      });
      if (now.open === 0) break;
      seen = now.made;
      await program.kill();
      program = await installation.start();
    }
    assert.ok(kills > 0, 'the lists were through before the first kill');
    await allFinal(sql);
    const [row] = await sql`
    SELECT count(*)::int AS messages, count(DISTINCT recipient)::int AS phones FROM messages
    WHERE shipment_id = ${Number(answer.shipment_id)}`;
    assert.deepEqual({ ...row }, { messages: ALL, phones: ALL });
    const [shipment] = await sql`
    SELECT message_count, cost::int FROM shipments WHERE id = ${Number(answer.shipment_id)}`;
    assert.deepEqual({ ...shipment }, { message_count: ALL, cost: ALL });
    assert.equal(network.taken.size, ALL);
    assert.ok(network.duplicates() <= kills * WINDOW, `${network.duplicates()} duplicates`);
    await assertPaid(sql, account.id, CREDITS, ALL);
  },
);

test(
  'cancelled while lists are being sent to: the rest is not made, and only what was submitted is paid',
  covers('B11.running'),
  async () => {
    const [before] = await sql<{ balance: number }[]>`
    SELECT balance::int AS balance FROM wallets WHERE account_id = ${account.id}`;
    const cl_id = await newList(phones(100_000, 30_000));
    const answer = await call(program.url, account, 'sms', {
      source: 'Carillon',
      message: 'Hello',
      destinations: { cl_id },
    });
    const id = Number(answer.shipment_id);
    await waitFor('it is under way', async () => {
      const [row] = await sql`SELECT count(*)::int AS n FROM messages WHERE shipment_id = ${id}`;
      return row!.n > 0;
    });
    const cancelled = await call(program.url, account, 'cancel', { campaign_id: id });
    assert.equal(cancelled.status, 0, cancelled.message);
    await allFinal(sql);
    const [row] = await sql<{ sent: number; made: number }[]>`
    SELECT count(*) FILTER (WHERE status = 102)::int AS sent, count(*)::int AS made FROM messages
    WHERE shipment_id = ${id}`;
    assert.ok(row!.made < 30_000 || row!.sent < 30_000, 'it was over before it was cancelled');
    const [after] = await sql<{ balance: number }[]>`
    SELECT balance::int AS balance FROM wallets WHERE account_id = ${account.id}`;
    assert.equal(before!.balance - after!.balance, row!.sent);
  },
);
