import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { allFinal, mustSend, phone, send, startNetwork, statuses } from '../../../faults/support.ts';
import { createDatabase } from '../../../support/database.ts';
import { databaseUrl, Installation, knownTo, type Program } from '../../../support/process.ts';
import { waitFor } from '../../../support/wait-for.ts';

/* Real processes that accept, and others that dispatch, on one database and one connector. */

const WINDOW = 20;
const { sql, target } = await createDatabase();
const network = await startNetwork();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url({ window: WINDOW }),
  METRICS_PORT: '0',
});
const startWith = (roles: string, environment = {}) =>
  installation.start({ args: ['serve', '--role', roles], environment, ready: false });
const holds = ({ output }: Program) => output().includes('holding the connector');

const api = await startWith('api');
const holder = await startWith('dispatch');
await waitFor('the first has the connector', () => holds(holder));
const standby = await startWith('dispatch,jobs');
const account = await installation.account(api.url, 'shared', 10_000);

/** Value of a metric of a process in a direction. */
async function metricOf({ output }: Program, name: string, direction: 'to' | 'from'): Promise<number> {
  const [, url] = /"monitoring":"([^"]+)"/.exec(output())!;
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{direction="${direction}"\\} (\\d+)`, 'm').exec(text)![1]);
}

const connected = (program: Program, count: number) =>
  waitFor(
    'it has its connections',
    async () => (await metricOf(program, 'carillon_peer_connections', 'to')) === count,
  );

/** Sends singles one after the other, until a process does not answer. Returns how many it accepted. */
async function sendSingles(url: string, from: number, count: number, after?: (sent: number) => void) {
  for (let sent = 0; sent < count; sent++) {
    const answer = await send(url, account, [phone(from + sent)]).catch(() => undefined);
    if (!answer) return sent;
    assert.equal(answer.status, 0, answer.message);
    after?.(sent + 1);
  }
  return count;
}

test('messages that one process accepts go to the process that holds the connector', async () => {
  await connected(api, 2);
  assert.equal(await sendSingles(api.url, 0, 50), 50);
  await allFinal(sql);
  assert.equal(network.taken.size, 50);
  assert.equal(network.duplicates(), 0);
  const handed = await metricOf(api, 'carillon_peer_messages_total', 'to');
  assert.ok(handed > 0);
  assert.equal(await metricOf(holder, 'carillon_peer_messages_total', 'from'), handed);
});

test('the holder is killed while messages go to it: all are sent, at most a window twice', async () => {
  const ended: Promise<void>[] = [];
  const accepted = await sendSingles(api.url, 1_000, 200, (sent) => {
    if (sent === 80) ended.push(holder.kill());
  });
  assert.equal(accepted, 200);
  await Promise.all(ended);
  await waitFor('the other has the connector', () => holds(standby));
  await allFinal(sql);
  assert.equal(network.taken.size, 250);
  assert.ok(network.duplicates() <= WINDOW, `${network.duplicates()} duplicates`);
});

test('a process that accepts is killed: what it has stored is sent once', async () => {
  const other = await startWith('api');
  await knownTo(other.url, account);
  await connected(other, 1);
  const duplicates = network.duplicates();
  const ended: Promise<void>[] = [];
  const senders = Array.from({ length: 4 }, (_, index) =>
    sendSingles(other.url, 2_000 + index * 100, 100, (sent) => {
      if (index === 0 && sent === 40) ended.push(other.kill());
    }),
  );
  const accepted = (await Promise.all(senders)).reduce((sum, count) => sum + count, 0);
  await Promise.all(ended);
  await allFinal(sql);
  const { 102: delivered } = await statuses(sql);
  assert.equal(network.taken.size, delivered);
  assert.ok(delivered! >= 250 + accepted);
  assert.equal(network.duplicates(), duplicates);
});

test('without a socket the dispatcher learns of messages from the database', async () => {
  assert.deepEqual(await standby.stop(), { code: 0, signal: null });
  const alone = await startWith('dispatch,jobs', {
    XDG_RUNTIME_DIR: join(installation.folder, 'missing'),
  });
  assert.ok(alone.output().includes('no socket'));
  const before = await metricOf(api, 'carillon_peer_messages_total', 'to');
  const { size } = network.taken;
  await mustSend(api.url, account, [phone(5_000)]);
  await allFinal(sql);
  assert.equal(network.taken.size, size + 1);
  assert.equal(await metricOf(api, 'carillon_peer_messages_total', 'to'), before);
});
