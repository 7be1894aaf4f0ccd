import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePlacement } from '../../../server/database/placements.ts';
import type { DueMessage, LoadedBatch } from '../../../server/engine/dispatch/batches.ts';
import { FairQueue } from '../../../server/engine/dispatch/fair-queue.ts';
import { ResumedBatches } from '../../../server/engine/dispatch/resumed-batches.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Messages of one batch may wait in several queues: one for each choice of connectors of their route. */

const OWNER = 'this process';
const ACCOUNT = 1;
const { sql } = await createDatabase();

test('messages that come while others of their batch are marked are not lost', async () => {
  await sql`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, lease_owner, lease_until, lease_epoch,
      breaks, first_id, last_id, count)
    VALUES (${ACCOUNT}, 1, 0, ${lanes.bulk}, 'judged', 0, ${OWNER}, 9e15, 1, 1, 1, 120, 120)`;
  const batch = {
    ...{ accountId: ACCOUNT, id: 1, lane: lanes.bulk, epoch: 1, breaks: 1 },
  } as LoadedBatch;
  const messageOf = (id: number) => ({ accountId: ACCOUNT, id, batch, copies: 0 }) as unknown as DueMessage;
  const queues = [0, 1, 2].map((part) => {
    const queue = new FairQueue();
    const messages = Array.from({ length: 40 }, (_, at) => messageOf(1 + part + at * 3));
    queue.add({ accountId: ACCOUNT, lane: lanes.bulk, messages });
    return queue;
  });
  const ready: number[] = [];
  const resumed: ResumedBatches = new ResumedBatches({
    ...{ asyncCommitSql: sql, placements: onePlacement, owner: OWNER, log: createLogger('silent') },
    ready(_batch, messages) {
      const queue = new FairQueue();
      queue.add({ accountId: ACCOUNT, lane: lanes.bulk, messages: [...messages] });
      take(queue);
    },
    lost: () => assert.fail('another process has the batch'),
  });
  /** Takes messages as the dispatcher does: those that need no mark are submitted. */
  function take(queue: FairQueue): void {
    for (let message = queue.take(); message; message = queue.take()) {
      if (!resumed.mustWait(message)) ready.push(message.id);
      else if (!resumed.keep(message, queue)) return;
    }
  }
  for (const queue of queues) take(queue);
  await waitFor('all are submitted', () => ready.length >= 120);
  assert.equal(new Set(ready).size, 120);
  const [row] = await sql<{ submitted_to: string; submitting: boolean }[]>`
    SELECT submitted_to, submitting FROM dispatch_batches WHERE id = 1`;
  assert.deepEqual([Number(row!.submitted_to), row!.submitting], [120, true]);
});
