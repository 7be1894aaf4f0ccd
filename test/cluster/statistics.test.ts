import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePlacement } from '../../server/database/placements.ts';
import type { Parameter } from '../../server/database/values.ts';
import { HourlyStatistics } from '../../server/engine/messages/hourly-statistics.ts';
import { prefixRates } from '../../server/engine/messages/prefix-rates.ts';
import { systemClock } from '../../server/kit/clock.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { createDatabase } from '../support/database.ts';

/* How the statistics are read: those of an account from its shard, those of all accounts summed where the shards are. */

const { sql } = await createDatabase();
const log = createLogger('silent');
const statistics = new HourlyStatistics({ sql, placements: onePlacement, clock: systemClock, log });
const [FROM, TO] = [100, 200];

/** The plans of the statements of `work`, as lines. */
async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  const asked: [text: string, parameters: Parameter[]][] = [];
  sql.options.observe = (text, parameters) => void asked.push([text, [...parameters] as Parameter[]]);
  await work();
  sql.options.observe = undefined;
  const plans: string[] = [];
  for (const [text, parameters] of asked) {
    if (!/message_hours|messages/.test(text)) continue;
    const rows = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN (COSTS OFF) ${text}`, parameters);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}

for (const [name, read] of Object.entries({
  'by hour': () => statistics.between(1, FROM, TO),
  'until when they are counted': () => statistics.countedTo(1),
  'by prefix': () => prefixRates(sql, 1, { from: FROM, to: TO, homeCode: '972' }),
})) {
  test(`statistics of an account, ${name}: its shard alone is asked`, async () => {
    const [plan, ...others] = await plansOf(read);
    assert.deepEqual(others, []);
    assert.match(plan!, /Task Count: 1$/m);
  });
}

for (const [name, read] of Object.entries({
  'by hour': () => statistics.ofAllAccounts(FROM, TO),
  'with the most messages': () => statistics.busiestAccounts(FROM, TO, 10),
  'with a low balance': () => statistics.lowBalances(FROM, TO, 2, 10),
})) {
  test(`statistics of all accounts, ${name}: each shard is asked once, and sums its rows itself`, async () => {
    const [plan, ...others] = await plansOf(read);
    assert.deepEqual(others, []);
    assert.equal(plan!.match(/Custom Scan \(Citus Adaptive\)/g)?.length, 1, plan);
    const [, ofShard] = plan!.split('->  Task');
    assert.match(ofShard!, /Aggregate[\s\S]* on message_hours_\d+/);
  });
}
