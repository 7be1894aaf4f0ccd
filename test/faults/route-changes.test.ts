import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRouteChanges } from '../torture/route-changes.ts';

/* The short form of the machine `routes` of `npm run torture` (docs/reliability.md). */

test('routes change and connectors are left while processes are killed, and no message is lost or doubled', async () => {
  const { rows, failures } = await runRouteChanges({ seed: 12, goal: 2, isOver: () => false });
  assert.deepEqual(failures, []);
  assert.ok(Number(rows.changes) > 0);
});
