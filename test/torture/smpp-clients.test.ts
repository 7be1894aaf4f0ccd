import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSmppClients } from './smpp-clients.ts';

/* The short form of a machine of `npm run torture` (docs/reliability.md). */

const RUNS = 3;

test('SMPP clients that do anything in any order have the messages and receipts of the model', async () => {
  let looks = 0;
  const { rows, failures } = await runSmppClients({ seed: 12, isOver: () => ++looks > RUNS });
  assert.deepEqual(failures, []);
  assert.ok(Number(rows.receipts) > 0);
});
