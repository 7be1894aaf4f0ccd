import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runStatements } from './statements.ts';

/* The short form of a machine of `npm run torture` (docs/reliability.md). */

test('every statement fails once, on the way there or on the way back: answers are true and the books right', async () => {
  const { rows, failures } = await runStatements({ seed: 12, isOver: () => true });
  assert.deepEqual(failures, []);
  assert.ok(
    Number(rows['statements that failed']) > 60,
    `${rows['statements that failed']} statements failed`,
  );
});
