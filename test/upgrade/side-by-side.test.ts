import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freePorts } from '../../bench/support/wait.ts';
import { readMigrations } from '../../server/database/migration-files.ts';
import { releasesOn } from '../../server/database/releases.ts';
import { startReceiver } from '../engine/events/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { databaseUrl, Installation, type Program } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { phone, SOURCE, TOKEN, withToken } from './history.ts';
import { history, unpackProgram } from './release.ts';

/*
 * An upgrade without a pause: processes of the release before and of this version run on one database, which this version
 * migrates while the other one sends. Then the old ones are stopped.
 */

const { sql, target } = await createEmptyDatabase();
const released = await unpackProgram();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SANDBOX: 'on',
  SANDBOX_PORT: String(await freePorts(5)),
  SANDBOX_RECEIPT_DELAY_MS: '50',
  CARILLON_DEMO_TOKEN: TOKEN,
});
const receiver = await startReceiver();
const old = await installation.start({ args: ['serve'], main: released });

/** Texts that were accepted: the phone and what it was told. */
const accepted = new Map<string, string>();
let next = 0;

/** Sends an SMS through a program. */
async function send(url: string): Promise<void> {
  const to = phone(next++);
  const message = `Number ${next}`;
  const response = await fetch(`${url}/v1/sms`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ source: 'Shop', message, phones: [to] }),
  });
  const text = await response.text();
  assert.equal(response.status, 202, text);
  accepted.set(to, message);
}

/** Sends through some programs, one SMS after the other, until it is ended. */
function keepSending(...programs: Program[]) {
  let over = false;
  const ended = Promise.all(
    programs.map(async ({ url }) => {
      while (!over) await send(url);
    }),
  );
  ended.catch(() => {});
  return async () => {
    over = true;
    await ended;
  };
}

test('both versions accept, send and hear at the same time, and the old one is stopped', async () => {
  await withToken(old.url)('POST', '/webhooks', { url: receiver.url, types: ['message.status'] });
  const stopOld = keepSending(old);
  await waitFor('the old one sends', () => accepted.size > 20);
  // It migrates beside the one that sends.
  const fresh = await installation.start({ args: ['serve'], ready: false });
  const stopFresh = keepSending(fresh);
  const before = accepted.size;
  await waitFor('both send', () => accepted.size > before + 100);

  for (const { url } of [old, fresh]) {
    const api = withToken(url);
    // What comes in, over each: a conversation that the old version does not know is opened by the new one alone.
    const from = phone(5_000 + next++);
    await api('POST', `/sandbox/phones/${from}/sms`, { to: '0559876543', text: 'On my way' });
    await api('POST', `/sandbox/phones/${from}/chat`, { to: SOURCE, body: 'Are you there?' });
    await waitFor('both are stored', async () => {
      const rows = await sql`
        SELECT source FROM incoming WHERE source = ${from} UNION ALL SELECT client FROM chat_incoming WHERE client = ${from}`;
      return rows.length === 2;
    });
    await api('POST', '/chat/messages', { source: SOURCE, to: from, template_id: `1_${SOURCE}_plain` }, 202);
    const { id: list } = await api<{ id: string }>('POST', '/mail/lists', { name: `News ${next}` });
    await api('POST', `/mail/lists/${list}/users`, { users: [{ email: `bounce-hard+${next}@example.com` }] });
    const mail = { from: { address: 'a@example.com' }, subject: 'News', text: 'News', lists: [list] };
    await api('POST', '/mail/campaigns', mail, 202);
    const code = phone(6_000 + next++);
    await api('POST', '/otp', { phone: code, source: 'Shop', text: 'Your code is [code]' }, 202);
  }
  await stopOld();
  assert.deepEqual(await old.stop(), { code: 0, signal: null });
  const oldEnded = Date.now();
  const after = accepted.size;
  await waitFor('the new one goes on', () => accepted.size > after + 50);
  await stopFresh();

  const outcomes = await waitFor('all are delivered', async () => {
    const rows = await sql<{ recipient: string; status: number; handed_at: number; told: number }[]>`
      SELECT recipient, max(status) AS status, max(handed_at) AS handed_at, count(*)::int AS told FROM messages
      WHERE recipient = ANY(${[...accepted.keys()]}) GROUP BY recipient`;
    // The simulated network ended with the process that had it, and with it the receipts that it had yet to send.
    const isOver = rows.every(
      ({ status, handed_at: at }) => status === 102 || (status === -1 && at < oldEnded),
    );
    return rows.length === accepted.size && isOver && rows;
  });
  // No process was killed, so nobody has a message twice.
  assert.ok(outcomes.every(({ told }) => told === 1));
  const told = () => new Set(receiver.received.flatMap(({ body }) => body.match(/97250\d{7}/g) ?? []));
  const delivered = outcomes.filter(({ status }) => status === 102).map(({ recipient }) => recipient);
  assert.ok(delivered.length > accepted.size / 2, 'only the last ones can be without a receipt');
  await waitFor('the webhook is told of each', () => told().isSupersetOf(new Set(delivered)));
  await assertBooksBalance(sql);
});

test('the last release starts on the schemas that the table of releases names', async () => {
  const schema = (await readMigrations()).at(-1)!.number;
  const { starts } = releasesOn(schema, 0).find(({ version }) => version === history.version)!;
  assert.equal(starts, false, 'a release that starts has to be stopped in this test');
  const { code, output } = await installation.startInVain({}, ['serve'], released);
  assert.equal(code, 1);
  assert.match(output, /start a newer version/);
});
