import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { createMailBench, fillList } from './support.ts';

/* What a press of removal asks of the database, by the plans of its very statements. */

const bench = await createMailBench();
const { sql, accountId } = bench;
const list = await bench.newList();
await fillList(sql, accountId, list, 100_000);

const asked: { query: string; parameters: unknown[] }[] = [];
const { removals } = bench;
sql.options.observe = (query, parameters) => void asked.push({ query, parameters: [...parameters] });

const removal = {
  accountId,
  userId: 100_012_345,
  address: 'crowd12345@example.net',
  campaignId: null,
};

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
  /** Where the database is distributed: what the nodes do. */
  readonly 'Distributed Query'?: {
    readonly Job: { readonly Tasks: readonly { readonly 'Remote Plan': readonly { Plan: Plan }[][] }[] };
  };
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner);
  for (const task of plan['Distributed Query']?.Job.Tasks ?? []) {
    for (const { Plan: remote } of task['Remote Plan'].flat()) yield* nodesOf(remote);
  }
}

/** The ways in which a statement reads tables of mailing lists. */
async function readsOf({ query, parameters }: (typeof asked)[number]): Promise<string[]> {
  if (!/^\s*(SELECT|UPDATE|INSERT|DELETE|WITH)\b/i.test(query) || !query.includes('mail_')) return [];
  const [row] = await sql.unsafe(`EXPLAIN (FORMAT JSON) ${query}`, parameters as never[]);
  const [{ Plan: plan }] = row!['QUERY PLAN'] as [{ Plan: Plan }];
  return [...nodesOf(plan)].flatMap((node) => {
    // Without the number of a shard.
    const name = node['Relation Name']?.replace(/_\d+$/, '');
    const reads = node['Node Type'].includes('Scan') && name?.startsWith('mail_');
    return reads ? [`${node['Node Type']} of ${name}`] : [];
  });
}

test(
  'whether somebody is removed is one look-up by an index',
  covers('mailingLists.page.look-up'),
  async () => {
    await removals.isRemoved(removal);
    asked.length = 0;
    assert.equal(await removals.isRemoved(removal), false);
    // A connection that is new asks for types first.
    const [statement, ...others] = asked.filter(({ query }) => query.includes('mail_'));
    assert.deepEqual(others, []);
    assert.deepEqual(await readsOf(statement!), ['Index Scan of mail_users']);
  },
);

test('a press reads users and members by indexes alone', covers('mailingLists.page.look-up'), async () => {
  asked.length = 0;
  await removals.remove(removal, 'one-click');
  assert.equal(await removals.isRemoved(removal), true);
  const reads = (await Promise.all([...asked].map(readsOf))).flat();
  assert.ok(reads.length > 2, `${asked.length} statements were seen`);
  const big = reads.filter((read) => !read.endsWith('mail_lists'));
  assert.deepEqual(
    big.filter((read) => !/^(Index|Index Only|Bitmap Heap|Bitmap Index) Scan/.test(read)),
    [],
  );
  assert.deepEqual(await bench.counts(list), [100_000, 99_999]);
});
