import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runIncoming } from '../torture/incoming.ts';

test('what clients write comes twice, in any order, to processes that are killed: it is there once', async () => {
  // The machine `incoming` of `npm run torture` kills as often as its time allows.
  const { rows, failures } = await runIncoming({
    seed: Date.now() % 1_000_000,
    goal: 2,
    isOver: () => false,
  });
  assert.deepEqual(failures, []);
  assert.equal(rows.kills, 2);
});
