import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startProvider } from '../protocols/http-carrier/support.ts';
import { Browser, PASSWORD } from '../support/console.ts';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { allFinal, assertPaid, mustSend, phones, startNetwork, statuses } from './support.ts';

/* The program is killed (kill -9) while messages wait for the networks of their recipients. */

const WINDOW = 50;
const CREDITS = 100_000;
const SIZE = 2_000;
const KILLS = 3;

const first = await startNetwork();
const second = await startNetwork();
const networks = { first, second };
const installation = new Installation({
  SMPP_URL: first.url({ window: WINDOW }),
  COPY_PAUSE_SECONDS: '0',
  WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
});
let program = await installation.start();
const account = await installation.account(program.url, 'killed', CREDITS);
const sql = await installation.sql();

/** Numbers `phone(n)` with an even n are of network 425-01. */
const isOfSecond = (to: string) => Number(to.at(-2)) % 2 === 0;
const provider = await startProvider({ after }, ({ path }) => ({
  status: 200,
  body: { network: isOfSecond(path) ? '42501' : '42502' },
}));

async function setUp(): Promise<void> {
  await installation.command('person', 'add', 'root', '--password', PASSWORD);
  const root = new Browser(program.url);
  assert.equal(await root.signIn('root'), '200');
  const { port } = second;
  await root.ask('POST', '/operator/connectors', {
    name: 'alpha',
    smpp: { host: '127.0.0.1', port, system_id: 'carillon', password: 'carillon', window: WINDOW },
  });
  await root.ask('PUT', '/operator/number-lookup', {
    description: {
      send: { method: 'GET', url: `${provider.origin}/{to.digits}` },
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      answer: { rules: [{ when: { status: 200 }, then: 'found' }], network: '/network' },
    },
    window: 5,
    // Busy processors delay answers for seconds.
    timeout_ms: 10_000,
  });
  await root.ask('POST', '/operator/routes', { networks: ['425-01'], connectors: [{ connector: 'alpha' }] });
}

test('killed while networks are looked up: every message arrives over the connector of its network', async () => {
  await setUp();
  const to = phones(0, SIZE);
  await mustSend(program.url, account, to);
  for (let kill = 1; kill <= KILLS; kill++) {
    const enough = (SIZE * kill) / (KILLS + 1);
    await waitFor('networks are being looked up', () => provider.received.length >= enough);
    await program.kill();
    program = await installation.start();
  }
  await allFinal(sql);
  const wrong = to.filter((one) => !networks[isOfSecond(one) ? 'second' : 'first'].taken.has(one));
  assert.deepEqual(wrong, []);
  assert.equal(first.taken.size + second.taken.size, SIZE);
  const duplicates = first.duplicates() + second.duplicates();
  assert.ok(duplicates <= 2 * WINDOW * KILLS, `${duplicates} duplicates`);
  assert.deepEqual(await statuses(sql), { 102: SIZE });
  await assertPaid(sql, account.id, CREDITS, SIZE);
});
