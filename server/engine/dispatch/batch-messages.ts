import type { Channel } from '../../channels/contract/channel.ts';
import type { Channels } from '../../channels/contract/channels.ts';
import { accountsOf, numbers, rangeOf } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { isOfAccounts, rowsByKey } from '../../database/rows-by-key.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Tracing } from '../../kit/observability/tracing/tracing.ts';
import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import type { CarrierOptions, OutgoingMessage } from '../carriers/carrier.ts';
import { type CallInput, openedCall } from '../messages/calls.ts';
import type { SecretTexts } from '../messages/secret-text.ts';
import type { ClaimedBatch, LoadedBatch } from './batches.ts';

/** Columns of a message that its dispatch needs. */
export interface StoredMessage extends Pick<OutgoingMessage, 'accountId' | 'id' | 'source' | 'destination'> {
  readonly shipmentId: number;
  /** Payload of this message; null for the shipment's. */
  readonly own: string | null;
  readonly secretText: Uint8Array | null;
  /** Trace context; not read when tracing is off. */
  readonly trace?: string | null;
}

/** Values that messages share with their shipment. */
export interface SharedByShipment {
  readonly payload: string | null;
  readonly call: CallInput | null;
  readonly validUntil: number;
  readonly rule: SendingRule | null;
  readonly options: CarrierOptions | null;
}

interface MessageRow extends StoredMessage {
  /** Index of its batch among those being read. */
  readonly batch: number;
  /** Absent for a message of a first attempt. */
  readonly firstBatchId?: number;
}

/** Reads the messages of leased batches, of accounts of one placement, that have no result and were not submitted. */
export async function loadBatches(
  sql: Sql,
  claimed: readonly ClaimedBatch[],
  reader: PayloadReader,
): Promise<LoadedBatch[]> {
  const loaded = claimed.map(emptyBatch);
  const rows = await readMessages(sql, claimed, reader.tracing !== undefined);
  const shipments = await readShipments(sql, rows);
  const counts = claimed.map(({ messageIds, copies, rings }) => ({
    copies: byId(messageIds, copies),
    rings: byId(messageIds, rings),
  }));
  for (const row of rows) {
    const { copies, rings } = counts[row.batch]!;
    const batch = loaded[row.batch]!;
    if (row.firstBatchId !== undefined) batch.firstBatchId = row.firstBatchId;
    addMessage(reader, batch, row, shipments.get(row.shipmentId)!, {
      copies: copies.get(row.id) ?? 0,
      rings: rings.get(row.id) ?? 0,
    });
  }
  return loaded;
}

/** Returns a batch to which messages are added later. */
export const emptyBatch = ({
  accountId,
  id,
  channel,
  lane,
  route,
  attempt,
  dueAt,
  heldShipmentId,
  epoch,
  breaks,
  submittedTo,
}: Omit<
  LoadedBatch,
  'messages' | 'size' | 'firstBatchId' | 'outstanding' | 'retries' | 'notBefore'
>): LoadedBatch => ({
  ...{ accountId, id, channel, lane, route, attempt, dueAt, heldShipmentId },
  ...{ epoch, breaks, submittedTo },
  ...{ messages: [], size: 0, firstBatchId: id, outstanding: 0, retries: [], notBefore: 0 },
});

/** Dependencies for decoding payloads. */
export interface PayloadReader {
  readonly channels: Channels;
  readonly secretTexts: SecretTexts;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
}

/** Appends a message to its batch. */
export function addMessage(
  reader: PayloadReader,
  batch: LoadedBatch,
  message: StoredMessage,
  shipment: SharedByShipment,
  { copies = 0, rings = 0 } = {},
): void {
  const { accountId, id, shipmentId, source, destination, secretText, trace } = message;
  const payload = readPayload(reader, reader.channels.of(batch.channel), message, shipment);
  batch.messages.push({
    accountId,
    id,
    shipmentId,
    source,
    destination,
    payload,
    validUntil: shipment.validUntil,
    rule: shipment.rule,
    isUnreadable: payload === undefined,
    ...(secretText !== null && { isSecret: true }),
    ...(shipment.options && { options: shipment.options }),
    ...(trace && { trace }),
    batch,
    copies,
    rings,
  });
  batch.size++;
  batch.outstanding++;
}

/** Decodes the content of a message; undefined when it is unreadable or its secret cannot be decrypted. */
function readPayload(
  { secretTexts, log }: PayloadReader,
  { codec }: Channel,
  { accountId, id, own: stored, secretText }: StoredMessage,
  { payload: shared, call }: SharedByShipment,
) {
  try {
    const own = secretText === null ? stored : secretTexts.open(accountId, id, secretText);
    // No one sends an empty text: it was encrypted with a key that is lost.
    if (own === '' || (own === null && (shared === '' || call?.text === ''))) throw new Error('it is lost');
    return codec.decode({ own, shared, call });
  } catch (error) {
    log.error({ err: error, accountId, messageId: id }, 'the payload of a message cannot be read');
    return undefined;
  }
}

/** Maps message ids to the counts of a row. */
const byId = (ids: readonly number[] | null, counts: readonly number[] | null) =>
  new Map(counts?.map((count, at) => [ids![at]!, count]));

/** Reads messages in the order of their ids. */
async function readMessages(
  sql: Sql,
  claimed: readonly ClaimedBatch[],
  isTraced: boolean,
): Promise<MessageRow[]> {
  const entries = claimed.map((batch, index) => ({ batch, index }));
  const listed = entries.filter(({ batch }) => batch.messageIds !== null);
  const first = entries.filter(({ batch }) => batch.messageIds === null);
  const rows = await Promise.all([
    first.length > 0 ? readRanges(sql, first, isTraced) : [],
    listed.length > 0 ? readListed(sql, listed, isTraced) : [],
  ]);
  return rows.flat();
}

interface ClaimEntry {
  readonly batch: ClaimedBatch;
  readonly index: number;
}

/** Returns the columns of a StoredMessage, from the table `m`. */
const messageColumns = (sql: Sql, isTraced: boolean) => sql`
  m.account_id AS "accountId", m.id, m.shipment_id AS "shipmentId", m.recipient AS destination, m.source,
  m.payload AS own, m.secret_text AS "secretText"${isTraced ? sql`, m.trace` : sql``}`;

/** Reads messages of first attempts, which form a range of the primary key in each batch. */
async function readRanges(
  sql: Sql,
  entries: readonly ClaimEntry[],
  isTraced: boolean,
): Promise<MessageRow[]> {
  const batches = entries.map(({ batch }) => batch);
  // Bounds on the id limit the partitions; OFFSET forces PostgreSQL to use one range per batch.
  return sql<MessageRow[]>`
    SELECT b.index AS batch, m.* FROM unnest(
      ${numbers(entries.map(({ index }) => index))}::integer[],
      ${numbers(batches.map(({ accountId }) => accountId))}::bigint[], ${numbers(batches.map(({ id }) => id))}::bigint[],
      ${numbers(batches.map(({ firstId }) => firstId))}::bigint[],
      ${numbers(batches.map(({ lastId }) => lastId))}::bigint[]
    ) AS b (index, account_id, id, first_id, last_id), LATERAL (
      SELECT ${messageColumns(sql, isTraced)} FROM messages m
      WHERE account_id = b.account_id AND account_id = ANY(${accountsOf(batches)}::bigint[])
        AND id >= b.first_id AND id <= b.last_id AND batch_id = b.id
        AND id >= ${Math.min(...batches.map(({ firstId }) => firstId))}
        AND id <= ${Math.max(...batches.map(({ lastId }) => lastId))}
        AND final_at IS NULL AND handed_at IS NULL
      OFFSET 0
    ) m
    ORDER BY m.id`;
}

/** Reads messages of later attempts, which their batches list. */
async function readListed(
  sql: Sql,
  entries: readonly ClaimEntry[],
  isTraced: boolean,
): Promise<MessageRow[]> {
  const listed = entries.flatMap(({ batch, index }) =>
    batch.messageIds!.map((id) => ({ index, accountId: batch.accountId, id })),
  );
  const keys = sql`
    ${numbers(listed.map(({ index }) => index))}::integer[],
    ${numbers(listed.map(({ accountId }) => accountId))}::bigint[], ${numbers(listed.map(({ id }) => id))}::bigint[]`;
  const { first, last } = rangeOf(listed.map(({ id }) => id));
  return sql<MessageRow[]>`
    SELECT u.index AS batch, m.batch_id AS "firstBatchId", ${messageColumns(sql, isTraced)}
    FROM ${rowsByKey(sql, listed.length, sql`index, account_id, id`, keys)}
    JOIN messages m ON m.account_id = u.account_id AND m.id = u.id
    WHERE ${isOfAccounts(sql, sql`m.account_id`, listed)} AND m.id >= ${first} AND m.id <= ${last}
      AND m.final_at IS NULL AND m.handed_at IS NULL
    ORDER BY m.id`;
}

interface ShipmentRow extends SharedByShipment {
  readonly id: number;
}

async function readShipments(sql: Sql, rows: readonly MessageRow[]): Promise<Map<number, ShipmentRow>> {
  const owners = new Map(rows.map(({ shipmentId, accountId }) => [shipmentId, accountId]));
  if (owners.size === 0) return new Map();
  const ids = [...owners.keys()];
  const found = await sql<ShipmentRow[]>`
    SELECT s.* FROM unnest(${numbers([...owners.values()])}::bigint[], ${numbers(ids)}::bigint[]) AS u (account_id, id),
    LATERAL (
      SELECT id, payload, valid_until AS "validUntil", call, sending_rule AS rule, carrier_options AS options FROM shipments
      WHERE account_id = u.account_id AND account_id = ANY(${accountsOf(rows)}::bigint[]) AND id = u.id
        AND id >= ${Math.min(...ids)} AND id <= ${Math.max(...ids)}
      OFFSET 0
    ) s`;
  return new Map(found.map((row) => [row.id, { ...row, call: openedCall(row.call) }]));
}
