import type { OutgoingMessage } from '../carriers/carrier.ts';
import type { Channels } from '../channel-contract/channels.ts';
import { numbers, rangeOf, texts } from '../database/arrays.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { leaseClock } from '../database/lease-clock.ts';
import type { DueRows } from '../due-look.ts';
import type { Lane } from '../messages/lanes.ts';
import type { SendingRule } from '../sending-policy/policy.ts';
import { brokenBy, restOf } from './broken-leases.ts';
import type { Hold } from './permits.ts';

/** A message that was read for sending, with the batch that it belongs to. */
export interface DueMessage extends OutgoingMessage {
  readonly shipmentId: number;
  readonly batch: LoadedBatch;
  /** Its payload cannot be read, mostly since the key of its secret is lost: it fails. */
  readonly isUnreadable: boolean;
  /** What its shipment says to the sending policy of its account; null: nothing. */
  readonly rule: SendingRule | null;
  /** How long delivery is tried, in milliseconds since the epoch; later for one that waits by the policy. */
  validUntil: number;
  /** Why it is not submitted when its turn comes. */
  hold?: Hold;
  /** Not submitted before this, in milliseconds since the epoch; left out: when the rest of its batch may. */
  notBefore?: number;
  /** How many times it was submitted without an answer: each may be a copy at the recipient. */
  copies: number;
  /** How many times it rang at somebody without an answer. */
  rings: number;
  /** What is stored of its trace, of a message that is traced. */
  readonly trace?: string;
}

/** A batch that this process has leased. */
export interface LoadedBatch {
  readonly accountId: number;
  readonly id: number;
  /** Of all its messages. */
  readonly channel: number;
  readonly lane: Lane;
  readonly route: string;
  readonly attempt: number;
  readonly dueAt: number;
  /** Of a shipment that may be held back as a whole: scheduled, or a campaign that can be paused. */
  readonly heldShipmentId: number | null;
  messages: DueMessage[];
  /** Messages without a result. At 0 the batch has ended. */
  outstanding: number;
  /** Messages to try again later. */
  readonly retries: DueMessage[];
  /** None of them before this, in milliseconds since the epoch. */
  notBefore: number;
  /** How often its lease changed its owner: with the owner it names this lease. */
  readonly epoch: number;
  /** How often its lease was broken (broken-leases.ts). */
  readonly breaks: number;
  /** Messages with ids up to this may have been submitted under leases that were broken. */
  readonly submittedTo: number;
  /** After a broken lease: messages with ids up to this may be submitted under this lease, which is stored. */
  markedTo?: number;
  /** Ids of the batches that they go into: given once, so that an end that is stored again stores nothing twice. */
  retryIds?: number[];
  /** Another process has its lease: nothing more is submitted of it here, and its end is not stored. */
  isLost?: boolean;
}

/** How long a batch is leased; renewed at a third of it. What a killed process held is sent again after this. */
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

/** A leased batch whose messages are not read yet. */
export interface ClaimedBatch extends BatchRow {
  readonly lane: Lane;
}

/** What is looked for in a claim. */
interface Claim {
  /** Whose batches: of one placement. */
  readonly accountIds: readonly number[];
  readonly lane: Lane;
  readonly routes: readonly string[];
  /** Batches of an account, at most. */
  readonly each: number;
  /** Messages of all together; the last batch may go beyond it. */
  readonly messages: number;
  /** Pause of batches whose lease was broken again, in milliseconds (broken-leases.ts). */
  readonly copyPauseMs: number;
}

interface ClaimedRow extends BatchRow {
  /** 1 for a batch whose lease was broken. */
  broken: number;
  isLeased: boolean;
}

/** The batches of a claim. */
interface Claimed {
  readonly batches: ClaimedBatch[];
  /** Batches whose leases were broken, those that rest included. */
  readonly broken: number;
}

/**
 * Leases due batches of some accounts, accounts in turns, of each the longest due first. A batch whose lease was broken
 * more than once rests before it is leased again.
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
    UPDATE dispatch_batches b SET
      lease_owner = CASE WHEN c.rest_ms = 0 THEN ${owner} END,
      lease_until = ${leaseNow}::bigint + CASE WHEN c.rest_ms = 0 THEN ${LEASE_MS} ELSE c.rest_ms END,
      lease_epoch = b.lease_epoch + c.is_taken, breaks = b.breaks + c.broken, submitting = b.submitting AND c.broken = 0
    FROM (
      SELECT account_id, id, broken, is_taken, rest_ms, sum(count) OVER (ORDER BY turn, due_at, id) - count AS before FROM (
        SELECT d.*, row_number() OVER (PARTITION BY d.account_id ORDER BY d.due_at, d.id) AS turn
        FROM unnest(${accounts}::bigint[]) AS a (id), LATERAL (
          SELECT account_id, id, due_at, count, ${brokenBy(sql, owner)} AS broken,
            (lease_owner IS DISTINCT FROM ${owner})::int AS is_taken,
            ${restOf(sql, owner, copyPauseMs)} AS rest_ms
          FROM dispatch_batches
          WHERE account_id = a.id AND account_id = ANY(${accounts}::bigint[]) AND lane = ${lane} AND due_at <= ${now}
            AND lease_until < ${leaseNow} AND route = ANY(${texts(routes)}::text[])
          ORDER BY due_at, id LIMIT ${each} FOR UPDATE SKIP LOCKED
        ) d
      ) t
    ) c
    WHERE b.account_id = ANY(${accounts}::bigint[]) AND b.account_id = c.account_id AND b.id = c.id
      AND c.before < ${messages}
    RETURNING b.account_id AS "accountId", b.id, b.channel, b.route, b.due_at AS "dueAt", b.attempt,
      b.first_id AS "firstId", b.last_id AS "lastId", b.count, b.message_ids AS "messageIds", b.copies, b.rings,
      b.held_shipment_id AS "heldShipmentId", b.lease_epoch AS epoch, b.breaks,
      b.submitted_to AS "submittedTo", c.broken, c.rest_ms = 0 AS "isLeased"`;
  const leased = rows.filter(({ isLeased }) => isLeased);
  return {
    batches: leased.map((row) => ({ ...row, lane })).sort((a, b) => a.dueAt - b.dueAt || a.id - b.id),
    broken: rows.reduce((sum, { broken }) => sum + broken, 0),
  };
}

/** A batch by its key, with its lease. */
type BatchLeaseKey = Pick<LoadedBatch, 'accountId' | 'id' | 'epoch'>;

/** Renews the leases of batches of accounts of one placement. Returns the ids of those still ours. */
export async function renewLeases(
  sql: Queryable,
  owner: string,
  batches: readonly BatchLeaseKey[],
): Promise<Set<number>> {
  const accounts = numbers(batches.map(({ accountId }) => accountId));
  const ids = batches.map(({ id }) => id);
  const { first } = rangeOf(ids);
  const rows = await sql<{ id: number }[]>`
    UPDATE dispatch_batches b SET lease_until = ${leaseClock.now() + LEASE_MS}
    FROM unnest(
      ${accounts}::bigint[], ${numbers(ids)}::bigint[], ${numbers(batches.map(({ epoch }) => epoch))}::integer[]
    ) AS u (account_id, id, epoch)
    WHERE b.account_id = ANY(${accounts}::bigint[]) AND b.account_id = u.account_id AND b.id = u.id
      AND b.id >= ${first} AND b.lease_owner = ${owner} AND b.lease_epoch = u.epoch
    RETURNING b.id`;
  return new Set(rows.map((row) => row.id));
}

/**
 * Releases batches of accounts of one placement. Another process, or this one after a restart, then sends the messages without
 * a result. `now` and `notBefore` are times of the message clock.
 */
export async function releaseLeases(
  sql: Sql,
  owner: string,
  now: number,
  batches: readonly (BatchLeaseKey & Pick<LoadedBatch, 'notBefore'>)[],
): Promise<void> {
  const accounts = numbers(batches.map(({ accountId }) => accountId));
  const ids = batches.map(({ id }) => id);
  const { first } = rangeOf(ids);
  const leaseNow = leaseClock.now();
  await sql`
    UPDATE dispatch_batches AS b SET lease_until = u.until, lease_owner = NULL, submitting = false
    FROM unnest(
      ${accounts}::bigint[], ${numbers(ids)}::bigint[],
      ${numbers(batches.map(({ notBefore }) => (notBefore > now ? leaseNow + notBefore - now : 0)))}::bigint[],
      ${numbers(batches.map(({ epoch }) => epoch))}::integer[]
    ) AS u (account_id, id, until, epoch)
    WHERE b.account_id = ANY(${accounts}::bigint[]) AND b.account_id = u.account_id AND b.id = u.id
      AND b.id >= ${first} AND b.lease_owner = ${owner} AND b.lease_epoch = u.epoch`;
}

/** No process has this name in leases. */
const NOBODY = '';

/** So long batches of a network that tells what it took rest while the process starts, in milliseconds. */
const START_MS = 300_000;

/**
 * Gives back every batch: only for the one process of an embedded database, when it begins to start. Batches of a channel
 * whose network tells which messages it took rest until `settleBatches`. Batches that rest after broken leases go on
 * resting. Returns until when, at most.
 */
export async function releaseAllBatches(sql: Sql, channels: Channels, copyPauseMs: number): Promise<number> {
  const leaseNow = leaseClock.now();
  const leaseUntil = leaseNow + START_MS;
  for (const { id, connectors } of channels) {
    const rest = restOf(sql, NOBODY, copyPauseMs);
    const from = connectors.settleMs === 0 ? leaseNow : leaseUntil;
    await sql`
      UPDATE dispatch_batches SET lease_owner = NULL,
        lease_until = CASE WHEN ${rest} > 0 THEN ${from} + ${rest}
          ELSE ${connectors.settleMs === 0 ? 0 : leaseUntil}::bigint END,
        breaks = breaks + ${brokenBy(sql, NOBODY)}, submitting = submitting AND lease_owner IS NULL
      WHERE channel = ${id} AND lease_until > 0 AND (lease_owner IS NOT NULL OR breaks < 2 OR lease_until <= ${leaseNow})`;
  }
  return leaseUntil;
}

/**
 * Ends the rest of batches that `releaseAllBatches` put to rest, `settleMs` after now: by then their network has reported what
 * it accepted. Batches with a broken lease keep their additional rest.
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

/** Batches that are due and not leased. */
export const dueBatches = (sql: Queryable, now: number): DueRows =>
  sql`FROM dispatch_batches WHERE due_at <= ${now} AND lease_until < ${leaseClock.now()}`;

/** Accounts and lanes with batches that are due and not leased. */
export async function findDue(sql: Sql, now: number): Promise<{ accountId: number; lane: Lane }[]> {
  return sql<{ accountId: number; lane: Lane }[]>`
    SELECT account_id AS "accountId", lane ${dueBatches(sql, now)}
    GROUP BY account_id, lane ORDER BY min(due_at) LIMIT 10000`;
}
