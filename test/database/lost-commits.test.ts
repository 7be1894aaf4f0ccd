import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { isDatabaseTrouble } from '../../server/database/trouble.ts';
import { inRequest, RequestContext } from '../../server/kit/request-context.ts';
import { createDatabase } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { type Fault, statementTap } from '../torture/statement-faults.ts';

/* What is told of a transaction whose COMMIT nobody answered, and of what is read after it. */

const { sql: direct, target } = await createDatabase();
let judge: (key: string) => Fault | undefined = () => undefined;
const proxy = await DatabaseProxy.start(
  `${target.host}/.s.PGSQL.${target.port}`,
  statementTap(({ key }) => judge(key)),
);
const sql = connect({ ...target, host: '127.0.0.1', port: proxy.port }, { max: 3 });
after(async () => {
  await sql.end({ timeout: 1 });
  await proxy.stop();
});
await direct`CREATE TABLE things (id int CONSTRAINT things_pkey PRIMARY KEY)`;
const stored = async (id: number) => (await direct`SELECT FROM things WHERE id = ${id}`).length === 1;

/** Lets the first statement whose text begins so fail. */
function fail(begin: string, fault: Fault, times = 1): void {
  let left = times;
  judge = (key) => (key.startsWith(begin) && left-- > 0 ? fault : undefined);
}

/** The ids whose commits were followed by what was to follow them. */
const followed: number[] = [];
let id = 0;
const insert = () => {
  const mine = ++id;
  return sql.begin(async (tx) => {
    tx.afterCommit(() => followed.push(mine));
    await tx`INSERT INTO things VALUES (${mine})`;
    return mine;
  });
};

for (const fault of ['lost after', 'shutdown after'] as const) {
  test(`a COMMIT that succeeded and whose answer was lost (${fault}) is reported as successful`, async () => {
    fail('COMMIT', fault);
    assert.equal(await insert(), id);
    assert.ok(await stored(id));
    assert.equal(followed.at(-1), id);
  });
}

for (const fault of ['lost', 'shutdown', 'serialization', 'disk full'] as const) {
  test(`a COMMIT that did not happen (${fault}) is reported as failed`, async () => {
    fail('COMMIT', fault);
    await assert.rejects(insert(), isDatabaseTrouble);
    assert.equal(await stored(id), false);
    assert.equal(followed.includes(id), false);
  });
}

test('a COMMIT that the server would have read after its client had gone is not done, and told so', async () => {
  fail('COMMIT', 'late');
  await assert.rejects(insert(), isDatabaseTrouble);
  const sessions = () => direct`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'carillon' AND state = 'idle in transaction'`;
  assert.equal((await sessions()).length, 0, 'the lost session lives on');
  assert.equal(await stored(id), false);
});

test('what a request reads after it has stored something is read until it is answered', async () => {
  await inRequest(new RequestContext(), async () => {
    fail('SELECT count', 'lost', 3);
    await assert.rejects(sql`SELECT count(*) FROM things`, isDatabaseTrouble);
    fail('SELECT count', 'lost', 3);
    await insert();
    const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM things`;
    assert.ok(row!.count > 0);
  });
});
