import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { connectorOf } from '../../../server/engine/carriers/carrier.ts';
import { Routing } from '../../../server/engine/carriers/routing.ts';
import { listConnectorStates } from '../../../server/engine/dispatch/connector-states.ts';
import { HeldConnectors } from '../../../server/engine/dispatch/held-connectors.ts';
import { systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { oneProcess, type ProcessGroup } from '../../../server/kit/process-roles.ts';
import { SmppConnector } from '../../../server/protocols/smpp/connector.ts';
import { partOfSmpp, smppConnectorSettings } from '../../../server/protocols/smpp/settings.ts';
import { startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Connectors of two processes on one database, with a real session to a carrier. Rounds of leases are made by the tests. */

const NAME = 'carrier';
const { sql } = await createDatabase();
const network = await startNetwork();
const log = createLogger('silent');
/** A port on which nothing listens. */
const closedPort = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    server.close(() => resolve(port));
  });
});

interface ProcessOptions {
  readonly port?: number;
  readonly maxDownMs?: number;
  readonly binds?: number;
  readonly group?: ProcessGroup;
}

/** The connectors of a process that reaches its carrier at `port`. */
function startProcess(
  owner: string,
  { port = network.port, maxDownMs = 60_000, binds = 1, group = oneProcess }: ProcessOptions = {},
) {
  const settings = smppConnectorSettings.parse({
    name: NAME,
    host: '127.0.0.1',
    port,
    systemId: 'carillon',
    password: 'carillon',
    binds,
    reconnectMinMs: 10,
    reconnectMaxMs: 20,
  });
  const nothing = async () => {};
  const held = new HeldConnectors({
    sql,
    asyncCommitSql: sql,
    clock: systemClock,
    log,
    owner,
    carriers: [
      connectorOf(
        { name: NAME, maxParts: binds },
        (part) => new SmppConnector(partOfSmpp(settings, part), { log, clock: systemClock }),
      ),
    ],
    special: [],
    routing: new Routing([], []),
    learned: nothing,
    listenerOf: () => ({ receipt: nothing, incoming: nothing, incomingPart: nothing, late() {}, ready() {} }),
    isAlone: false,
    group,
    maxDownMs,
  });
  after(async () => {
    await held.close(0);
    await held.release();
  });
  return held;
}

const isUp = (held: HeldConnectors) => held.forRoute('') !== undefined;
const ownerOf = async () =>
  (await sql<{ lease_owner: string | null }[]>`SELECT lease_owner FROM links`)[0]!.lease_owner?.split(
    '/',
  )[0] ?? null;
/** As after a lease that was not renewed. */
const endLease = () => sql`UPDATE links SET lease_until = 0`;

test('a connector moves between two processes as often as the lease does', async () => {
  const processes = [startProcess('one'), startProcess('other')];
  for (let turn = 0; turn < 6; turn++) {
    const [next, last] = turn % 2 === 0 ? processes : processes.toReversed();
    await endLease();
    await next!.hold();
    await last!.hold();
    await waitFor('the next process is up', () => isUp(next!));
    assert.equal(isUp(last!), false);
    await waitFor('one session is bound', () => network.smsc.boundSessions === 1);
  }
  for (const held of processes) {
    await held.close(0);
    await held.release();
  }
});

test('a process that cannot reach the carrier releases the lease for a process that asks for it', async () => {
  const cutOff = startProcess('cut off', { port: closedPort, maxDownMs: 0 });
  const other = startProcess('in reach');
  await cutOff.hold();
  await cutOff.hold();
  assert.equal(await ownerOf(), 'cut off', 'nobody asks for it');
  await other.hold();
  await cutOff.hold();
  await cutOff.hold();
  assert.equal(await ownerOf(), null);
  assert.equal(cutOff.part, 'standby');
  await other.hold();
  await waitFor('the other process is up', () => isUp(other));
  await other.hold();
  assert.equal(await ownerOf(), 'in reach');
});

test('processes of a group divide the sessions of a connector, and take the part of one that has ended', async () => {
  await endLease();
  const processes = [0, 1].map((index) =>
    startProcess(`part ${index}`, { binds: 3, group: { count: 2, index, isFirst: true } }),
  );
  const [first, second] = processes as [HeldConnectors, HeldConnectors];
  const leases = async () =>
    (
      await sql<{ name: string; owner: string | null }[]>`
        SELECT name, split_part(lease_owner, '/', 1) AS owner FROM links ORDER BY name`
    ).map(({ name, owner }) => `${name} ${owner}`);
  for (const held of processes) await held.hold();
  await waitFor('three sessions are bound', () => network.smsc.boundSessions === 3);
  assert.deepEqual(await leases(), [`${NAME} part 0`, `${NAME}#1 part 1`]);
  for (const held of processes) await held.tell();
  const [state] = await listConnectorStates(sql);
  assert.deepEqual([state!.name, state!.state, state!.window], [NAME, 'up', 500]);

  await first.close(0);
  await first.release();
  await second.hold();
  assert.deepEqual(await leases(), [`${NAME} null`, `${NAME}#1 part 1`], 'a process holds one part');
  const next = startProcess('next', { binds: 3, group: { count: 2, index: 1, isFirst: false } });
  await next.hold();
  assert.deepEqual(await leases(), [`${NAME} next`, `${NAME}#1 part 1`], 'the part that is free');
  await waitFor('three sessions are bound', () => network.smsc.boundSessions === 3);
});
