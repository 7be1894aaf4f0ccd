import type { Channels } from '../../channels/contract/channels.ts';
import { numbers, texts } from '../../database/arrays.ts';
import { bigints } from '../../database/binary-arrays.ts';
import type { Queryable, Sql } from '../../database/connection.ts';
import type { DueRows } from '../../database/due-look.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { fenceByEpoch, hasKey, isFree, keyRows, released, renewed } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import type { OutgoingMessage } from '../carriers/carrier.ts';
import type { MobileNetwork } from '../carriers/network-condition.ts';
import type { Lane } from '../messages/lanes.ts';
import { brokenBy, type RestingBatch, restOf, storeRests } from './broken-leases.ts';
import type { Hold } from './permits.ts';
import type { PostponedMessage } from './postpone.ts';

/** A message loaded for sending, and its batch. */
export interface DueMessage extends OutgoingMessage {
  readonly shipmentId: number;
  readonly batch: LoadedBatch;
  /** Whether its payload cannot be read, mostly because the key of its secret is lost. Such a message fails. */
  readonly isUnreadable: boolean;
  /** Sending rule of its shipment; null without one. */
  readonly rule: SendingRule | null;
  /** End of validity, in milliseconds since the epoch; extended for a message that waits by the sending policy. */
  validUntil: number;
  /** Set when the message must not be submitted at its turn. */
  hold?: Hold;
  /** Earliest submission, in milliseconds since the epoch; by default that of its batch. */
  notBefore?: number;
  /** Route that it takes in place of its batch's, which was removed. */
  route?: string;
  /** Mobile network of the recipient; null: it is not known. Absent: it was not looked up. */
  network?: MobileNetwork | null;
  /** Names of connectors that it has left for another one of its route (routing.isLeftAfter). */
  left?: Set<string>;
  /** Number of submissions without an answer: each may have reached the recipient. */
  copies: number;
  /** Number of calls that rang without an answer. */
  rings: number;
  /** Trace context of a traced message. */
  readonly trace?: string;
}

/** A batch leased by this process. */
export interface LoadedBatch {
  readonly accountId: number;
  readonly id: number;
  /** Channel of all its messages. */
  readonly channel: number;
  readonly lane: Lane;
  readonly route: string;
  readonly attempt: number;
  readonly dueAt: number;
  /** Id of a shipment that may be held back as a whole: a scheduled one, or a campaign that can be paused. */
  readonly heldShipmentId: number | null;
  messages: DueMessage[];
  /** Number of messages that were read. */
  size: number;
  /** Batch into which its messages were put at their acceptance: itself, before the first retry. */
  firstBatchId: number;
  /** Number of messages without a result. At 0 the batch has ended. */
  outstanding: number;
  /** Messages to retry later. */
  readonly retries: PostponedMessage[];
  /** Earliest retry of all of them, in milliseconds since the epoch. */
  notBefore: number;
  /** Number of changes of the lease owner: with the owner it identifies this lease. */
  readonly epoch: number;
  /** Number of broken leases (broken-leases.ts). */
  readonly breaks: number;
  /** Messages with ids up to this one may have been submitted under broken leases. */
  readonly submittedTo: number;
  /** After a broken lease: messages with ids up to this one are stored as submitted under this lease. */
  markedTo?: number;
  /**
   * Ids of the batches for its retries. They are assigned once, so that storing the end again creates no duplicates.
   */
  retryIds?: number[];
  /**
   * Its messages are put into batches of other routes without a pause: its route was removed, or networks are looked up again after a
   * broken lease.
   */
  isMoved?: boolean;
  /** Another process has its lease: this process submits no more of it, and does not store its end. */
  isLost?: boolean;
}

/**
 * Duration of a batch lease, which is renewed after a third of it. After this time another process takes over the
 * messages of a killed one.
 */
export const LEASE_MS = 30_000;

interface BatchRow {
  accountId: number;
  id: number;
  channel: number;
  route: string;
  dueAt: number;
  attempt: number;
  firstId: number;
  lastId: number;
  count: number;
  messageIds: number[] | null;
  copies: number[] | null;
  rings: number[] | null;
  heldShipmentId: number | null;
  epoch: number;
  breaks: number;
  submittedTo: number;
}

/** A leased batch before its messages are read. */
export interface ClaimedBatch extends BatchRow {
  readonly lane: Lane;
}

/** Search for batches to lease. */
interface Claim {
  /** Accounts, all of one placement. */
  readonly accountIds: readonly number[];
  readonly lane: Lane;
  readonly routes: readonly string[];
  /** Maximum number of batches per account. */
  readonly each: number;
  /** Maximum number of messages in total; the last batch may exceed it. */
  readonly messages: number;
  /** Pause of batches whose lease was broken repeatedly, in milliseconds (broken-leases.ts). */
  readonly copyPauseMs: number;
}

interface ClaimedRow extends BatchRow {
  /** 1 for a batch whose lease was broken. */
  broken: number;
  /** Milliseconds for which it rests instead of being leased; 0 for a leased one. */
  restMs: number;
}

/** Result of a claim. */
interface Claimed {
  readonly batches: ClaimedBatch[];
  /** Batches that rest from now on. */
  readonly resting: readonly RestingBatch[];
  /** Number of batches with broken leases, including resting ones. */
  readonly broken: number;
}

/**
 * Leases due batches of some accounts, in turns by account, for each the longest due first. A batch whose lease was
 * broken more than once rests before it is leased again. A CTE chooses the batches once: PostgreSQL may join the batches
 * to a subquery that it executes for each of them.
 */
export async function claimBatches(
  sql: Sql,
  owner: string,
  now: number,
  { accountIds, lane, routes, each, messages, copyPauseMs }: Claim,
  leaseNow = leaseClock.now(),
): Promise<Claimed> {
  const accounts = numbers(accountIds);
  const rows = await sql<ClaimedRow[]>`
    WITH c AS MATERIALIZED (
      SELECT account_id, id, broken, is_taken, rest_ms, sum(count) OVER (ORDER BY turn, due_at, id) - count AS before FROM (
        SELECT d.*, row_number() OVER (PARTITION BY d.account_id ORDER BY d.due_at, d.id) AS turn
        FROM unnest(${accounts}::bigint[]) AS a (id), LATERAL (
          SELECT account_id, id, due_at, count, ${brokenBy(sql, owner)} AS broken,
            (lease_owner IS DISTINCT FROM ${owner})::int AS is_taken,
            ${restOf(sql, owner, copyPauseMs)} AS rest_ms
          FROM dispatch_batches
          WHERE account_id = a.id AND account_id = ANY(${accounts}::bigint[]) AND lane = ${lane} AND due_at <= ${now}
            AND ${isFree(sql, leaseNow)} AND route = ANY(${texts(routes)}::text[])
          ORDER BY due_at, id LIMIT ${each} FOR UPDATE SKIP LOCKED
        ) d
      ) t
    )
    UPDATE dispatch_batches b SET
      lease_owner = CASE WHEN c.rest_ms = 0 THEN ${owner} END,
      lease_until = ${leaseNow}::bigint + CASE WHEN c.rest_ms = 0 THEN ${LEASE_MS} ELSE c.rest_ms END,
      lease_epoch = b.lease_epoch + c.is_taken, breaks = b.breaks + c.broken, submitting = b.submitting AND c.broken = 0
    FROM c
    WHERE b.account_id = ANY(${accounts}::bigint[]) AND b.account_id = c.account_id AND b.id = c.id
      AND c.before < ${messages}
    RETURNING b.account_id AS "accountId", b.id, b.channel, b.route, b.due_at AS "dueAt", b.attempt,
      b.first_id AS "firstId", b.last_id AS "lastId", b.count, b.message_ids AS "messageIds", b.copies, b.rings,
      b.held_shipment_id AS "heldShipmentId", b.lease_epoch AS epoch, b.breaks,
      b.submitted_to AS "submittedTo", c.broken, c.rest_ms AS "restMs"`;
  const leased = rows.filter(({ restMs }) => restMs === 0);
  return {
    batches: leased.map((row) => ({ ...row, lane })).sort((a, b) => a.dueAt - b.dueAt || a.id - b.id),
    resting: rows.filter(({ restMs }) => restMs > 0),
    broken: rows.reduce((sum, { broken }) => sum + broken, 0),
  };
}

/** Key of a batch, and its lease. */
type BatchLeaseKey = Pick<LoadedBatch, 'accountId' | 'id' | 'epoch'>;

/** Renews the leases of batches of accounts of one placement. Returns the ids of batches still leased by this owner. */
export async function renewLeases(
  sql: Queryable,
  owner: string,
  batches: readonly BatchLeaseKey[],
): Promise<Set<number>> {
  const claims = batches.map(({ epoch }) => ({ owner, epoch }));
  const rows = await sql<{ id: number }[]>`
    UPDATE dispatch_batches r SET ${renewed(sql, leaseClock.now() + LEASE_MS)}
    FROM ${keyRows(sql, batches, fenceByEpoch.columns(sql, claims))}
    WHERE ${hasKey(sql, batches)} AND ${fenceByEpoch.isHeld(sql)}
    RETURNING r.id`;
  return new Set(rows.map((row) => row.id));
}

/**
 * Releases batches of accounts of one placement. Another process, or this one after a restart, then sends the messages
 * without a result. `now` and `notBefore` are times of the message clock.
 */
export async function releaseLeases(
  sql: Sql,
  owner: string,
  now: number,
  batches: readonly (BatchLeaseKey & Pick<LoadedBatch, 'notBefore'>)[],
): Promise<void> {
  const leaseNow = leaseClock.now();
  const claims = batches.map(({ epoch }) => ({ owner, epoch }));
  const untils = batches.map(({ notBefore }) => (notBefore > now ? leaseNow + notBefore - now : 0));
  const until = { name: sql`until`, values: sql`${bigints(untils)}::bigint[]` };
  await sql`
    UPDATE dispatch_batches r SET ${released(sql, sql`u.until`)}, submitting = false
    FROM ${keyRows(sql, batches, [...fenceByEpoch.columns(sql, claims), until])}
    WHERE ${hasKey(sql, batches)} AND ${fenceByEpoch.isHeld(sql)}`;
}

/** A lease owner that no process uses. */
const NOBODY = '';

/**
 * Milliseconds that batches rest during the start of the process, if their network reports which messages it accepted.
 */
const START_MS = 300_000;

/**
 * Releases all batches. Only for the single process of an embedded database, at the beginning of its start. Batches of
 * a channel whose network reports which messages it accepted rest until `settleBatches`. Batches that rest after broken
 * leases continue to rest. Returns the latest end of the rest.
 */
export async function releaseAllBatches(
  { sql, ids, clock, channels }: Pick<Context, 'sql' | 'ids' | 'clock' | 'channels'>,
  copyPauseMs: number,
): Promise<number> {
  const leaseNow = leaseClock.now();
  const leaseUntil = leaseNow + START_MS;
  for (const { id, connectors } of channels) {
    const rest = restOf(sql, NOBODY, copyPauseMs);
    const from = connectors.settleMs === 0 ? leaseNow : leaseUntil;
    await sql.begin(async (tx) => {
      const resting = await tx<RestingBatch[]>`
        WITH released AS (
          UPDATE dispatch_batches SET lease_owner = NULL,
            lease_until = CASE WHEN ${rest} > 0 THEN ${from} + ${rest}
              ELSE ${connectors.settleMs === 0 ? 0 : leaseUntil}::bigint END,
            breaks = breaks + ${brokenBy(sql, NOBODY)}, submitting = submitting AND lease_owner IS NULL
          WHERE channel = ${id} AND lease_until > 0
            AND (lease_owner IS NOT NULL OR breaks < 2 OR lease_until <= ${leaseNow})
          RETURNING account_id AS "accountId", id, first_id AS "firstId", message_ids AS "messageIds",
            lease_until - ${from}::bigint AS "restMs"
        )
        SELECT * FROM released WHERE "restMs" > 0`;
      await storeRests(tx, ids, clock.now(), resting);
    });
  }
  return leaseUntil;
}

/**
 * Ends the rest that `releaseAllBatches` started, `settleMs` from now: by then their network has reported the messages
 * that it accepted. Batches with a broken lease keep their additional rest.
 */
export async function settleBatches(sql: Sql, channels: Channels, leaseUntil: number): Promise<void> {
  for (const { id, connectors } of channels) {
    if (connectors.settleMs === 0) continue;
    const until = leaseClock.now() + connectors.settleMs;
    await sql`
      UPDATE dispatch_batches SET lease_until = lease_until - ${leaseUntil - until}::bigint
      WHERE channel = ${id} AND lease_owner IS NULL AND lease_until >= ${leaseUntil}`;
  }
}

/** Selects batches that are due and not leased. */
export const dueBatches = (sql: Queryable, now: number): DueRows =>
  sql`FROM dispatch_batches WHERE due_at <= ${now} AND ${isFree(sql, leaseClock.now())}`;

/** Returns accounts and lanes with batches that are due and not leased. */
export async function findDue(sql: Sql, now: number): Promise<{ accountId: number; lane: Lane }[]> {
  return sql<{ accountId: number; lane: Lane }[]>`
    SELECT account_id AS "accountId", lane ${dueBatches(sql, now)}
    GROUP BY account_id, lane ORDER BY min(due_at) LIMIT 10000`;
}
