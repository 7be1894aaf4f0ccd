import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../../server/database/connection.ts';
import { buildStatement, type Fragment } from '../../../server/database/statement.ts';
import { listConversations } from '../../../server/modules/conversations/list.ts';
import { createDatabase } from '../../support/database.ts';

/*
 * Sessions plan a statement for an average account when that seems as good as for the given one. Then an account with most of the
 * conversations must not be read as a whole.
 */

const { sql } = await createDatabase();
const LARGE = 1;
const SMALL = 200;

/** Adds conversations of an account. */
const add = (account: number, count: number) => sql`
  INSERT INTO conversations (account_id, id, sender, client, client_name, channel, state, unread, last_id, last_text, last_from_client,
    opened_id, changed_at)
  SELECT ${account}, n, '972550000001', (972520000000 + n)::text, 'Client ' || n, 1, 0, 0, n, '', true, n, 0
  FROM generate_series(1, ${count}::bigint) n`;

/** Returns the text of the statement that a function runs last. */
async function textOf(run: (recording: Sql) => Promise<unknown>): Promise<string> {
  const seen: Fragment[] = [];
  const recording = ((strings: TemplateStringsArray, ...args: never[]) => {
    const query = sql(strings, ...args);
    seen.push(query as unknown as Fragment);
    return query;
  }) as unknown as Sql;
  await run(recording);
  const { strings, args } = seen.at(-1)!;
  const isFragment = (value: unknown): value is Fragment =>
    typeof value === 'object' && value !== null && 'strings' in value;
  return buildStatement(strings, args, isFragment).shape.text;
}

test('a search of conversations uses the indexes of names and clients in every plan', async () => {
  await add(LARGE, 20_000);
  for (let account = LARGE + 1; account <= SMALL; account++) await add(account, 5);
  await sql`ANALYZE conversations`;
  const query = { name: '97252000077', clients: ['97252000077'] };
  const text = await textOf((recording) => listConversations(recording, LARGE, query, undefined, 50));
  const lines = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}`);
  const conditions = lines.map((line) => line['QUERY PLAN']).filter((line) => /Index Cond/.test(line));
  assert.match(conditions.join('\n'), /lower\(client_name\) ~>=~/);
  assert.match(conditions.join('\n'), /client >= /);
});

test('a search finds what begins with it, whatever its characters mean in patterns', async () => {
  await sql`UPDATE conversations SET client_name = ${'100%_Wolle\\'} WHERE account_id = ${LARGE} AND id = 7`;
  await sql`UPDATE conversations SET client_name = ${'100 Wolle'} WHERE account_id = ${LARGE} AND id = 8`;
  const found = async (name: string) =>
    (await listConversations(sql, LARGE, { name }, undefined, 50)).map(({ id }) => id);
  assert.deepEqual(await found('100%'), [7]);
  assert.deepEqual(await found('100%_wolle\\'), [7]);
  assert.deepEqual(await found('100'), [8, 7]);
  assert.deepEqual(
    await found('Client 1999'),
    [19_999, 19_998, 19_997, 19_996, 19_995, 19_994, 19_993, 19_992, 19_991, 19_990, 1_999],
  );
});
