import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRounds } from '../torture/driver-rounds.ts';

/* The short form of `node test/torture/driver.ts` (docs/reliability.md), with no other contention than that of other tests. */

test('rounds of restarts, crashes, stopped sessions, cut and silent connections: every statement gets a true answer', async () => {
  const { rounds, answered, unanswered, untrue } = await runRounds({ rounds: 16, contention: 0, seed: 12 });
  assert.deepEqual([unanswered, untrue], [[], []]);
  assert.equal(Object.keys(rounds).length, 8);
  assert.ok(answered > 100, `${answered} statements succeeded`);
});
