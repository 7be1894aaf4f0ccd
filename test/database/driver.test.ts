import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type ConnectOptions,
  connect,
  PostgresError,
  type Sql,
  type TransactionSql,
} from '../../server/database/connection.ts';
import { listen } from '../../server/database/listener.ts';
import { isDatabaseTrouble } from '../../server/database/trouble.ts';
import { atEnd, createDatabase } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { waitFor } from '../support/wait-for.ts';

/* The driver: what SQL can be written, what an answer means, and what becomes of statements whose connection is gone. */

const { sql, target } = await createDatabase();
const proxy = await DatabaseProxy.start(join(target.host, `.s.PGSQL.${target.port}`));
const throughProxy = (options: ConnectOptions = {}): Sql => {
  const pool = connect(
    { ...target, host: '127.0.0.1', port: proxy.port },
    { max: 1, application: 'proxied', ...options },
  );
  atEnd(() => pool.end({ timeout: 0 }));
  return pool;
};
atEnd(() => proxy.stop());
await sql`CREATE TABLE kept (id bigint CONSTRAINT kept_pkey PRIMARY KEY, note text)`;

const count = async () => (await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM kept`)[0]!.n;
const trouble = (error: unknown) => isDatabaseTrouble(error);

test('values go to the server and come back as they are', async () => {
  const [row] = await sql`
    SELECT ${2 ** 52}::bigint AS big, ${true} AS yes, ${'a "b" \\ c'} AS text, ${null}::int AS nothing, ${1.5}::real AS real,
      ${Buffer.from([0, 255])} AS bytes, ${sql.json({ a: [1, 'x'] })} AS json, ${['a', '"', '\\', 'NULL', null]}::text[] AS texts,
      ${[1, null, 2 ** 52]}::bigint[] AS numbers, '12.3400'::numeric(18,4) AS money, ${new Date(5)} AS at`;
  assert.deepEqual(row, {
    big: 2 ** 52,
    yes: true,
    text: 'a "b" \\ c',
    nothing: null,
    real: 1.5,
    bytes: Buffer.from([0, 255]),
    json: { a: [1, 'x'] },
    texts: ['a', '"', '\\', 'NULL', null],
    numbers: [1, null, 2 ** 52],
    money: '12.3400',
    at: new Date(5),
  });
  await assert.rejects(sql`SELECT ${undefined as never}`, TypeError);
  await assert.rejects(sql`SELECT ${{} as never}`, TypeError);
});

test('fragments, names, lists and assignments become part of the statement', async () => {
  const some = sql`n > ${2} AND n < ${6}`;
  const rows = await sql`
    SELECT ${sql(['n', 'g.n'])} FROM generate_series(1, 10) AS ${sql('g')}(n) WHERE ${some} AND n IN ${sql([3, 5, 9])}`;
  assert.deepEqual([...rows], [{ n: 3 }, { n: 5 }]);
  assert.equal(rows.count, 2);
  await sql`INSERT INTO kept VALUES (1, 'before')`;
  const changed = await sql`UPDATE kept SET ${sql({ note: 'after', id: 2 })} WHERE id = 1`;
  assert.deepEqual([changed.count, changed.command], [1, 'UPDATE']);
  const [kept] = await sql.unsafe('SELECT note FROM kept WHERE id = $1', [2]);
  assert.equal(kept!.note, 'after');
  assert.deepEqual([...(await sql.unsafe('SELECT 1 AS a; SELECT 2 AS b'))], [{ b: 2 }]);
  await sql`DELETE FROM kept`;
});

test('one template with different parts is a different statement for each', async () => {
  const of = (part: unknown) => sql`SELECT ${part as string} FROM (VALUES (1, 2)) AS t (a, b)`;
  // Twice, so that the second time each is found among those before.
  for (let turn = 0; turn < 2; turn++) {
    assert.deepEqual([...(await of(sql('a')))], [{ a: 1 }]);
    assert.deepEqual([...(await of(sql.unsafe('a + b AS a')))], [{ a: 3 }]);
    assert.deepEqual([...(await of(sql(['a', 'b'])))], [{ a: 1, b: 2 }]);
    assert.deepEqual([...(await of([sql`a,`, sql`b AS c`]))], [{ a: 1, c: 2 }]);
    assert.deepEqual([...(await of(sql`${'a'}::text AS a`))], [{ a: 'a' }]);
    assert.deepEqual([...(await of(sql`${true} AS a`))], [{ a: true }]);
    assert.deepEqual(Object.values((await of('a'))[0]!), ['a']);
    assert.deepEqual(Object.values((await of(true))[0]!), [true]);
  }
});

test('a refused statement says why, with the place that made it', async () => {
  await sql`INSERT INTO kept VALUES (1)`;
  const error = await sql`INSERT INTO kept VALUES (1)`.catch((reason: unknown) => reason);
  assert.ok(error instanceof PostgresError);
  assert.deepEqual([error.code, error.constraint_name, error.table_name], ['23505', 'kept_pkey', 'kept']);
  assert.match(error.stack!, /driver\.test\.ts/);
  assert.equal(isDatabaseTrouble(error), false);
  await sql`DELETE FROM kept`;
});

test('a prepared statement whose table has changed is prepared again', async () => {
  const one = throughProxy();
  const read = () => one`SELECT * FROM kept`;
  await read();
  await sql`ALTER TABLE kept ADD COLUMN more int`;
  await sql`INSERT INTO kept VALUES (1, 'a', 5)`;
  assert.deepEqual([...(await read())], [{ id: 1, note: 'a', more: 5 }]);
  await one`DEALLOCATE ALL`;
  assert.equal((await read()).length, 1);
  await sql`DELETE FROM kept`;
});

test('a transaction with a failed statement is undone, whether or not its author caught the failure', async () => {
  await assert.rejects(
    sql.begin(async (tx) => {
      await tx`INSERT INTO kept VALUES (1)`;
      await tx`SELECT 1 / ${0}::int`.catch(() => {});
    }),
    { code: '22012' },
  );
  assert.equal(await count(), 0);
  await sql.begin(async (tx) => {
    await tx`INSERT INTO kept VALUES (1)`;
    await assert.rejects(
      tx.savepoint((inner) => inner`INSERT INTO kept VALUES (1)`),
      { code: '23505' },
    );
    await tx.savepoint((inner) => inner`INSERT INTO kept VALUES (2)`);
  });
  assert.equal(await count(), 2);
  // COMMIT is answered with ROLLBACK: nothing was kept, and nobody is told that it was.
  await assert.rejects(
    sql.begin((tx) => {
      void tx`INSERT INTO kept VALUES (3)`.then(() => {});
      tx`INSERT INTO kept VALUES (1)`.catch(() => {});
    }),
    trouble,
  );
  assert.equal(await count(), 2);
  await sql`DELETE FROM kept`;
});

test('what is to follow a commit is done when there is one, of what was not undone', async () => {
  const followed: string[] = [];
  await assert.rejects(
    sql.begin(async (tx) => {
      tx.afterCommit(() => followed.push('undone'));
      await tx`SELECT 1 / ${0}::int`;
    }),
    { code: '22012' },
  );
  await sql.begin(async (tx) => {
    tx.afterCommit(() => followed.push('the transaction'));
    const failing = tx.savepoint(async (inner) => {
      inner.afterCommit(() => followed.push('undone'));
      await inner.savepoint((innermost) => innermost.afterCommit(() => followed.push('undone')));
      await inner`SELECT 1 / ${0}::int`;
    });
    await assert.rejects(failing, { code: '22012' });
    await tx.savepoint((inner) => inner.afterCommit(() => followed.push('a savepoint')));
    assert.deepEqual(followed, []);
  });
  assert.deepEqual(followed, ['the transaction', 'a savepoint']);
});

test('a transaction that is over takes no more statements', async () => {
  let kept: TransactionSql | undefined;
  await sql.begin((tx) => {
    kept = tx;
  });
  await assert.rejects(kept!`INSERT INTO kept VALUES (1)`, /in a finished transaction/);
  assert.equal(await count(), 0);
});

for (const [how, lose] of [
  ['reset', async () => proxy.cut()],
  [
    'ended',
    async () => {
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ended'`;
    },
  ],
] as const) {
  test(`a connection that is ${how} in a transaction: every statement in it fails, and the pool continues immediately`, async () => {
    const one = throughProxy({ application: how });
    const answers: string[] = [];
    const note = (name: string) => (error: unknown) => {
      answers.push(`${name} ${isDatabaseTrouble(error)}`);
      throw error;
    };
    const transaction = one.begin(async (tx) => {
      await tx`INSERT INTO kept VALUES (1)`;
      // Several are on their way.
      await Promise.allSettled([
        tx`SELECT pg_sleep(30)`.catch(note('first')),
        tx`INSERT INTO kept VALUES (2)`.catch(note('second')),
      ]);
      await tx`INSERT INTO kept VALUES (3)`.catch(note('third'));
    });
    await waitFor('it is in the middle', async () => {
      const [row] = await sql`
        SELECT 1 FROM pg_stat_activity WHERE application_name = ${how} AND query LIKE '%pg_sleep(30)%' AND state = 'active'`;
      return row !== undefined;
    });
    await Promise.all([assert.rejects(transaction, trouble), lose()]);
    await waitFor('each has heard', () => answers.length === 3);
    assert.deepEqual(answers, ['first true', 'second true', 'third true']);
    // One slot, and nothing of the lost connection is left in it.
    for (let n = 0; n < 5; n++) assert.equal((await one<{ n: number }[]>`SELECT ${n}::int AS n`)[0]!.n, n);
    assert.equal(await count(), 0);
    // The server does not know yet that nobody waits for the session that was cut.
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${how}`;
  });
}

test('a statement sent while a lost connection is reported succeeds only if it ran', async () => {
  const two = throughProxy({ max: 2, application: 'two' });
  await Promise.all([two`SELECT pg_sleep(0.1)`, two`SELECT pg_sleep(0.1)`]);
  let inserted: Promise<string> | undefined;
  const slow = two`SELECT pg_sleep(30)`.catch(() => {
    // The other connection, which is idle, is cut in the same moment.
    inserted = two`INSERT INTO kept VALUES (1)`.then(
      () => 'stored',
      () => 'failed',
    );
  });
  await waitFor(
    'it runs',
    async () =>
      (await sql`SELECT 1 FROM pg_stat_activity WHERE application_name = 'two' AND state = 'active'`).length >
      0,
  );
  proxy.cut();
  await slow;
  const told = await inserted;
  assert.equal(await count(), told === 'stored' ? 1 : 0);
  await sql`DELETE FROM kept`;
});

test('a silent network: statements and transactions time out, and idle connections are not reused', async () => {
  const two = throughProxy({ max: 2, statementMs: 1_000, acquireMs: 20_000 });
  await Promise.all([two`SELECT pg_sleep(0.1)`, two`SELECT pg_sleep(0.1)`]);
  proxy.silence();
  await assert.rejects(two`INSERT INTO kept VALUES (1)`, { code: 'CONNECTION_DEADLINE' });
  assert.equal((await two`SELECT 1 AS one`).length, 1);
  const stuck = two.begin(async (tx) => {
    await tx`INSERT INTO kept VALUES (2)`;
    await new Promise(() => {});
  });
  await assert.rejects(stuck, { code: 'CONNECTION_DEADLINE' });
  // What arrives late is nobody's answer.
  proxy.resume();
  assert.deepEqual([...(await two`SELECT 7 AS seven`)], [{ seven: 7 }]);
  await waitFor(
    'the server has noticed',
    async () =>
      (await sql`SELECT 1 FROM pg_locks WHERE relation = 'kept'::regclass AND pid <> pg_backend_pid()`)
        .length === 0,
  );
  await sql`DELETE FROM kept`;
});

test('the server cancels a statement that takes too long, and its connection continues', async () => {
  const one = throughProxy({ statementMs: 200 });
  const [before] = await one`SELECT pg_backend_pid() AS pid`;
  await assert.rejects(one`SELECT pg_sleep(20)`, { code: '57014' });
  assert.deepEqual((await one`SELECT pg_backend_pid() AS pid`)[0], before);
  // Work that may take longer says so.
  await one.begin({ deadlineMs: 5_000 }, (tx) => tx`SELECT pg_sleep(0.4)`);
});

test('who finds no connection in time is refused', async () => {
  // Also the limit for opening a connection.
  const one = throughProxy({ acquireMs: 3_000 });
  const reserved = await one.reserve();
  await assert.rejects(one`SELECT 1`, { code: 'CONNECTION_BUSY' });
  reserved.release();
  assert.equal((await one`SELECT 1`).length, 1);
});

test('a connection that was left in a transaction is nobody else’s', async () => {
  const one = throughProxy();
  const reserved = await one.reserve();
  await reserved`BEGIN`;
  await reserved`INSERT INTO kept VALUES (1)`;
  reserved.release();
  await one`INSERT INTO kept VALUES (2)`;
  assert.deepEqual([...(await sql`SELECT id FROM kept`)], [{ id: 2 }]);
  await sql`DELETE FROM kept`;
});

test('an address as libpq has it: a socket folder, settings of the session, and encryption as asked for', async () => {
  const { host, port, password, database } = target;
  const url = `postgres://carillon:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const pool = connect(
    { url: `${url}&work_mem=7MB&application_name=named&options=-c%20lock_timeout%3D77` },
    { max: 1 },
  );
  atEnd(() => pool.end());
  const [row] = await pool`
    SELECT current_setting('work_mem') AS work, current_setting('lock_timeout') AS lock, current_setting('application_name') AS name`;
  assert.deepEqual(row, { work: '7MB', lock: '77ms', name: 'named' });
  const tcp = `postgres://carillon:${password}@127.0.0.1:${proxy.port}/${database}`;
  const prefers = connect({ url: `${tcp}?sslmode=prefer` }, { max: 1 });
  const requires = connect({ url: `${tcp}?sslmode=require` }, { max: 1 });
  atEnd(() => prefers.end());
  atEnd(() => requires.end());
  assert.equal((await prefers`SELECT 1`).length, 1);
  await assert.rejects(requires`SELECT 1`, /SSL/);
});

test('notifications are heard again after the connection was cut', async () => {
  const one = throughProxy();
  const heard: string[] = [];
  const listener = await listen(one, { news: (payload) => heard.push(payload) });
  atEnd(() => listener.stop());
  await sql.notify('news', 'first');
  await waitFor('the first', () => heard.length === 1);
  proxy.cut();
  await waitFor('another', async () => {
    await sql.notify('news', 'again');
    return heard.includes('again');
  });
});
