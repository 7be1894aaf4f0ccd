import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allFinal,
  assertPaid,
  call,
  mustSend,
  phones,
  startNetwork,
  statuses,
} from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { databaseUrl, Installation, knownTo } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Two processes of the program on one database. Leases are of real time: half a minute is what a takeover takes. */

const WINDOW = 50;
const CREDITS = 10_000;
const { sql, target } = await createDatabase();
const network = await startNetwork();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url({ window: WINDOW, messagesPerSecond: 500 }),
});
const serve = { args: ['serve'], ready: false };
const programs = [await installation.start(serve), await installation.start(serve)];
const account = await installation.account(programs[0]!.url, 'shared', CREDITS);
await knownTo(programs[1]!.url, account);
const holds = (program: { output: () => string }) => program.output().includes('holding the connector');

test('of two processes one holds the connector, and each message is sent once, whichever accepted it', async () => {
  assert.deepEqual(programs.map(holds).sort(), [false, true]);
  await Promise.all(
    programs.flatMap(({ url }, index) =>
      [0, 1, 2, 3].map((part) => mustSend(url, account, phones(index * 1_000 + part * 100, 100))),
    ),
  );
  await allFinal(sql);
  assert.equal(network.taken.size, 800);
  assert.equal(network.duplicates(), 0);
  assert.equal(network.smsc.boundSessions, 1);
});

/** The answer of `/readyz?for=dispatch`, with its code. */
async function readyOf({ url }: { url: string }): Promise<[number, unknown]> {
  const answer = await fetch(`${url}/readyz?for=dispatch`);
  return [answer.status, await answer.json()];
}

test('both are ready, and one says that it is in standby', async () => {
  for (const program of programs) {
    const dispatch = holds(program) ? 'active' : 'standby';
    assert.deepEqual(await readyOf(program), [200, { status: 'ready', dispatch, problems: [] }]);
  }
});

test('the one that holds the connector is killed: the other takes over, and all arrives', async () => {
  const holder = programs.find(holds)!;
  const other = programs.find((program) => program !== holder)!;
  await mustSend(other.url, account, phones(10_000, 1_500));
  await waitFor('it is under way', () => network.taken.size > 900);
  await holder.kill();
  await waitFor('the other has the connector', () => holds(other));
  assert.equal(((await readyOf(other))[1] as { dispatch: string }).dispatch, 'active');
  await allFinal(sql);
  assert.equal(network.taken.size, 2_300);
  assert.ok(network.duplicates() <= WINDOW, `${network.duplicates()} duplicates`);
  assert.deepEqual(await statuses(sql), { 102: 2_300 });
  await assertPaid(sql, account.id, CREDITS, 2_300);
  programs.splice(programs.indexOf(holder), 1);
});

test('another process continues after the holder of the connector stops, and nothing is sent twice', async () => {
  const [holder] = programs;
  const next = await installation.start(serve);
  await mustSend(next.url, account, phones(20_000, 300));
  await waitFor('it is under way', () => network.taken.size > 2_300);
  const duplicates = network.duplicates();
  assert.deepEqual(await holder!.stop(), { code: 0, signal: null });
  // Sooner than a lease runs out.
  await waitFor('the next has the connector', () => holds(next), 20_000);
  await allFinal(sql);
  assert.equal(network.taken.size, 2_600);
  assert.equal(network.duplicates(), duplicates);
  programs.splice(0, 1, next);
});

test('a list that both make messages of: each number has one', async () => {
  programs.push(await installation.start(serve));
  await installation.command('wallet', 'add', 'shared', '9000');
  const sent = network.taken.size;
  const numbers = phones(30_000, 9_000);
  const made = await call(programs[0]!.url, account, 'newCL', {
    cl: { name: 'shared', destinations: { destination: numbers.map((phone) => ({ phone })) } },
  });
  const [list] = (made as unknown as { identifiers: string[] }).identifiers;
  const answer = await call(programs[1]!.url, account, 'sms', {
    source: 'Carillon',
    message: 'Hello',
    destinations: { cl_id: list },
  });
  assert.equal(answer.status, 0, answer.message);
  const rows = () => sql<{ n: number; different: number }[]>`
    SELECT count(*)::int AS n, count(DISTINCT recipient)::int AS different FROM messages
    WHERE shipment_id = ${Number(answer.shipment_id)}`;
  await waitFor(
    'the list is through',
    async () => (await sql`SELECT 1 FROM campaigns WHERE next_at IS NOT NULL`).length === 0,
  );
  assert.deepEqual([...(await rows())], [{ n: 9_000, different: 9_000 }]);
  const cancelled = await call(programs[0]!.url, account, 'cancel', {
    campaign_id: Number(answer.shipment_id),
  });
  assert.equal(cancelled.status, 0, cancelled.message);
  await allFinal(sql);
  assert.ok(network.taken.size < sent + 9_000);
});
