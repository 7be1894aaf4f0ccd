import type { IdSource } from '../../kit/ids.ts';
import { PAUSED_AT } from '../messages/batch-cutter.ts';
import { wokenAt } from '../messages/resting.ts';
import type { NewWait, Wait } from '../messages/waits.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';

/**
 * Reason of a message that returns to the database without a stored wait: its shipment or its account has the wait, or it moves to
 * another route without a pause.
 */
export type ReturnReason = 'paused' | 'suspended' | 'moved';

/** A message that goes into a later batch, with the reason. */
export type PostponedMessage = DueMessage & { readonly wait: Wait | ReturnReason };

/** Puts a message into a later batch. The type of `retries` requires a reason, so no message waits without one. */
export function postpone(message: DueMessage, wait: Wait | ReturnReason): void {
  message.batch.retries.push(Object.assign(message, { wait }));
}

/**
 * Returns the waits of postponed messages whose batches are released with messages left: all wait until `notBefore` of their batch.
 * `now` is in milliseconds since the epoch.
 */
export function waitsOfReleased(batches: readonly LoadedBatch[], now: number, ids: IdSource): NewWait[] {
  return batches.flatMap((batch) => {
    const retries = batch.retries.map(({ id, wait }) => ({ id, wait }));
    return batch.notBefore > now ? waitsOf({ ...batch, retries }, batch.notBefore, ids) : [];
  });
}

/** Properties of a batch and its postponed messages that their waits need. */
export interface PostponingBatch
  extends Pick<LoadedBatch, 'accountId' | 'id'>,
    Partial<Pick<LoadedBatch, 'dueAt' | 'firstBatchId' | 'size'>> {
  readonly retries: readonly (Pick<DueMessage, 'id' | 'notBefore'> &
    Partial<Pick<PostponedMessage, 'wait'>>)[];
}

/**
 * Returns the waits of the postponed messages of a batch, which become due at `retryAt` (milliseconds since the epoch) or later. Ends
 * that a version before 0.3 put into quarantine have no reasons.
 */
export function waitsOf(batch: PostponingBatch, retryAt: number, ids: IdSource): NewWait[] {
  const { accountId, id, retries, dueAt = null, firstBatchId, size } = batch;
  if (firstBatchId === undefined || retryAt === PAUSED_AT) return [];
  const waiting = retries.flatMap(({ id: messageId, notBefore = 0, wait }) => {
    if (wait === undefined || typeof wait === 'string') return [];
    return [{ messageId, wait, until: Math.max(wokenAt(retryAt), notBefore) }];
  });
  const alike = Map.groupBy(waiting, ({ wait: { reason, connector, code }, until }) =>
    JSON.stringify([until, reason, connector, code]),
  );
  return [...alike.values()].flatMap((some) => {
    const { wait, until } = some[0]!;
    const from = Math.min(...some.map((one) => one.wait.from));
    if (until <= from) return [];
    const isWhole = firstBatchId === id && some.length === size;
    const messageIds = isWhole ? null : some.map(({ messageId }) => messageId);
    return [
      { ...wait, from, until, accountId, id: ids.next(), subjectId: firstBatchId, messageIds, after: dueAt },
    ];
  });
}
