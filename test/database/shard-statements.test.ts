import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { freePort } from '../../bench/support/wait.ts';
import { connect, onAll, onShard, PostgresError } from '../../server/database/connection.ts';
import { statementsOf } from '../../server/database/shard-nodes.ts';
import { atEnd, createDatabase } from '../support/database.ts';

/* Statements for a shard, on two databases that stand for a coordinator and the node that has the shard. */

const SHARD = 7;
const { sql: coordinator } = await createDatabase();
const { sql: node, target } = await createDatabase();
await coordinator`CREATE TABLE things (id bigint CONSTRAINT things_pkey PRIMARY KEY, name text)`;
await node`CREATE TABLE things_7 (id bigint CONSTRAINT things_pkey_7 PRIMARY KEY, name text)`;
await node`CREATE TABLE place (is_here boolean)`;
await node`INSERT INTO place VALUES (true)`;
await node.unsafe(`
  CREATE OR REPLACE FUNCTION carillon_hold_shard(shard bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT (SELECT is_here FROM place) THEN
      RAISE EXCEPTION 'shard % is not on this node', shard USING ERRCODE = 'SHARD';
    END IF;
  END $$`);

const statements = statementsOf(SHARD, new Map([['things', 'things_7']]));
const told: unknown[] = [];
const sql = onShard(node, coordinator, statements, (error) => told.push(error));

const namesAt = async (where: typeof sql) => {
  const table = where === node ? 'things_7' : 'things';
  const rows = await where<{ name: string }[]>`SELECT name FROM ${where(table)} ORDER BY id`;
  return rows.map(({ name }) => name);
};
const moveShard = (isHere: boolean) => node`UPDATE place SET is_here = ${isHere}`;

beforeEach(async () => {
  await moveShard(true);
  await node`DELETE FROM things_7`;
  await coordinator`DELETE FROM things`;
  told.length = 0;
});

test('a statement goes to the node, with the table of the shard', async () => {
  for (const id of [1, 2, 3]) {
    const { count } = await sql`INSERT INTO things (id, name) VALUES (${id}, ${`thing ${id}`})`;
    assert.equal(count, 1);
  }
  const rows = await sql`SELECT id, name FROM things WHERE id > ${1} ORDER BY id`;
  assert.deepEqual(
    [...rows],
    [
      { id: 2, name: 'thing 2' },
      { id: 3, name: 'thing 3' },
    ],
  );
  assert.equal((await sql`SELECT FROM things WHERE id = 99`).count, 0);
  assert.deepEqual(await namesAt(coordinator), []);
  assert.deepEqual(told, []);
});

test('a statement for all shards of a node uses the session that has planned it', async () => {
  const everywhere = onAll(node.options, (statement) => [[node, statement]]);
  const askedOn = async () => {
    const [row] = await everywhere<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    return row!.pid;
  };
  const first = await askedOn();
  // Without a preference, the session that became free last is used.
  const held = [await node.reserve(), await node.reserve()];
  const pids = [];
  for (const session of held)
    pids.push((await session<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`)[0]!.pid);
  for (const index of pids[0] === first ? [0, 1] : [1, 0]) held[index]!.release();
  const [free] = await node<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  assert.notEqual(free!.pid, first);
  assert.equal(await askedOn(), first);
});

test('a constraint that a statement names is that of the shard', async () => {
  for (const name of ['first', 'second']) {
    await sql`
      WITH added AS (
        INSERT INTO things (id, name) VALUES (1, ${name}) ON CONFLICT ON CONSTRAINT things_pkey DO NOTHING RETURNING id
      )
      INSERT INTO things AS t (id, name) VALUES (2, ${name})
      ON CONFLICT ON CONSTRAINT things_pkey DO UPDATE SET name = excluded.name || ' after ' || t.name`;
  }
  assert.deepEqual(await namesAt(node), ['first', 'second after first']);
  assert.deepEqual(await namesAt(coordinator), []);
  assert.deepEqual(told, []);
});

test('while another node has the shard, statements and transactions go to the coordinator', async () => {
  await sql`INSERT INTO things VALUES (1, 'before')`;
  await moveShard(false);
  await sql`INSERT INTO things VALUES (2, 'meanwhile')`;
  await sql.begin(async (tx) => {
    await tx`INSERT INTO things VALUES (3, 'in a transaction')`;
  });
  await moveShard(true);
  await sql`INSERT INTO things VALUES (4, 'after')`;
  assert.deepEqual(await namesAt(node), ['before', 'after']);
  assert.deepEqual(await namesAt(coordinator), ['meanwhile', 'in a transaction']);
  assert.equal(told.length, 2);
});

test('a table that left the node is found at the coordinator', async () => {
  const gone = onShard(node, coordinator, statementsOf(8, new Map([['things', 'things_8']])), () => {});
  await gone`INSERT INTO things VALUES (1, 'elsewhere')`;
  assert.deepEqual(await namesAt(coordinator), ['elsewhere']);
});

test('a transaction is of the node as a whole, and one that fails is not repeated', async () => {
  const works = sql.begin(async (tx) => {
    await tx`INSERT INTO things VALUES (1, 'first')`;
    await tx.savepoint((inner) => inner`UPDATE things SET name = 'changed' WHERE id = 1`);
    return tx<{ name: string }[]>`SELECT t.name FROM things t`;
  });
  assert.deepEqual([...(await works)], [{ name: 'changed' }]);
  let times = 0;
  await assert.rejects(
    sql.begin(async (tx) => {
      times++;
      await tx`INSERT INTO things VALUES (2, 'second')`;
      await tx`INSERT INTO things VALUES (1, 'again')`;
    }),
    (error) => error instanceof PostgresError && error.code === '23505',
  );
  assert.equal(times, 1);
  assert.deepEqual(await namesAt(node), ['changed']);
  assert.deepEqual(await namesAt(coordinator), []);
});

test('a statement that fails on the node fails, and its session continues', async () => {
  await sql`INSERT INTO things VALUES (1, 'first')`;
  await assert.rejects(sql`INSERT INTO things VALUES (1, 'again')`, /duplicate key/);
  await assert.rejects(sql`SELECT nonsense FROM things`, /nonsense/);
  assert.deepEqual([...(await sql`SELECT name FROM things`)], [{ name: 'first' }]);
  assert.deepEqual(await namesAt(coordinator), []);
});

test('what a node that cannot be reached was not sent goes to the coordinator', async () => {
  const away = connect({ ...target, host: '127.0.0.1', port: await freePort() });
  atEnd(() => away.end());
  const unreached = onShard(away, coordinator, statements, (error) => told.push(error));
  await unreached`INSERT INTO things VALUES (1, 'a statement')`;
  await unreached.begin((tx) => tx`INSERT INTO things VALUES (2, 'a transaction')`);
  assert.deepEqual(await namesAt(coordinator), ['a statement', 'a transaction']);
  assert.equal(told.length, 2);
});

test('a statement whose session is lost is not repeated: it may have been done', async () => {
  const waiting = sql`INSERT INTO things SELECT 1, 'lost' FROM pg_sleep(600)`;
  const rejected = assert.rejects(waiting);
  for (let ended = 0; ended === 0; ) {
    const rows = await node`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%things_7%pg_sleep(600)%' AND state = 'active'
        AND pid <> pg_backend_pid()`;
    ended = rows.length;
  }
  await rejected;
  assert.deepEqual(await namesAt(coordinator), []);
});

test('tables of a shard keep the names that statements call them by', () => {
  const { write } = statementsOf(5, new Map([['messages', 'messages_5'], ['wallets', 'wallets_4']])); // biome-ignore format: a list
  const cases = [
    ['SELECT m.id FROM messages m', 'SELECT m.id FROM messages_5 m'],
    ['SELECT messages FROM messages', 'SELECT messages FROM messages_5 AS messages'],
    [
      'FROM unnest($1) AS u JOIN messages m ON m.id = u.id',
      'FROM unnest($1) AS u JOIN messages_5 m ON m.id = u.id',
    ],
    ['INSERT INTO messages (id) VALUES (1)', 'INSERT INTO messages_5 AS messages (id) VALUES (1)'],
    ['INSERT INTO messages AS b (id) VALUES (1)', 'INSERT INTO messages_5 AS b (id) VALUES (1)'],
    ['UPDATE messages SET messages = 1', 'UPDATE messages_5 AS messages SET messages = 1'],
    ['DELETE FROM messages b USING wallets w', 'DELETE FROM messages_5 b USING wallets_4 w'],
    ['SELECT FROM messages_changed, message', 'SELECT FROM messages_changed, message'],
    [
      'SELECT FROM messages\n  ORDER BY id FOR UPDATE',
      'SELECT FROM messages_5 AS messages\n  ORDER BY id FOR UPDATE',
    ],
  ] as const;
  for (const [text, written] of cases) assert.equal(write(text), written);
});
