import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carillon } from '../../commands/support.ts';
import { allFinal, mustSend, phone, startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { databaseUrl } from '../../support/process.ts';
import { SECRET_KEY } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* The end of a batch that cannot be stored: the others of its account go on; and the commands that show it and try it again. */

const ESME_RSYSERR = 0x08;
const isRefused = new Set<string>();
const network = await startNetwork({
  answerStatus: ({ to }) => (isRefused.has(to) ? ESME_RSYSERR : undefined),
});
const database = await createDatabase();
const { url, sql, clock, account } = await startDispatching(network, { window: 50 }, database);
const caller = await account('ends', 1_000);

interface Listed {
  readonly id: number;
  readonly account_id: number;
  readonly reason: string;
  readonly payload: string;
  readonly retry_at: number | null;
}

async function quarantine(...args: string[]): Promise<string> {
  const environment = { DATABASE_URL: databaseUrl(database.target), SECRET_KEY };
  const { code, out, err } = await carillon(environment, 'quarantine', ...args);
  assert.equal(code, 0, err);
  return out;
}

const listed = async () => JSON.parse(await quarantine('list', '--json')) as Listed[];
const rowsKept = async () => (await sql`SELECT 1 FROM quarantine`).length;

test('ends of batches that cannot be stored are put aside, one by one, and stored when asked for', async () => {
  // No second attempt of a batch can be stored.
  await sql`ALTER TABLE dispatch_batches ADD CONSTRAINT again_check CHECK (attempt = 0)`;
  const [first, second, other] = [phone(1), phone(2), phone(3)];
  isRefused.add(first).add(second);
  await Promise.all([mustSend(url, caller, [first]), mustSend(url, caller, [second])]);
  await waitFor('the ends are put aside', async () => (await rowsKept()) > 0);
  const sent = network.submits.filter(({ to }) => to === first).length;
  await mustSend(url, caller, [other]);
  await waitFor('another message is delivered', async () => {
    const rows = await sql`SELECT 1 FROM messages WHERE recipient = ${other} AND status = 102`;
    return rows.length === 1;
  });
  const batches = await sql<{ lease_owner: string | null; due_at: number }[]>`
    SELECT lease_owner, due_at FROM dispatch_batches`;
  for (const { lease_owner, due_at } of batches) {
    assert.equal(lease_owner, null);
    assert.ok(due_at > clock.now() + 1e12);
  }
  // Leases run out meanwhile: nothing of it is sent again by itself.
  clock.advance(3_600_000);
  await mustSend(url, caller, [phone(4)]);
  await waitFor('yet another is delivered', async () => {
    const rows = await sql`SELECT 1 FROM messages WHERE recipient = ${phone(4)} AND status = 102`;
    return rows.length === 1;
  });
  assert.equal(network.submits.filter(({ to }) => to === first).length, sent);

  const all = await listed();
  assert.equal(all.length, batches.length);
  for (const { reason, payload, account_id, retry_at } of all) {
    assert.match(reason, /^23514 again_check/);
    assert.equal(account_id, caller.id);
    assert.equal(retry_at, null);
    assert.doesNotMatch(payload, new RegExp(`${first}|${second}`));
  }
  assert.match(await quarantine('list'), new RegExp(`${all[0]!.id} {2}account ${caller.id} .*again_check`));

  // Still refused: it comes back, and is asked for anew.
  assert.match(await quarantine('retry', String(all[0]!.id)), /^1 will be tried again/);
  await waitFor('it is put aside anew', async () => {
    const rows = await sql<{ id: number }[]>`SELECT id FROM quarantine`;
    return rows.length === all.length && rows.every(({ id }) => id !== all[0]!.id);
  });

  await sql`ALTER TABLE dispatch_batches DROP CONSTRAINT again_check`;
  isRefused.clear();
  assert.deepEqual(JSON.parse(await quarantine('retry', '--json')), { count: all.length });
  await waitFor('nothing is left in quarantine', async () => (await rowsKept()) === 0);
  assert.equal((await quarantine('list')).trim(), 'none');
  await allFinal(sql);
  const [row] = await sql<
    { count: number }[]
  >`SELECT count(*)::int AS count FROM messages WHERE status = 102`;
  assert.equal(row!.count, 4);
});

test('an id outside the list is refused, and a removed one counts as unknown', async () => {
  const environment = { DATABASE_URL: databaseUrl(database.target), SECRET_KEY };
  const wrong = await carillon(environment, 'quarantine', 'retry', 'x');
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /x is not an id of the list/);
  assert.match(await quarantine('retry', '12345'), /^0 will be tried again/);
});
