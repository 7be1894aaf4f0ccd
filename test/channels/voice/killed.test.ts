import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { Exchange } from '../../../server/sandbox/exchange/exchange.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { Installation } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* The program is killed (kill -9) while it calls, and started again, with the exchange in another process. */

const AT_ONCE = 8;
const exchange = new Exchange({ clock: systemClock, log: createLogger('silent'), ringMs: 20 });
const { uri } = await exchange.start();
after(() => exchange.stop());

const installation = new Installation({});
const carriers = join(installation.folder, 'carriers.json');
await writeFile(
  carriers,
  JSON.stringify({
    trunks: [
      {
        name: 'exchange',
        uri,
        callerId: '97237000000',
        callsAtOnce: AT_ONCE,
        callsPerSecond: 0,
        startDelayMs: 0,
      },
    ],
  }),
);
const settings = { CARRIERS_FILE: carriers, VOICE_HOURS: '00:00-24:00' };

test('killed in mid-send: everybody is called, and at most the calls in progress are repeated', {
  ...covers('B3.killed'),
  timeout: 120_000,
}, async () => {
  const phones = Array.from({ length: 40 }, (_, index) => String(972_505_550_100 + index));
  let program = await installation.start({ environment: settings });
  const account = await installation.account(program.url, 'caller', 100);
  const response = await fetch(`${program.url}/api`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}` },
    body: JSON.stringify({
      sms: {
        user: { username: 'caller' },
        source: 'Shop',
        destinations: { phone: phones },
        message: 'Hello, this goes to many',
        tts: { type: 4, repeat: 1, rate: 5 },
      },
    }),
  });
  const answer = (await response.json()) as { status: number; message: string };
  assert.equal(answer.status, 0, answer.message);
  const called = () => phones.filter((phone) => exchange.calls(phone).length > 0).length;
  await waitFor('some calls to be over', () => called() >= AT_ONCE);
  await waitFor('others to be under way', () => exchange.open > 0);
  await program.kill();
  const before = called();
  assert.ok(before < phones.length);
  // Whom the killed program called: what they heard ends without a word of it.
  exchange.hangUp();
  program = await installation.start({ environment: settings });
  const sql = await installation.sql();
  await waitFor(
    'each message to have its final status',
    async () => {
      const [row] = await sql<{ open: number }[]>`
      SELECT count(*)::int AS open FROM messages WHERE final_at IS NULL`;
      return row!.open === 0;
    },
    60_000,
  );
  const rows = await sql<{ status: number; count: number }[]>`
    SELECT status, count(*)::int AS count FROM messages GROUP BY status`;
  assert.deepEqual([...rows], [{ status: 102, count: phones.length }]);
  const calls = phones.map((phone) => exchange.calls(phone).length);
  assert.ok(calls.every((count) => count >= 1));
  const twice = calls.reduce((sum, count) => sum + count - 1, 0);
  assert.ok(twice <= AT_ONCE, `${twice} calls were made twice`);
  const [wallet] = await sql<
    { balance: string }[]
  >`SELECT balance FROM wallets WHERE account_id = ${account.id}`;
  assert.equal(Number(wallet!.balance), 100 - phones.length);
  await assertBooksBalance(sql);
  assert.equal((await program.stop()).code, 0);
});
