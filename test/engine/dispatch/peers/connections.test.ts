import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { DispatcherConnection } from '../../../../server/engine/dispatch/peers/dispatcher-connection.ts';
import { FrameReader, frameOf } from '../../../../server/engine/dispatch/peers/frames.ts';
import { socketPath } from '../../../../server/engine/dispatch/peers/socket-folder.ts';
import { StoppedShipments } from '../../../../server/engine/dispatch/stopped-shipments.ts';
import { createLogger } from '../../../../server/kit/observability/log.ts';
import { metrics } from '../../../../server/kit/observability/metrics.ts';
import { installationKey } from '../../../../server/secrets/installation-keys.ts';
import { startNetwork } from '../../../faults/support.ts';
import { atEnd, createDatabase } from '../../../support/database.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { startDispatching } from '../support.ts';

/* Connections between processes: their proofs, their frames and their folder. */

const database = await createDatabase();
const { sql } = database;
const service = await startDispatching(await startNetwork(), {}, database);
const { secrets, process: own } = service.appContext;
const key = await installationKey(sql, secrets, 'peers');
const [row] = await sql<
  { path: string }[]
>`SELECT peer_socket AS path FROM processes WHERE boot = ${own.boot}`;
const { path } = row!;
const log = createLogger('silent');

/** Connects as a process that accepts; closed with the test file. */
function connectAs(changes: Partial<ConstructorParameters<typeof DispatcherConnection>[0]>) {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const connection = new DispatcherConnection({
    ...{ path, dispatcher: own.boot, key, owner: own.boot, log, validityMs: 1_000, closed: () => resolve() },
    ...changes,
  });
  atEnd(() => connection.close());
  return { connection, closed };
}

async function connectionsFrom(): Promise<number> {
  const { values } = await metrics.getSingleMetric('carillon_peer_connections')!.get();
  return values.find(({ labels }) => (labels as { direction?: string }).direction === 'from')!.value;
}

test('a process with the key and a number of this database is connected', async () => {
  const { connection, closed } = connectAs({});
  await waitFor('it is open', () => connection.isOpen);
  await waitFor('it has room', () => connection.roomIn('1/') > 0);
  assert.ok(!connection.isDue(1, 1));
  await connection.close();
  await closed;
});

test('a process with another key is refused', async () => {
  const { connection, closed } = connectAs({ key: Buffer.alloc(32, 1) });
  await closed;
  assert.equal(connection.isOpen, false);
  assert.equal(await connectionsFrom(), 0);
});

test('a process that is not registered in the database is refused', async () => {
  const { connection, closed } = connectAs({ owner: 'a process of a copy of the database' });
  await closed;
  assert.equal(connection.isOpen, false);
  assert.equal(await connectionsFrom(), 0);
});

test('a dispatcher without the key gets no messages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dispatcher-'));
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(frameOf({ protocol: 1, nonce: 'a nonce' }));
    socket.once('data', () => {
      socket.write(frameOf({ owner: own.boot, proof: 'x'.repeat(43) }));
      socket.write(
        frameOf({ routes: [['', 1_000, 1_000]], due: [[], []], taken: 0, hints: 0, stops: false }),
      );
    });
  });
  const other = join(folder, 'socket');
  server.listen(other);
  await once(server, 'listening');
  atEnd(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const { connection, closed } = connectAs({ path: other });
  await closed;
  assert.equal(connection.isOpen, false);
});

test('frames are read from any chunks', () => {
  const values = [{ text: 'שלום' }, {}, { list: [1, 2, 3] }];
  const bytes = Buffer.concat(values.map(frameOf));
  for (let size = 1; size <= bytes.length; size++) {
    const reader = new FrameReader();
    const read: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      reader.add(bytes.subarray(at, at + size));
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) read.push(frame);
    }
    assert.deepEqual(read, values);
  }
});

test('a large frame is refused until the other side is proven', () => {
  const large = frameOf({ text: 'x'.repeat(2_000) });
  const reader = new FrameReader();
  reader.add(large);
  assert.throws(() => reader.next(), /too large/);
  const trusting = new FrameReader();
  trusting.trust();
  trusting.add(large);
  assert.ok(trusting.next());
});

test('the socket is in a folder that only its user can open', async () => {
  const folder = dirname(path);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('without a private folder there is no socket', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'open-'));
  atEnd(() => rm(parent, { recursive: true }));
  const folder = join(parent, `carillon-${process.getuid!()}`);
  await mkdir(folder);
  await chmod(folder, 0o755);
  assert.equal(await socketPath({ key, process: own, parent }), undefined);
  await chmod(folder, 0o700);
  assert.equal(dirname((await socketPath({ key, process: own, parent }))!), folder);
  await assert.rejects(socketPath({ key, process: own, parent: join(parent, 'missing') }), {
    code: 'ENOENT',
  });
});

test('a path that is too long for a socket is not used', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'x'.repeat(100)));
  atEnd(() => rm(parent, { recursive: true }));
  assert.equal(await socketPath({ key, process: own, parent }), undefined);
});

test('the socket of a killed process with the same number is removed, and one in use is kept', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'stale-'));
  atEnd(() => rm(parent, { recursive: true }));
  const dead = createServer();
  const deadPath = (await socketPath({ key, process: { ...own, boot: 'deadbeef' }, parent }))!;
  // Under another name, because the server removes its own when it closes.
  dead.listen(`${deadPath}x`);
  await once(dead, 'listening');
  await rename(`${deadPath}x`, deadPath);
  const alive = createServer((socket) => socket.destroy());
  const alivePath = (await socketPath({ key, process: { ...own, boot: 'living' }, parent }))!;
  alive.listen(alivePath);
  await once(alive, 'listening');
  atEnd(() => void alive.close());
  dead.close();
  await once(dead, 'close');
  await socketPath({ key, process: own, parent });
  assert.deepEqual(await readdir(dirname(alivePath)), [alivePath.slice(dirname(alivePath).length + 1)]);
});

test('a cancellation names a message, or its shipment', () => {
  const stopped = new StoppedShipments();
  stopped.cancel([1]);
  stopped.cancelMessages([20]);
  const isCancelled = (shipmentId: number, id: number) => stopped.isCancelled({ shipmentId, id });
  assert.deepEqual([isCancelled(1, 10), isCancelled(2, 20), isCancelled(2, 21)], [true, true, false]);
});
