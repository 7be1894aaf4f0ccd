import { accountsOf, numbers, texts } from '../database/arrays.ts';
import type { Queryable } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';

/** What the end of a batch is made of. */
type EndedBatch = Pick<
  LoadedBatch,
  'accountId' | 'id' | 'channel' | 'lane' | 'route' | 'attempt' | 'heldShipmentId' | 'retryId'
> & { readonly retries: readonly Pick<DueMessage, 'id' | 'copies' | 'rings'>[] };

/** A batch whose messages all have a result or are to be tried again at `retryAt`. */
export interface BatchEnd {
  readonly batch: EndedBatch;
  readonly retryAt: number;
}

/** A batch with this due time waits in quarantine for an operator: the last time that a Date can have. */
const QUARANTINED_AT = 8_640_000_000_000_000;

/** Takes a batch out of dispatching, in the transaction that puts its end into quarantine. */
export async function setAside(
  tx: Queryable,
  { accountId, id }: Pick<LoadedBatch, 'accountId' | 'id'>,
): Promise<void> {
  await tx`
    UPDATE dispatch_batches SET due_at = ${QUARANTINED_AT}, lease_owner = NULL, lease_until = 0
    WHERE account_id = ${accountId} AND id = ${id}`;
}

/** Puts what is to be tried again into new batches, in the transaction that removes the old ones. */
export async function queueRetries(tx: Queryable, ids: IdSource, ends: readonly BatchEnd[]): Promise<void> {
  if (ends.length === 0) return;
  const batches = ends.map(({ batch, retryAt }) => {
    batch.retryId ??= ids.next();
    const messageIds = batch.retries.map(({ id }) => id);
    const countsOf = (counter: 'copies' | 'rings') =>
      batch.retries.some((message) => message[counter] > 0)
        ? numbers(batch.retries.map((message) => message[counter]))
        : null;
    return {
      ...batch,
      retryId: batch.retryId,
      retryAt,
      first: Math.min(...messageIds),
      last: Math.max(...messageIds),
      messageIds,
      copies: countsOf('copies'),
      rings: countsOf('rings'),
    };
  });
  // Lists of different lengths: each goes as the text of one.
  await tx`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, attempt, first_id, last_id, message_ids,
      copies, rings, count, held_shipment_id)
    SELECT w.account_id, u.id, u.channel, u.lane, u.route, u.due_at, u.attempt, u.first_id, u.last_id,
      u.message_ids::bigint[], u.copies::smallint[], u.rings::smallint[], u.count, u.held_shipment_id
    FROM wallets w, unnest(
      ${numbers(batches.map(({ accountId }) => accountId))}::bigint[],
      ${numbers(batches.map(({ retryId }) => retryId))}::bigint[],
      ${numbers(batches.map(({ channel }) => channel))}::smallint[],
      ${numbers(batches.map(({ lane }) => lane))}::smallint[],
      ${texts(batches.map(({ route }) => route))}::text[],
      ${numbers(batches.map(({ retryAt }) => retryAt))}::bigint[],
      ${numbers(batches.map(({ attempt }) => attempt + 1))}::smallint[],
      ${numbers(batches.map(({ first }) => first))}::bigint[],
      ${numbers(batches.map(({ last }) => last))}::bigint[],
      ${texts(batches.map(({ messageIds }) => numbers(messageIds)))}::text[],
      ${texts(batches.map(({ copies }) => copies))}::text[],
      ${texts(batches.map(({ rings }) => rings))}::text[],
      ${numbers(batches.map(({ messageIds }) => messageIds.length))}::integer[],
      ${numbers(batches.map(({ heldShipmentId }) => heldShipmentId))}::bigint[]
    ) AS u (account_id, id, channel, lane, route, due_at, attempt, first_id, last_id, message_ids, copies, rings, count,
      held_shipment_id)
    WHERE w.account_id = u.account_id
      AND w.account_id = ANY(${accountsOf(batches)}::bigint[])
    ON CONFLICT (account_id, id) DO NOTHING`;
}
