import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStream } from '../../api/v1/live-support.ts';
import { allFinal, assertPaid, call, mustSend, phones, send, startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { freePort, startBalancer } from '../../support/haproxy.ts';
import { databaseUrl, Installation, knownTo, type Program } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/*
 * Two processes that accept behind a load balancer, two that send and one for the jobs, on one database, as on five
 * machines. Leases are of real time.
 */

const WINDOW = 50;
const CREDITS = 20_000;
const { sql, target } = await createDatabase();
const network = await startNetwork();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url({ window: WINDOW, messagesPerSecond: 400 }),
});
const start = (role: string, port?: number) =>
  installation.start({
    args: ['serve', '--role', role],
    ready: false,
    ...(port !== undefined && { environment: { PORT: String(port) } }),
  });
const ports = [await freePort(), await freePort()];
const apis = [await start('api', ports[0]), await start('api', ports[1])];
const senders = [await start('dispatch'), await start('dispatch')];
let jobs = await start('jobs');
const url = await startBalancer(ports);
const account = await installation.account(apis[0]!.url, 'balanced', CREDITS);
await knownTo(apis[1]!.url, account);
const holds = (program: Program) => program.output().includes('holding the connector');

test('one process holds the connector; both that accept are heard; a stream tells what others do', async () => {
  await waitFor('a process holds the connector', () => senders.some(holds));
  assert.equal(senders.filter(holds).length, 1);
  assert.equal(network.smsc.boundSessions, 1);
  const [shipment] = await Promise.all(
    [0, 1, 2, 3].map((part) => mustSend(url, account, phones(part * 100, 100))),
  );
  const stream = await openStream(`${apis[1]!.url}/v1/live?shipments=${shipment}`, account.token);
  await stream.until(
    'the shipment is finished',
    ({ type, data }) => type === 'shipment' && data.state === 'finished',
  );
  await stream.close();
  await allFinal(sql);
  assert.equal(network.taken.size, 400);
  assert.equal(network.duplicates(), 0);
});

test('one of each kind is killed under load: nothing is lost, and leases move within their time', async () => {
  const list = await call(url, account, 'newCL', {
    cl: { name: 'all', destinations: { destination: phones(20_000, 6_000).map((phone) => ({ phone })) } },
  });
  const [listId] = (list as unknown as { identifiers: string[] }).identifiers;
  await mustSend(url, account, [], { destinations: { cl_id: listId } });
  const sending = Array.from({ length: 60 }, (_, index) =>
    sendUntilAccepted(`load-${index}`, phones(1_000 + index * 20, 20)),
  );
  await waitFor('it is under way', () => network.taken.size > 800);
  const holder = senders.find(holds)!;
  const other = senders.find((program) => program !== holder)!;
  await Promise.all([apis[0]!.kill(), holder.kill(), jobs.kill()]);
  jobs = await start('jobs');
  await waitFor('the other process has the connector', () => holds(other));
  apis[0] = await start('api', ports[0]);
  await Promise.all(sending);
  await allFinal(sql, 120_000);
  assert.equal(network.taken.size, 400 + 1_200 + 6_000);
  assert.ok(network.duplicates() <= WINDOW, `${network.duplicates()} duplicates`);
  assert.equal(network.smsc.boundSessions, 1);
  await assertPaid(sql, account.id, CREDITS, 7_600);
});

/** Sends with a key, again and again until there is an answer that says yes: as a client behind a load balancer does. */
async function sendUntilAccepted(key: string, to: readonly string[]): Promise<void> {
  await waitFor(`${key} is accepted`, async () => {
    const answer = await send(url, account, to, { send_key: key }).catch(() => undefined);
    return answer?.status === 0;
  });
}
