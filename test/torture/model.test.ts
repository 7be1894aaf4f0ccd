import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runModel } from './model.ts';

/* The short form of a machine of `npm run torture` (docs/reliability.md). */

const RUNS = 4;

test('accounts that do anything in any order have the state of the model', async () => {
  let looks = 0;
  const { rows, failures } = await runModel({ seed: 12, isOver: () => ++looks > RUNS });
  assert.deepEqual(failures, []);
  assert.ok(Number(rows.steps) > 0);
});
