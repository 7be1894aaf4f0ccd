import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runModel } from './model.ts';

/* The short form of a machine of `npm run torture` (docs/reliability.md). */

const RUNS = 4;

test('whatever accounts do, in any order, comes to what the model of it says', async () => {
  let looks = 0;
  const { rows, failures } = await runModel({ seed: 12, isOver: () => ++looks > RUNS });
  assert.deepEqual(failures, []);
  assert.ok(Number(rows.steps) > 0);
});
