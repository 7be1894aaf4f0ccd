import { TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { texts } from '../../database/arrays.ts';
import { bigints, ints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import { ofDebited, type RowAccounts, rowsOf } from '../../database/row-accounts.ts';
import type { SealedText } from '../../database/sealed-text.ts';
import { toNumeric } from '../../modules/accounts/money.ts';
import { checkPasses, type Pass } from '../gate/gate.ts';
import type { PlannedBatch } from './batch-cutter.ts';
import type { PlannedMessage } from './plan.ts';
import { insertWaits, type NewWait } from './waits.ts';

/** Lease of batches that are dispatched without being claimed and read. */
export interface BatchLease {
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/*
 * Inserts messages and their batches, as complete statements or parts of one, for one account or for many whose payment
 * the statement checks (row-accounts.ts).
 */

/**
 * Inserts messages; those without a batch have their final status from `now` on. `sources` and `own` are indexed like
 * `messages`; `channel` is the default channel. Throws Error for one account without its pass.
 */
export function insertMessages(
  sql: Queryable,
  passes: readonly Pass[],
  accounts: number | RowAccounts,
  messages: readonly PlannedMessage[],
  sources: readonly string[],
  own: readonly (string | SealedText | null)[],
  now: number,
  channel: number = TEXT_CHANNEL,
) {
  checkPasses(accounts, passes);
  // Most sends have no such value, so their statement omits the columns.
  const hasSecrets = messages.some((m) => m.secretText);
  const hasCodes = messages.some((m) => m.code !== undefined);
  const hasTraces = messages.some((m) => m.trace !== undefined);
  const hasFiles = messages.some((m) => m.mediaId !== undefined);
  const { account, from, named, where } = rowsOf(sql, accounts);
  return sql`
    INSERT INTO messages (account_id, id, shipment_id, batch_id, recipient, source, payload, external_id, parts, price,
      status, final_at, channel${hasSecrets ? sql`, secret_text` : sql``}${hasCodes ? sql`, code` : sql``}${hasTraces ? sql`, trace` : sql``}${hasFiles ? sql`, media_id` : sql``})
    SELECT ${account}, u.id, u.shipment_id, u.batch_id, u.recipient, u.source, u.payload, u.external_id, u.parts,
      u.price,
      u.status, u.final_at, u.channel${hasSecrets ? sql`, decode(u.secret_text, 'hex')` : sql``}
      ${hasCodes ? sql`, u.code` : sql``}${hasTraces ? sql`, u.trace` : sql``}${hasFiles ? sql`, u.media_id` : sql``}
    FROM ${from}
      ${bigints(messages.map((m) => m.id))}::bigint[],
      ${bigints(messages.map((m) => m.shipmentId))}::bigint[],
      ${bigints(messages.map((m) => m.batchId))}::bigint[],
      ${textArray(messages.map((m) => m.item.phone))}::text[],
      ${textArray(sources)}::text[],
      ${textArray(own)}::text[],
      ${textArray(messages.map((m) => m.item.externalId))}::text[],
      ${smallints(messages.map((m) => m.parts))}::smallint[],
      ${texts(messages.map((m) => toNumeric(m.price)))}::numeric[],
      ${smallints(messages.map((m) => m.status))}::smallint[],
      ${bigints(messages.map((m) => (m.batchId === 0 ? now : null)))}::bigint[],
      ${smallints(messages.map((m) => m.channel ?? channel))}::smallint[]
      ${hasSecrets ? sql`, ${textArray(messages.map((m) => m.secretText?.toString('hex') ?? null))}::text[]` : sql``}
      ${hasCodes ? sql`, ${textArray(messages.map((m) => m.code ?? null))}::text[]` : sql``}
      ${hasTraces ? sql`, ${textArray(messages.map((m) => m.trace ?? null))}::text[]` : sql``}
      ${hasFiles ? sql`, ${bigints(messages.map((m) => m.mediaId ?? null))}::bigint[]` : sql``}
    ) AS u (${named} id, shipment_id, batch_id, recipient, source, payload, external_id, parts, price, status, final_at, channel
      ${hasSecrets ? sql`, secret_text` : sql``}${hasCodes ? sql`, code` : sql``}${hasTraces ? sql`, trace` : sql``}${hasFiles ? sql`, media_id` : sql``})
    ${where}`;
}

/** A batch of an account. */
interface BatchOfAccount {
  readonly accountId: number;
  readonly batch: PlannedBatch;
  readonly lease?: BatchLease | undefined;
}

/**
 * Returns the CTEs that insert batches of accounts that pay, and the waits of those that are due later than requested. Throws Error
 * for one account without its pass.
 */
export function ctesOfBatches(sql: Queryable, passes: readonly Pass[], batches: readonly BatchOfAccount[]) {
  const accountIds = batches.map(({ accountId }) => accountId);
  const queued = insertBatches(
    sql,
    passes,
    ofDebited(sql, accountIds),
    batches.map(({ batch }) => batch),
    batches.map(({ lease }) => lease),
  );
  const waits = waitsOfBatches(batches);
  // Most sends do not wait, so their statement omits this part.
  if (waits.length === 0) return sql`queued AS (${queued})`;
  const accounts = ofDebited(
    sql,
    waits.map(({ accountId }) => accountId),
  );
  return sql`queued AS (${queued}), delayed AS (${insertWaits(sql, accounts, waits)})`;
}

/** Stores batches of an account, with the waits of those that are due later than requested. Throws Error without its pass. */
export async function storeBatches(
  tx: Queryable,
  passes: readonly Pass[],
  accountId: number,
  batches: readonly PlannedBatch[],
): Promise<void> {
  const waits = waitsOfBatches(batches.map((batch) => ({ accountId, batch })));
  await Promise.all([
    insertBatches(tx, passes, accountId, batches),
    waits.length > 0 && insertWaits(tx, rowsOf(tx, accountId), waits),
  ]);
}

/** Returns the waits of batches that are due later than requested. */
const waitsOfBatches = (batches: readonly BatchOfAccount[]): NewWait[] =>
  batches.flatMap(({ accountId, batch: { id, dueAt, wait } }) =>
    wait ? [{ ...wait, accountId, id, subjectId: id, messageIds: null, until: dueAt, after: null }] : [],
  );

/**
 * Inserts batches of messages; `leases` has the leases of batches that are passed to this process's dispatcher. Throws
 * Error for one account without its pass.
 */
function insertBatches(
  sql: Queryable,
  passes: readonly Pass[],
  accounts: number | RowAccounts,
  batches: readonly PlannedBatch[],
  leases: readonly (BatchLease | undefined)[] = [],
) {
  checkPasses(accounts, passes);
  const { account, from, named, where } = rowsOf(sql, accounts);
  return sql`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, first_id, last_id, count,
      held_shipment_id, lease_owner, lease_until)
    SELECT ${account}, u.id, u.channel, u.lane, u.route, u.due_at, u.first_id, u.last_id, u.count,
      u.held_shipment_id, u.lease_owner, u.lease_until
    FROM ${from}
      ${bigints(batches.map((b) => b.id))}::bigint[],
      ${smallints(batches.map((b) => b.channel))}::smallint[],
      ${smallints(batches.map((b) => b.lane))}::smallint[],
      ${textArray(batches.map((b) => b.route))}::text[],
      ${bigints(batches.map((b) => b.dueAt))}::bigint[],
      ${bigints(batches.map((b) => b.firstId))}::bigint[],
      ${bigints(batches.map((b) => b.lastId))}::bigint[],
      ${ints(batches.map((b) => b.count))}::integer[],
      ${bigints(batches.map((b) => b.heldShipmentId))}::bigint[],
      ${textArray(batches.map((_, at) => leases[at]?.owner ?? null))}::text[],
      ${bigints(batches.map((_, at) => leases[at]?.until ?? 0))}::bigint[]
    ) AS u (${named} id, channel, lane, route, due_at, first_id, last_id, count, held_shipment_id, lease_owner,
      lease_until)
    ${where}`;
}
