import { bigints, ints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Event } from '../../engine/events/types.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor } from '../../kit/ids.ts';
import { status } from '../../kit/statuses.ts';
import { pauseAfter } from './delivery-rows.ts';
import { receiptsStored } from './metrics.ts';
import { insertOpenMessages, type SubmittedMessage } from './open-messages.ts';
import type { StoredDelivery, StoredReceipt } from './receipt-pdu.ts';
import type { DeliveryStore } from './sent-deliveries.ts';

/** Bits of registered_delivery that ask for a receipt (SMPP 5.0, 4.7.21). */
const RECEIPT_MASK = 0x03;
const FAILURES_ONLY = 2;
const SUCCESS_ONLY = 3;

/** Whether registered_delivery asks for a receipt. */
export const asksReceipt = (registeredDelivery: number): boolean => (registeredDelivery & RECEIPT_MASK) !== 0;

/** A final status of messages of a shipment to a phone. */
export interface Ending {
  readonly shipmentId: number;
  readonly phone: string;
  readonly status: number;
  readonly at: number;
}

/** A row of `smpp_messages` that a receipt needs. */
export type EndedRow = Omit<SubmittedMessage, 'accountId' | 'shipmentId'> & {
  readonly status: number;
  readonly at: number;
};

/** The receivers that are bound to this process. */
export interface Receivers {
  /** Number of receipts that may be sent now, by client of the account; clients without room are left out. */
  roomOf(accountId: number): Map<number, number>;
  /** Sends receipts of messages that stay in `smpp_messages` until the client acknowledges them. */
  send(rows: readonly EndedRow[]): void;
}

interface MessagesDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  /** Milliseconds for which a receipt waits for a receiver. */
  readonly keepMs: number;
  /** Undefined in a process without the server. */
  readonly receivers: () => Receivers | undefined;
  /** Called after the commit with clients that have new deliveries. */
  readonly announce: (clientIds: ReadonlySet<number>) => void;
}

/** Open messages without a final status are looked through in steps of this size. */
const SWEPT_AT_ONCE = 1_000;
/**
 * Milliseconds after its final status in which a message may belong to a process that sends its receipt: longer than a client
 * may take to answer.
 */
const BEING_SENT_MS = 60_000;
/** Days for which a message can wait for its final status; ids of carriers are kept as long. */
const KEEP_OPEN_DAYS = 21;
const DAY = 86_400_000;

/** Returns the columns of a row of `smpp_messages` with the names of `EndedRow`. */
export const endedColumns = (sql: Queryable) => sql`
  s.id, s.phone, s.client_id AS "clientId", s.source, s.source_ton AS "sourceTon", s.source_npi AS "sourceNpi",
  s.destination, s.destination_ton AS "destinationTon", s.destination_npi AS "destinationNpi",
  s.registered_delivery AS "registeredDelivery", s.submitted_at AS "submittedAt"`;

/**
 * Messages whose clients want receipts. They are stored with their shipments. With a receiver in the process that stores the
 * final status, a message stays until the client acknowledges its receipt; otherwise it moves to the deliveries in that
 * transaction. `sweep` finds those of a process that ended in between.
 */
export class SmppMessages {
  readonly #deps: MessagesDeps;
  /** Last id of the last step of `sweep`. */
  #swept = 0;

  constructor(deps: MessagesDeps) {
    this.#deps = deps;
  }

  /**
   * Stores messages of one account whose shipments exist already. A message may be final before, so this looks for it.
   */
  async registerWithin(
    tx: TransactionSql,
    accountId: number,
    messages: readonly SubmittedMessage[],
  ): Promise<void> {
    await insertOpenMessages(tx, accountId, messages);
    const shipments = [...new Set(messages.map(({ shipmentId }) => shipmentId))];
    await this.endWithin(tx, accountId, await finalOf(tx, accountId, shipments));
  }

  /**
   * Sends the receipts of messages with a final status after the commit of the transaction that stores it, as far as the
   * receivers of this process have room. Moves the other messages to the deliveries.
   */
  async endWithin(tx: TransactionSql, accountId: number, endings: readonly Ending[]): Promise<void> {
    if (endings.length === 0) return;
    const receivers = this.#deps.receivers();
    const room = receivers?.roomOf(accountId);
    if (!receivers || !room || room.size === 0) {
      await this.#move(tx, accountId, endings);
      return;
    }
    const rows = await tx<EndedRow[]>`
      SELECT ${endedColumns(tx)}, u.status, u.at FROM smpp_messages s, ${endingsTable(tx, endings)}
      WHERE ${isEnded(tx, accountId, endings)}`;
    const sent: EndedRow[] = [];
    const moved: EndedRow[] = [];
    for (const row of rows) {
      const left = room.get(row.clientId) ?? 0;
      room.set(row.clientId, left - 1);
      if (left > 0) sent.push(row);
      else moved.push(row);
    }
    if (moved.length > 0) await this.deliverReceipts(tx, accountId, await removeRows(tx, accountId, moved));
    if (sent.length > 0) tx.afterCommit(() => receivers.send(sent));
  }

  /** Moves messages with a final status to the deliveries. */
  async #move(tx: TransactionSql, accountId: number, endings: readonly Ending[]): Promise<void> {
    if (endings.length === 0) return;
    const rows = await tx<EndedRow[]>`
      DELETE FROM smpp_messages s USING ${endingsTable(tx, endings)}
      WHERE ${isEnded(tx, accountId, endings)}
      RETURNING ${endedColumns(tx)}, u.status, u.at`;
    await this.deliverReceipts(tx, accountId, rows);
  }

  /**
   * Stores the answers to receipts that are sent without a delivery. A message whose receipt is not acknowledged moves to the
   * deliveries.
   */
  readonly finished: DeliveryStore<EndedRow> = {
    delete: async (accountId, rows) => {
      await removeRows(this.#deps.sql, accountId, rows);
    },
    release: (accountId, rows) => this.#moveRows(accountId, rows),
    postpone: (accountId, row) => this.#moveRows(accountId, [row], pauseAfter(1)),
  };

  async #moveRows(accountId: number, rows: readonly EndedRow[], pauseMs?: number): Promise<void> {
    await this.#deps.sql.begin(async (tx) =>
      this.deliverReceipts(tx, accountId, await removeRows(tx, accountId, rows), pauseMs),
    );
  }

  /**
   * Stores the receipts that clients asked for.
   *
   * @param pauseMs milliseconds until the next attempt, after the client has refused the first one
   */
  async deliverReceipts(
    tx: TransactionSql,
    accountId: number,
    rows: readonly EndedRow[],
    pauseMs?: number,
  ): Promise<void> {
    const wanted = rows
      .filter(isWanted)
      .toSorted((a, b) => a.id - b.id)
      .map((row) => ({ clientId: row.clientId, phone: row.phone, content: receiptOf(row) }));
    receiptsStored.inc(wanted.length);
    await this.deliver(tx, accountId, wanted, pauseMs);
  }

  /** Stores deliveries of one account; those with a pause were refused once. */
  async deliver(
    tx: TransactionSql,
    accountId: number,
    deliveries: readonly {
      readonly clientId: number;
      readonly phone: string;
      readonly content: StoredDelivery;
    }[],
    pauseMs?: number,
  ): Promise<void> {
    if (deliveries.length === 0) return;
    const { ids, clock, keepMs, announce } = this.#deps;
    const now = clock.now();
    await tx`
      INSERT INTO smpp_deliveries (account_id, id, client_id, phone, content, due_at, attempts, expires_at)
      SELECT w.account_id, u.id, u.client_id, u.phone, u.content, ${now + (pauseMs ?? 0)}::bigint,
        ${pauseMs === undefined ? 0 : 1}::integer, ${now + keepMs}::bigint
      FROM wallets w, unnest(
        ${bigints(deliveries.map(() => ids.next()))}::bigint[],
        ${bigints(deliveries.map(({ clientId }) => clientId))}::bigint[],
        ${textArray(deliveries.map(({ phone }) => phone))}::text[],
        ${textArray(deliveries.map(({ content }) => tx.waitingText(accountId, JSON.stringify(content))))}::text[]
      ) AS u (id, client_id, phone, content)
      WHERE w.account_id = ${accountId}`;
    const clients = new Set(deliveries.map(({ clientId }) => clientId));
    tx.afterCommit(() => announce(clients));
  }

  /** Records final statuses from events of messages. */
  async recordEvents(tx: TransactionSql, accountId: number, events: readonly Event[]): Promise<void> {
    const endings = events.flatMap(({ type, at, data }) =>
      type === 'message.status'
        ? [{ shipmentId: data.shipment_id, phone: data.phone, status: data.status, at }]
        : [],
    );
    await this.endWithin(tx, accountId, endings);
  }

  /**
   * Looks at the next open messages for a final status that was stored without an event, of a cancelled message or when a
   * process did not know the client yet, and for receipts whose process has ended. It moves these messages to the deliveries.
   */
  async sweep(): Promise<void> {
    const { sql, clock } = this.#deps;
    const before = clock.now() - BEING_SENT_MS;
    const rows = await sql<{ account_id: number; id: number; shipment_id: number }[]>`
      SELECT account_id, id, shipment_id FROM smpp_messages
      WHERE id > ${this.#swept} AND shipment_id IS NOT NULL ORDER BY id LIMIT ${SWEPT_AT_ONCE}`;
    this.#swept = rows.length < SWEPT_AT_ONCE ? 0 : rows.at(-1)!.id;
    for (const [accountId, mine] of Map.groupBy(rows, ({ account_id }) => account_id)) {
      const shipments = [...new Set(mine.map(({ shipment_id }) => shipment_id))];
      await sql.begin(async (tx) => {
        const endings = await finalOf(tx, accountId, shipments);
        // No event is recorded of a cancelled message, so that no process sends its receipt.
        const left = endings.filter(({ status: ended, at }) => ended === status.deleted || at < before);
        await this.#move(tx, accountId, left);
      });
    }
  }

  /** Sends the receipts of the final messages of shipments, as `endWithin` does. */
  async end(accountId: number, shipmentIds: readonly number[]): Promise<void> {
    await this.#deps.sql.begin(async (tx) =>
      this.endWithin(tx, accountId, await finalOf(tx, accountId, [...new Set(shipmentIds)])),
    );
  }

  /** Deletes messages without a final status and deliveries that no receiver took in time. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    const now = clock.now();
    const oldest = idFloor(now - KEEP_OPEN_DAYS * DAY);
    await sql`DELETE FROM smpp_messages WHERE id < ${oldest}`;
    await sql`DELETE FROM smpp_replaced WHERE shipment_id < ${oldest}`;
    await sql`DELETE FROM smpp_deliveries WHERE expires_at < ${now}`;
  }
}

/** Whether registered_delivery asks for a receipt about this outcome. */
export function isWanted({ registeredDelivery, status: ended }: EndedRow): boolean {
  const wish = registeredDelivery & RECEIPT_MASK;
  if (wish === FAILURES_ONLY) return ended !== status.delivered;
  if (wish === SUCCESS_ONLY) return ended === status.delivered;
  return wish !== 0;
}

/** Returns the receipt of a message with a final status. */
export function receiptOf(row: EndedRow): StoredReceipt {
  const { id, at, clientId: _client, phone: _phone, registeredDelivery: _wish, ...rest } = row;
  return { kind: 'receipt', id: String(id), doneAt: at, ...rest };
}

/** Final statuses as a table `u`. */
const endingsTable = (sql: Queryable, endings: readonly Ending[]) => sql`
  unnest(
    ${bigints(endings.map(({ shipmentId }) => shipmentId))}::bigint[],
    ${textArray(endings.map(({ phone }) => phone))}::text[],
    ${ints(endings.map((ending) => ending.status))}::integer[],
    ${bigints(endings.map(({ at }) => at))}::bigint[]
  ) AS u (shipment_id, phone, status, at)`;

/**
 * A condition on rows of `smpp_messages`: their message is one of `endingsTable`. The list of shipments keeps PostgreSQL from
 * reading all rows of the account.
 */
const isEnded = (sql: Queryable, accountId: number, endings: readonly Ending[]) => sql`
  s.account_id = ${accountId} AND s.shipment_id = ANY(${bigints(endings.map(({ shipmentId }) => shipmentId))}::bigint[])
  AND s.shipment_id = u.shipment_id AND s.phone = u.phone`;

/** Deletes rows of `smpp_messages` of one account. Returns the deleted ones; another process may have deleted some before. */
async function removeRows(
  sql: Queryable,
  accountId: number,
  rows: readonly EndedRow[],
): Promise<readonly EndedRow[]> {
  const ids = bigints(rows.map(({ id }) => id));
  const removed = await sql<{ id: number; phone: string }[]>`
    DELETE FROM smpp_messages s USING unnest(
      ${ids}::bigint[], ${textArray(rows.map(({ phone }) => phone))}::text[]
    ) AS u (id, phone)
    WHERE s.account_id = ${accountId} AND s.id = ANY(${ids}::bigint[]) AND s.id = u.id AND s.phone = u.phone
    RETURNING s.id, s.phone`;
  if (removed.length === rows.length) return rows;
  const keys = new Set(removed.map(({ id, phone }) => `${id} ${phone}`));
  return rows.filter(({ id, phone }) => keys.has(`${id} ${phone}`));
}

/**
 * Returns the final messages of shipments. Locks all of their messages, so that a transaction that stores a final status
 * has committed, or sees the rows of this one.
 */
async function finalOf(
  tx: TransactionSql,
  accountId: number,
  shipmentIds: readonly number[],
): Promise<Ending[]> {
  if (shipmentIds.length === 0) return [];
  const rows = await tx<{ shipment_id: number; phone: string; status: number; final_at: number | null }[]>`
    SELECT m.shipment_id, m.recipient AS phone, m.status, m.final_at FROM messages m
    JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id
    WHERE s.account_id = ${accountId} AND m.account_id = ${accountId} AND s.id = ANY(${bigints(shipmentIds)}::bigint[])
      AND m.id > ${Math.min(...shipmentIds)} AND m.id >= s.first_id AND m.id <= s.last_id AND m.shipment_id = s.id
    ORDER BY m.id FOR SHARE OF m`;
  return rows.flatMap(({ shipment_id: shipmentId, phone, status: ended, final_at }) =>
    final_at === null ? [] : [{ shipmentId, phone, status: ended, at: final_at }],
  );
}
