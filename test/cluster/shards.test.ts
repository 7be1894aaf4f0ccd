import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { numbers } from '../../server/database/arrays.ts';
import { announceMoved } from '../../server/database/placements.ts';
import { newPhones } from '../support/phones.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* Accounts in several shards: what is stored for them goes to the nodes that have them, also while shards move. */

const ACCOUNTS = 6;
const service = await startTestService({ settings: { VERIFY_SOURCES: 'off', RATE_LIMIT_ACCOUNT: '0' } });
const { sql, appContext } = service;
const { placements } = appContext.database;
const accounts = await Promise.all(
  Array.from({ length: ACCOUNTS }, (_, index) => service.addAccount({ username: `sharded-${index}` }, 5_000)),
);
type TestAccount = (typeof accounts)[number];

interface Place {
  readonly shard: number;
  readonly node: string;
  readonly port: number;
}

/** The shard of an account, by what the coordinator knows. */
async function placeOf({ id }: TestAccount): Promise<Place> {
  const [place] = await sql<Place[]>`
    SELECT p.shardid AS shard, n.nodename AS node, n.nodeport AS port
    FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
    WHERE p.shardid = get_shard_id_for_distribution_column('wallets', ${id}::bigint)`;
  return place!;
}

/** The port of the server that statements about an account go to. */
async function portOf({ id }: TestAccount): Promise<number> {
  await placements.of(id);
  const [row] = await placements.sqlOf(id, appContext.sql)<{ port: number }[]>`
    SELECT current_setting('port')::integer AS port`;
  return row!.port;
}

async function send({ username, token }: TestAccount, count: number): Promise<void> {
  const phone = newPhones(count);
  const content = { user: { username }, source: 'Shop', destinations: { phone }, message: 'Hello' };
  const answer = await service.call('json', 'sms', content, { token });
  assert.equal(answer.status, 0, answer.message);
}

/** Waits until each account has so many messages, all delivered. */
async function delivered(each: number): Promise<void> {
  await waitFor('all messages are delivered', async () => {
    const rows = await sql<{ count: number }[]>`
      SELECT count(*) AS count FROM messages WHERE status = 102 GROUP BY account_id`;
    return rows.length === ACCOUNTS && rows.every(({ count }) => count === each);
  });
}

test('messages of accounts in several shards are delivered, and their statements go to the node of the account', async () => {
  const places = await Promise.all(accounts.map(placeOf));
  assert.ok(new Set(places.map(({ port }) => port)).size > 1, 'all accounts are on one node');
  assert.deepEqual(
    await Promise.all(accounts.map(portOf)),
    places.map(({ port }) => port),
  );
  for (let round = 0; round < 3; round++) {
    await Promise.all(accounts.map((account) => send(account, 1)));
    await Promise.all(accounts.map((account) => send(account, 9)));
  }
  await delivered(30);
  for (const { id } of accounts) assert.equal(await service.balance(id), 5_000 - 30);
});

test('what is asked everywhere has the rows of every shard, from all nodes', async () => {
  const ids = accounts.map(({ id }) => id);
  const rows = await placements.everywhere()!<{ accountId: number }[]>`
    SELECT account_id AS "accountId" FROM wallets WHERE account_id = ANY(${numbers(ids)}::bigint[])`;
  assert.deepEqual(rows.map(({ accountId }) => accountId).sort(), ids.sort());
  const one = await placements.everywhere()!`SELECT FROM wallets WHERE account_id = ${ids[0]!}`;
  assert.equal(one.length, 1);
});

test('what is asked everywhere has the first rows of each shard, for a statement with an order and a limit', async () => {
  const rows = await placements.everywhere()!<{ accountId: number }[]>`
    SELECT account_id AS "accountId" FROM wallets ORDER BY account_id LIMIT 1`;
  const shards = new Set((await Promise.all(accounts.map(placeOf))).map(({ shard }) => shard));
  assert.ok(rows.length >= shards.size, `${rows.length} rows of ${shards.size} shards`);
});

for (const mode of ['block_writes', 'force_logical'] as const) {
  test(`a shard moves while its accounts send (${mode}): nothing is lost or paid twice`, async () => {
    const [first] = accounts as [TestAccount];
    const before = await placeOf(first);
    const [other] = await sql<{ node: string; port: number }[]>`
      SELECT nodename AS node, nodeport AS port FROM pg_dist_node WHERE shouldhaveshards AND nodeport <> ${before.port}`;
    const known = await sql<{ count: number }[]>`
      SELECT count(*) AS count FROM messages WHERE account_id = ${first.id}`;
    let isMoving = true;
    let sent = known[0]!.count;
    const moving = sql
      .begin(
        { deadlineMs: 100_000 },
        (tx) => tx`
          SELECT citus_move_shard_placement(${before.shard}::bigint, ${before.node}, ${before.port}::integer,
            ${other!.node}, ${other!.port}::integer, shard_transfer_mode => ${mode}::citus.shard_transfer_mode)`,
      )
      .finally(() => {
        isMoving = false;
      });
    for (let after = 0; after < 3; after += isMoving ? 0 : 1) {
      await Promise.all(accounts.map((account) => send(account, 2)));
      sent += 2;
    }
    await moving;
    await delivered(sent);
    for (const { id } of accounts) assert.equal(await service.balance(id), 5_000 - sent);
    await announceMoved(sql);
    await waitFor('statements go to the other node', async () => (await portOf(first)) === other!.port);
    assert.equal((await placeOf(first)).port, other!.port);
  });
}

test('a worker that another server took over for gets statements at its new address', async () => {
  const [first] = accounts as [TestAccount];
  const { port } = await placeOf(first);
  const [node] = await sql<{ id: number; name: string }[]>`
    SELECT nodeid AS id, nodename AS name FROM pg_dist_node WHERE nodeport = ${port}`;
  const moveTo = (to: number) => sql`SELECT citus_update_node(${node!.id}, ${node!.name}, ${to})`;
  // The worker, at an address that ends.
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(port, node!.name);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.pipe(far).pipe(near);
  });
  await once(proxy.listen(0, node!.name), 'listening');
  await moveTo((proxy.address() as AddressInfo).port);
  await announceMoved(sql);
  await waitFor('statements go through the proxy', async () => {
    return (await portOf(first)) === port && sockets.size > 0;
  });
  proxy.close();
  for (const socket of sockets) socket.destroy();
  await moveTo(port);
  await waitFor('statements go to the worker again', async () => {
    return (await portOf(first).catch(() => 0)) === port;
  });
  await send(first, 1);
});
