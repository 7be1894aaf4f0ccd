import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import type { Context } from '../../kit/context.ts';
import { status } from '../../kit/statuses.ts';
import type { Charset, EncodedPart } from '../../kit/text/charsets.ts';
import type { SubmittedPart } from './content.ts';
import { asksReceipt, type EndedRow, endedColumns, type SmppMessages } from './messages.ts';
import type { SubmittedMessage } from './open-messages.ts';

/** A long message by its parts: they arrive over any bind of the account. */
export interface PartGroup {
  readonly accountId: number;
  /** Identifies the message in its send key. */
  readonly id: number;
  readonly source: string;
  /** Recipient, E.164 digits. */
  readonly phone: string;
}

/** A part as it is stored. */
interface StoredPart {
  readonly id: number;
  readonly sequence: number;
  readonly charset: Charset;
  /** In hexadecimal; empty when its key is lost. */
  readonly octets: string;
}

/** A part that was stored, and its message if that is complete now. */
interface AddedPart {
  /** Id that the client gets for the part. */
  readonly id: number;
  readonly complete: CompleteMessage | undefined;
}

interface CompleteMessage {
  readonly group: PartGroup;
  readonly parts: readonly EncodedPart[];
  /** Options of its first part. */
  readonly options: CarrierOptions | undefined;
}

/** A group with the options of its first part for the network. */
interface LockedGroup extends PartGroup {
  readonly options: CarrierOptions | null;
}

interface PartsDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly messages: SmppMessages;
  /** Milliseconds to wait for the missing parts of a message. */
  readonly waitMs: number;
}

type NewPart = Omit<SubmittedMessage, 'id' | 'shipmentId'>;

/** Parts of long messages that wait for other parts of their message. */
export class SmppParts {
  readonly #deps: PartsDeps;

  constructor(deps: PartsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a part. A part that was stored before gets the same id. If another part has the same place and
   * other octets, a new message has begun with the same reference, and the incomplete message is abandoned.
   *
   * @param source sender of the message, which also distinguishes messages with one reference
   * @param options its options for the network; those of the first part count
   */
  async add(
    source: string,
    message: NewPart,
    part: SubmittedPart,
    options: CarrierOptions | undefined,
  ): Promise<AddedPart> {
    const { sql } = this.#deps;
    return sql.begin(async (tx) => {
      let group = await this.#lockGroup(tx, source, message, part, options);
      let parts = await partsOf(tx, group);
      const octets = Buffer.from(part.octets).toString('hex');
      const known = parts.find(({ sequence }) => sequence === part.sequence);
      if (known && known.octets !== octets) {
        await this.#giveUp(tx, group, status.expired);
        group = await this.#lockGroup(tx, source, message, part, options);
        parts = [];
      } else if (known) return { id: known.id, complete: whole(group, parts, part.total) };
      const id = await this.#insert(tx, group, message, { ...part, octets });
      const added = { id, sequence: part.sequence, charset: part.charset, octets };
      return { id, complete: whole(group, [...parts, added], part.total) };
    });
  }

  /** Ends a message whose shipment was accepted: each part is a message that waits for its final status. */
  async accepted({ accountId, id }: PartGroup, shipmentId: number): Promise<void> {
    const { sql, messages } = this.#deps;
    await sql.begin(async (tx) => {
      const rows = await tx<Omit<SubmittedMessage, 'accountId' | 'shipmentId'>[]>`
        DELETE FROM smpp_messages s WHERE s.account_id = ${accountId} AND s.part_group = ${id}
        RETURNING ${endedColumns(tx)}`;
      await tx`DELETE FROM smpp_part_groups WHERE account_id = ${accountId} AND id = ${id}`;
      const own = rows
        .filter(({ registeredDelivery }) => asksReceipt(registeredDelivery))
        .map((row) => ({ ...row, accountId, shipmentId }));
      if (own.length > 0) await messages.registerWithin(tx, accountId, own);
    });
  }

  /**
   * Ends a message that was refused: its parts get receipts, except the one whose answer has the reason.
   *
   * @param answeredId id of that part
   */
  async refused(group: PartGroup, answeredId: number | undefined): Promise<void> {
    await this.#deps.sql.begin(async (tx) => {
      if (answeredId !== undefined)
        await tx`DELETE FROM smpp_messages WHERE account_id = ${group.accountId} AND id = ${answeredId}`;
      await this.#giveUp(tx, group, status.rejected);
    });
  }

  /**
   * Returns messages whose time is over and whose parts are all there, because a process died before it accepted them,
   * and abandons the others with receipts.
   */
  async expire(): Promise<readonly CompleteMessage[]> {
    const { sql, clock } = this.#deps;
    const expired = await sql<(LockedGroup & { readonly total: number })[]>`
      SELECT account_id AS "accountId", id, source, phone, carrier_options AS options, total FROM smpp_part_groups
      WHERE expires_at < ${clock.now()} LIMIT 500`;
    const complete: CompleteMessage[] = [];
    for (const { total, ...group } of expired) {
      const found = await sql.begin(async (tx) => {
        await tx`
          SELECT FROM smpp_part_groups WHERE account_id = ${group.accountId} AND id = ${group.id} FOR UPDATE`;
        const all = whole(group, await partsOf(tx, group), total);
        if (!all) await this.#giveUp(tx, group, status.expired);
        return all;
      });
      if (found) complete.push(found);
    }
    return complete;
  }

  /** Locks the group of a part, so that one of two last parts sees the other. */
  async #lockGroup(
    tx: TransactionSql,
    source: string,
    { accountId, phone }: NewPart,
    { reference, total }: SubmittedPart,
    options: CarrierOptions | undefined,
  ): Promise<LockedGroup> {
    const { ids, clock, waitMs } = this.#deps;
    const expiresAt = clock.now() + waitMs;
    const [row] = await tx<{ id: number; options: CarrierOptions | null }[]>`
      INSERT INTO smpp_part_groups (account_id, source, phone, reference, total, id, expires_at, carrier_options)
      VALUES (${accountId}, ${source}, ${phone}, ${reference}, ${total}, ${ids.next()}, ${expiresAt},
        ${options ? tx.json(options) : null})
      ON CONFLICT ON CONSTRAINT smpp_part_groups_pkey DO UPDATE SET expires_at = excluded.expires_at
      RETURNING id, carrier_options AS options`;
    return { accountId, id: row!.id, source, phone, options: row!.options };
  }

  async #insert(
    tx: TransactionSql,
    group: PartGroup,
    message: NewPart,
    part: Pick<StoredPart, 'sequence' | 'charset' | 'octets'>,
  ): Promise<number> {
    const id = this.#deps.ids.next();
    const { accountId } = group;
    await tx`
      INSERT INTO smpp_messages (account_id, id, phone, client_id, source, source_ton, source_npi, destination,
        destination_ton, destination_npi, registered_delivery, submitted_at, part_group, part_number, part_octets,
        part_charset)
      VALUES (${accountId}, ${id}, ${message.phone}, ${message.clientId}, ${message.source}, ${message.sourceTon},
        ${message.sourceNpi}, ${message.destination}, ${message.destinationTon}, ${message.destinationNpi},
        ${message.registeredDelivery}, ${message.submittedAt}, ${group.id}, ${part.sequence},
        ${tx.waitingText(accountId, part.octets)}, ${part.charset})`;
    return id;
  }

  /** Deletes a message with its parts, which get receipts with a status. */
  async #giveUp(tx: TransactionSql, { accountId, id }: PartGroup, ended: number): Promise<void> {
    const at = this.#deps.clock.now();
    const rows = await tx<Omit<EndedRow, 'status' | 'at'>[]>`
      DELETE FROM smpp_messages s WHERE s.account_id = ${accountId} AND s.part_group = ${id}
      RETURNING ${endedColumns(tx)}`;
    await tx`DELETE FROM smpp_part_groups WHERE account_id = ${accountId} AND id = ${id}`;
    await this.#deps.messages.deliverReceipts(
      tx,
      accountId,
      rows.map((row) => ({ ...row, status: ended, at })),
    );
  }
}

async function partsOf(sql: Queryable, { accountId, id }: PartGroup): Promise<StoredPart[]> {
  return sql<StoredPart[]>`
    SELECT id, part_number AS sequence, part_charset AS charset, part_octets AS octets FROM smpp_messages
    WHERE account_id = ${accountId} AND part_group = ${id} ORDER BY part_number`;
}

/** Returns a message if all of its parts are there. */
function whole(
  { options, ...group }: LockedGroup,
  parts: readonly StoredPart[],
  total: number,
): CompleteMessage | undefined {
  if (parts.length < total) return undefined;
  return {
    group,
    options: options ?? undefined,
    parts: parts.map(({ sequence, charset, octets }) => ({
      sequence,
      charset,
      dataCoding: 0,
      octets: Buffer.from(octets, 'hex'),
    })),
  };
}
