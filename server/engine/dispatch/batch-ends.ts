import { accountsOf, numbers } from '../../database/arrays.ts';
import { bigints, ints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Query, Queryable, Row } from '../../database/connection.ts';
import { fenceByEpoch, hasKey, keyRows, released } from '../../database/leases.ts';
import type { IdSource } from '../../kit/ids.ts';
import { storeWaits } from '../messages/waits.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';
import { type PostponingBatch, waitsOf } from './postpone.ts';

/** Properties of a batch that its end needs. */
type EndedBatch = Pick<
  LoadedBatch,
  'accountId' | 'id' | 'channel' | 'lane' | 'route' | 'attempt' | 'heldShipmentId' | 'retryIds'
> &
  Omit<PostponingBatch, 'retries'> & { readonly retries: readonly RetriedMessage[]; readonly epoch?: number };

type RetriedMessage = PostponingBatch['retries'][number] & Pick<DueMessage, 'copies' | 'rings' | 'route'>;

/** End of a batch whose messages all have a result or are retried at `retryAt`. */
export interface BatchEnd {
  readonly batch: EndedBatch;
  readonly retryAt: number;
  /**
   * Process that leased the batch; `epoch` identifies the lease. Absent for an end from quarantine, whose batch no
   * other process has.
   */
  readonly owner?: string;
}

/** Due time of a batch that waits in quarantine for an operator: the maximum time of a Date. */
const QUARANTINED_AT = 8_640_000_000_000_000;

/**
 * Stops dispatching a batch, in the transaction that puts its end into quarantine. Returns false, and changes nothing,
 * if another process has the batch now.
 */
export async function setAside(tx: Queryable, end: BatchEnd): Promise<boolean> {
  const { count } = await tx`
    UPDATE dispatch_batches r SET due_at = ${QUARANTINED_AT}, ${released(tx)}
    FROM ${endedRows(tx, [end])} WHERE ${isEnded(tx, [end])}`;
  return count > 0;
}

/** Returns the ends as rows `u`, with the leases that allow them to end their batches. */
export function endedRows(sql: Queryable, ends: readonly BatchEnd[]): Query<Row[]> {
  const claims = ends.map(({ owner = null, batch: { epoch = 0 } }) => ({ owner, epoch }));
  return keyRows(
    sql,
    ends.map(({ batch }) => batch),
    fenceByEpoch.columns(sql, claims),
  );
}

/** Returns a condition on batches `r` with `endedRows`: the lease of the end is still valid. */
export function isEnded(sql: Queryable, ends: readonly BatchEnd[]): Query<Row[]> {
  const batches = ends.map(({ batch }) => batch);
  return sql`${hasKey(sql, batches)} AND (u.owner IS NULL OR ${fenceByEpoch.isHeld(sql)})`;
}

/** Removes ended batches, of accounts of one placement. Returns the ends whose leases were still valid. */
async function removeEnded(tx: Queryable, ends: readonly BatchEnd[]): Promise<BatchEnd[]> {
  const rows = await tx<{ id: number }[]>`
    DELETE FROM dispatch_batches r USING ${endedRows(tx, ends)} WHERE ${isEnded(tx, ends)} RETURNING r.id`;
  const removed = new Set(rows.map(({ id }) => id));
  return ends.filter(({ batch }) => removed.has(batch.id));
}

/** Messages to retry at one time on one route. */
interface Retried {
  readonly id: number;
  readonly dueAt: number;
  readonly route: string;
  readonly messages: readonly RetriedMessage[];
}

/**
 * Returns the messages of a batch to retry, grouped by time and route: the sending policy may delay some of them, and some may
 * take another route than a removed one.
 */
function retriedOf({ batch, retryAt }: BatchEnd, ids: IdSource): Retried[] {
  const groups = [...Map.groupBy(batch.retries, ({ notBefore = 0 }) => Math.max(retryAt, notBefore))].flatMap(
    ([dueAt, due]) =>
      [...Map.groupBy(due, ({ route = batch.route }) => route)].map(([route, messages]) => ({
        dueAt,
        route,
        messages,
      })),
  );
  batch.retryIds ??= groups.map(() => ids.next());
  const retryIds = batch.retryIds;
  return groups.map((group, index) => ({ id: retryIds[index]!, ...group }));
}

/**
 * Puts messages to retry into new batches, stores why they wait, and removes the old ones. A batch that another process has taken over stays
 * unchanged: its new holder retries.
 */
export async function queueRetries(tx: Queryable, ids: IdSource, ends: readonly BatchEnd[]): Promise<void> {
  if (ends.length === 0) return;
  const removed = await removeEnded(tx, ends);
  if (removed.length === 0) return;
  await storeWaits(
    tx,
    removed.flatMap(({ batch, retryAt }) => waitsOf(batch, retryAt, ids)),
  );
  const retried = removed.flatMap((end) => retriedOf(end, ids).map((some) => ({ ...end, ...some })));
  const batches = retried.map(({ batch, retryAt, id, dueAt, route, messages }) => {
    const messageIds = messages.map((message) => message.id);
    const countsOf = (counter: 'copies' | 'rings') =>
      messages.some((message) => message[counter] > 0)
        ? numbers(messages.map((message) => message[counter]))
        : null;
    return {
      ...batch,
      route,
      // A message that the sending policy delays, or that takes another route, was not attempted.
      attempt: batch.attempt + (dueAt > retryAt || route !== batch.route ? 0 : 1),
      retryId: id,
      retryAt: dueAt,
      first: Math.min(...messageIds),
      last: Math.max(...messageIds),
      messageIds,
      copies: countsOf('copies'),
      rings: countsOf('rings'),
    };
  });
  // The lists have different lengths, so each is passed as the text of one array.
  await tx`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, attempt, first_id, last_id, message_ids,
      copies, rings, count, held_shipment_id)
    SELECT w.account_id, u.id, u.channel, u.lane, u.route, u.due_at, u.attempt, u.first_id, u.last_id,
      u.message_ids::bigint[], u.copies::smallint[], u.rings::smallint[], u.count, u.held_shipment_id
    FROM wallets w, unnest(
      ${bigints(batches.map(({ accountId }) => accountId))}::bigint[],
      ${bigints(batches.map(({ retryId }) => retryId))}::bigint[],
      ${smallints(batches.map(({ channel }) => channel))}::smallint[],
      ${smallints(batches.map(({ lane }) => lane))}::smallint[],
      ${textArray(batches.map(({ route }) => route))}::text[],
      ${bigints(batches.map(({ retryAt }) => retryAt))}::bigint[],
      ${smallints(batches.map(({ attempt }) => attempt))}::smallint[],
      ${bigints(batches.map(({ first }) => first))}::bigint[],
      ${bigints(batches.map(({ last }) => last))}::bigint[],
      ${textArray(batches.map(({ messageIds }) => numbers(messageIds)))}::text[],
      ${textArray(batches.map(({ copies }) => copies))}::text[],
      ${textArray(batches.map(({ rings }) => rings))}::text[],
      ${ints(batches.map(({ messageIds }) => messageIds.length))}::integer[],
      ${bigints(batches.map(({ heldShipmentId }) => heldShipmentId))}::bigint[]
    ) AS u (account_id, id, channel, lane, route, due_at, attempt, first_id, last_id, message_ids, copies, rings, count,
      held_shipment_id)
    WHERE w.account_id = u.account_id
      AND w.account_id = ANY(${accountsOf(batches)}::bigint[])
    ON CONFLICT (account_id, id) DO NOTHING`;
}
