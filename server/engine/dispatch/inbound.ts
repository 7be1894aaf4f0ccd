import { TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import type { IdSource } from '../../kit/ids.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { type Logger, maskNumber } from '../../kit/observability/log.ts';
import { type Charset, joinParts } from '../../kit/text/charsets.ts';
import type { Blacklist } from '../../modules/audience/blacklist.ts';
import { removalsTotal } from '../../modules/audience/metrics.ts';
import type { AsksRemoval } from '../../modules/audience/removal-words.ts';
import { type Consents, withdrawal } from '../../modules/consents/consents.ts';
import type { Conversations } from '../../modules/conversations/conversations.ts';
import type { CarrierIncoming, CarrierIncomingPart } from '../carriers/carrier.ts';
import type { Events } from '../events/events.ts';
import { incomingTotal } from './metrics.ts';

const DAY = 86_400_000;
/** Account of incoming messages to numbers without an owner. */
const NOBODY = 0;

interface InboundDeps {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: Logger;
  readonly numbers: NumberReader;
  /** Owner of numbers that no account owns: the demo account in the sandbox, else undefined. */
  readonly fallbackAccount: () => number | undefined;
  readonly blacklist: Blacklist;
  readonly asksRemoval: AsksRemoval;
  readonly conversations: Conversations;
  readonly consents: Pick<Consents, 'recordWithin'>;
}

interface PartRow {
  sequence: number;
  octets: Buffer;
  /** The octets in hexadecimal, if they are encrypted; empty when their key is lost. */
  sealed: string | null;
  charset: Charset;
  data_coding: number;
  source_port: number | null;
  destination_port: number | null;
}

/**
 * Stores messages from phones, for the account of the destination number. A sender who asks to be removed is added to
 * that account's blacklist in the same transaction.
 */
export class Inbound {
  readonly #deps: InboundDeps;

  constructor(deps: InboundDeps) {
    this.#deps = deps;
  }

  /** Stores a complete message. Resolves when it is durable. */
  async whole(message: CarrierIncoming): Promise<void> {
    await this.#store(message);
  }

  /**
   * Stores a part of a long message, and the whole message with the last missing part. Parts may arrive in any order,
   * and repeatedly. Resolves when it is durable.
   */
  async part(connector: string, part: CarrierIncomingPart): Promise<void> {
    const { sql, clock, numbers } = this.#deps;
    const octets = Buffer.from(part.octets);
    const accountId = await this.#ownerOf(sql, numbers.parse(part.to)?.digits ?? part.to);
    const stored = sql.waitingText(accountId, octets.toString('hex'));
    const sealed = typeof stored === 'string' ? null : stored;
    await sql`
      INSERT INTO incoming_parts (link, source, destination, reference, total, sequence, octets, sealed, charset,
        data_coding, source_port, destination_port, at)
      VALUES (${connector}, ${part.from}, ${part.to}, ${part.reference}, ${part.total}, ${part.sequence},
        ${sealed ? Buffer.alloc(0) : octets}, ${sealed}, ${part.charset}, ${part.dataCoding}, ${part.ports?.source ?? null},
        ${part.ports?.destination ?? null}, ${clock.now()})
      ON CONFLICT ON CONSTRAINT incoming_parts_pkey DO UPDATE SET octets = excluded.octets, sealed = excluded.sealed,
        charset = excluded.charset, data_coding = excluded.data_coding, at = excluded.at`;
    const rows = await sql<{ sequence: number }[]>`
      SELECT sequence FROM incoming_parts
      WHERE link = ${connector} AND source = ${part.from} AND destination = ${part.to} AND reference = ${part.reference}
        AND total = ${part.total}`;
    if (rows.length >= part.total) await this.#storeParts(connector, part);
  }

  /**
   * Stores incomplete messages after a day without the missing part: a message with a gap is better than none at all.
   */
  async giveUpWaiting(): Promise<void> {
    const rows = await this.#deps.sql<
      { connector: string; source: string; destination: string; reference: number; total: number }[]
    >`
      SELECT link AS connector, source, destination, reference, total FROM incoming_parts
      GROUP BY link, source, destination, reference, total HAVING max(at) < ${this.#deps.clock.now() - DAY}`;
    for (const { connector, source, destination, reference, total } of rows) {
      await this.#storeParts(connector, { from: source, to: destination, reference, total });
    }
  }

  async #storeParts(
    connector: string,
    key: Pick<CarrierIncomingPart, 'from' | 'to' | 'reference' | 'total'>,
  ): Promise<void> {
    const { sql } = this.#deps;
    const accountId = await sql.begin(async (tx) => {
      const taken = await tx<PartRow[]>`
        DELETE FROM incoming_parts
        WHERE link = ${connector} AND source = ${key.from} AND destination = ${key.to} AND reference = ${key.reference}
          AND total = ${key.total}
        RETURNING sequence, octets, sealed, charset, data_coding, source_port, destination_port`;
      // Another connection stored the same last part first.
      if (taken.length === 0) return NOBODY;
      const joined = joinParts(
        taken.map(({ data_coding: dataCoding, sealed, octets, ...row }) => {
          return { ...row, dataCoding, octets: sealed === null ? octets : Buffer.from(sealed, 'hex') };
        }),
      );
      const { source_port: source, destination_port: destination } = taken[0]!;
      const ports = source !== null && destination !== null && { ports: { source, destination } };
      return this.#insert(tx, { from: key.from, to: key.to, ...joined, ...ports });
    });
    this.#announce(accountId);
  }

  async #store(message: CarrierIncoming): Promise<void> {
    this.#announce(await this.#deps.sql.begin((tx) => this.#insert(tx, message)));
  }

  #announce(accountId: number): void {
    if (accountId !== NOBODY) this.#deps.conversations.announce(accountId);
  }

  /** Stores a message, and returns the account that owns it. */
  async #insert(tx: TransactionSql, { from, to, text, binary, ports }: CarrierIncoming): Promise<number> {
    const { ids, events, clock, numbers, log, conversations } = this.#deps;
    const destination = numbers.parse(to)?.digits ?? to;
    const accountId = await this.#ownerOf(tx, destination);
    if (accountId === NOBODY)
      log.warn({ to: maskNumber(destination) }, 'incoming message to an unassigned number');
    const at = clock.now();
    const id = ids.next();
    const source = numbers.parse(from)?.digits ?? from;
    // PostgreSQL does not allow NUL in texts, and phones do not need it.
    const clean = text.replaceAll('\0', '');
    const kept = tx.keptText(accountId, clean);
    // The text also contains the bytes, in hexadecimal.
    const octets = binary && kept === clean ? Buffer.from(binary.octets) : null;
    await tx`
      INSERT INTO incoming (account_id, id, source, destination, text, octets, data_coding, source_port,
        destination_port, text_removed)
      VALUES (${accountId}, ${id}, ${source}, ${destination}, ${kept ?? ''}, ${octets}, ${binary?.dataCoding ?? null},
        ${ports?.source ?? null}, ${ports?.destination ?? null}, ${kept === null ? true : null})`;
    incomingTotal.inc();
    const data = { message_id: id, source, destination, message: clean };
    await events.record(tx, accountId, [{ type: 'sms.incoming', at, data }]);
    await this.#removeIfAsked(tx, accountId, from, clean);
    if (accountId !== NOBODY) {
      const about = { channel: TEXT_CHANNEL, sender: destination, client: source, name: '', messageId: id };
      await conversations.received(tx, accountId, { ...about, type: 'text', text: clean, isWritten: true });
    }
    return accountId;
  }

  async #removeIfAsked(tx: TransactionSql, accountId: number, from: string, text: string): Promise<void> {
    const { asksRemoval, blacklist, consents, numbers } = this.#deps;
    if (accountId === NOBODY || !asksRemoval(text)) return;
    const phone = numbers.parse(from)?.digits;
    if (phone === undefined) return;
    const added = await blacklist.addWithin(tx, accountId, [phone]);
    if (added.length === 0) return;
    removalsTotal.inc({ by: 'reply' });
    await consents.recordWithin(tx, accountId, [
      { ...withdrawal, subject: phone, channel: 'any', source: 'keyword', evidence: { text } },
    ]);
  }

  async #ownerOf(sql: Queryable, number: string): Promise<number> {
    const [row] = await sql<{ account_id: number }[]>`
      SELECT account_id FROM inbound_numbers WHERE number = ${number}`;
    return row?.account_id ?? this.#deps.fallbackAccount() ?? NOBODY;
  }
}
