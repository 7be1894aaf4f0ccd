import { setTimeout as pause } from 'node:timers/promises';
import { numbers, texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { type IdSource, idFloor } from '../../kit/ids.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { supervise } from '../../kit/owners.ts';
import { status } from '../../kit/statuses.ts';
import { type IdForm, normaliseId, receiptIdCandidates } from '../../protocols/smpp/message-id.ts';
import type { CarrierReceipt } from '../carriers/carrier.ts';
import { unmatchedReceipts } from './metrics.ts';
import type { Recorder } from './recorder.ts';

// Ids of the last 25,000 to 50,000 messages stay in memory, about 10 MB: most receipts arrive within seconds, and find
// their message without a query. There are two generations, and the older one is dropped as a whole: removing the
// oldest entries from a single Map took a third of the CPU, since it keeps holes and iterates over them.
const GENERATION = 25_000;
const GATHER_MS = 5;
const DAY = 86_400_000;
/** carrier_messages is kept for three weeks, so older messages are not searched. */
const LOOK_BACK = 21 * DAY;
// Pauses before a receipt of an unknown message is looked up again, since its row may not be stored yet. After the last
// one it is dropped.
const EARLY_PAUSES = [1, 2, 5, 15, 60, 300, 1_800, 7_200].map((seconds) => seconds * 1_000);

/** Maximum number of early receipts in memory; the oldest are removed. */
const MAX_EARLY = 20_000;

interface Target {
  readonly accountId: number;
  readonly messageId: number;
  /** 0 for the whole message, otherwise the part from 1. */
  readonly part: number;
  readonly phone: string;
}

/** A receipt in early_receipts whose message this process may learn of. */
interface EarlyReceipt {
  readonly id: number;
  readonly receipt: CarrierReceipt;
  /** Whether its row is stored. */
  isKept: boolean;
  /** Whether it was applied to its message. */
  isApplied: boolean;
  /** Whether its update is stored with its message. */
  isOver: boolean;
}

interface Lookup {
  readonly connector: string;
  readonly receipt: CarrierReceipt;
  /** 0 when it comes from a carrier, otherwise the number of earlier lookups. */
  readonly attempt: number;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Assigns receipts to their messages, for any form of the carrier's ids and in any order of arrival. */
export class Receipts {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  readonly #log: Logger;
  #recent = new Map<string, Target>();
  #older = new Map<string, Target>();
  readonly #forms = new Map<string, IdForm>();
  /**
   * Receipts that arrived before the answer to their submit, keyed by every form of their id. They are also in
   * early_receipts.
   */
  readonly #early = new Map<string, { readonly early: EarlyReceipt; readonly form: IdForm }[]>();
  #lookups: Lookup[] = [];
  #looking: Promise<void> | undefined;

  constructor(deps: { sql: Sql; ids: IdSource; clock: Clock; recorder: Recorder; log: Logger }) {
    this.#sql = deps.sql;
    this.#ids = deps.ids;
    this.#clock = deps.clock;
    this.#recorder = deps.recorder;
    this.#log = deps.log;
  }

  /** Reads the form of a connector's message ids that was learned earlier. */
  async learned(connector: string): Promise<void> {
    const [row] = await this.#sql<
      { id_form: IdForm | null }[]
    >`SELECT id_form FROM links WHERE name = ${connector}`;
    if (row?.id_form) this.#forms.set(connector, row.id_form);
  }

  /** Remembers the ids that a carrier gave to a message's parts. Returns them as keys for the recorder. */
  expect(connector: string, carrierIds: readonly string[], target: Omit<Target, 'part'>): string[] {
    const keys = carrierIds.map(normaliseId);
    for (const [index, key] of keys.entries()) {
      const known = { ...target, part: keys.length === 1 ? 0 : index + 1 };
      this.#recent.set(`${connector}\0${key}`, known);
      if (this.#early.size > 0) this.#applyEarly(connector, key, known);
    }
    if (this.#recent.size >= GENERATION) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    return keys;
  }

  /** Resolves when the receipt is stored: with its message, or among the early receipts. */
  receipt(connector: string, receipt: CarrierReceipt): Promise<void> {
    return new Promise((done, failed) => {
      this.#look({ connector, receipt, attempt: 0, done, failed });
    });
  }

  /** Applies a receipt to a recent message without a query. Returns false when no recent message matches. */
  #applyRecent({ connector, receipt, done }: Lookup): boolean {
    const known = this.#forms.get(connector);
    for (const { form, key } of receiptIdCandidates(receipt.carrierId, known)) {
      const target = this.#find(`${connector}\0${key}`);
      if (!target || !isFor(target.phone, receipt, form === known)) continue;
      this.#learn(connector, form);
      this.#apply(connector, target, receipt, done);
      return true;
    }
    return false;
  }

  /**
   * Applies early receipts of this id to their message in the order of their arrival, before later ones: the first
   * final status stays.
   */
  #applyEarly(connector: string, key: string, target: Target): void {
    const waiting = this.#early.get(`${connector}\0${key}`) ?? [];
    this.#early.delete(`${connector}\0${key}`);
    for (const { early, form } of waiting) {
      if (early.isApplied || !isFor(target.phone, early.receipt, form === this.#forms.get(connector)))
        continue;
      early.isApplied = true;
      this.#learn(connector, form);
      this.#apply(connector, target, early.receipt, () => {
        early.isOver = true;
        if (early.isKept) this.#forget(connector, [early.id]);
      });
    }
  }

  /** Deletes early receipts that were applied. */
  #forget(connector: string, ids: readonly number[]): void {
    const remove = async () =>
      this.#sql`DELETE FROM early_receipts WHERE link = ${connector} AND id = ANY(${numbers(ids)}::bigint[])`;
    supervise('receipts', remove).catch((error: unknown) => {
      this.#log.warn({ err: error, link: connector }, 'an early receipt that was applied is still kept');
    });
  }

  #remember({ connector, receipt }: Lookup, id: number): EarlyReceipt {
    const early: EarlyReceipt = { id, receipt, isKept: false, isApplied: false, isOver: false };
    for (const { form, key } of receiptIdCandidates(receipt.carrierId, this.#forms.get(connector))) {
      const at = `${connector}\0${key}`;
      const others = this.#early.get(at);
      if (others) others.push({ early, form });
      else this.#early.set(at, [{ early, form }]);
    }
    for (const oldest of this.#early.keys()) {
      if (this.#early.size <= MAX_EARLY) break;
      this.#early.delete(oldest);
    }
    return early;
  }

  #find(key: string): Target | undefined {
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  /** Looks up the messages of early receipts again. Runs every second. */
  async retryEarly(): Promise<void> {
    const now = this.#clock.now();
    const rows = await this.#sql<
      {
        link: string;
        id: number;
        carrier_id: string;
        destination: string;
        status: number;
        code: string;
        attempt: number;
      }[]
    >`
      UPDATE early_receipts SET next_at = ${now + 60_000}
      WHERE (link, id) IN (
        SELECT link, id FROM early_receipts WHERE next_at <= ${now} ORDER BY next_at LIMIT 500 FOR UPDATE SKIP LOCKED)
      RETURNING link, id, carrier_id, destination, status, code, attempt`;
    await Promise.all(
      rows.map(async (row) => {
        const receipt = {
          carrierId: row.carrier_id,
          destination: row.destination,
          status: row.status,
          code: row.code,
        };
        await new Promise<void>((done, failed) => {
          this.#look({ connector: row.link, receipt, attempt: row.attempt + 1, done, failed });
        });
        // A receipt whose message is still unknown has a new row with the next pause.
        await this.#sql`DELETE FROM early_receipts WHERE link = ${row.link} AND id = ${row.id}`;
      }),
    );
  }

  async drain(): Promise<void> {
    await this.#looking;
  }

  #apply(connector: string, target: Target, receipt: CarrierReceipt, stored: () => void): void {
    const isDelivered = receipt.status === status.delivered;
    this.#recorder.add(
      {
        accountId: target.accountId,
        messageId: target.messageId,
        phone: target.phone,
        connector,
        code: receipt.code,
        delivered: isDelivered ? (target.part === 0 ? -1 : 1 << (target.part - 1)) : 0,
        failure: isDelivered || receipt.status === status.sent ? null : receipt.status,
      },
      stored,
    );
  }

  #look(lookup: Lookup): void {
    if (this.#applyRecent(lookup)) return;
    this.#lookups.push(lookup);
    this.#looking ??= this.#lookUp();
  }

  async #lookUp(): Promise<void> {
    await pause(GATHER_MS);
    while (this.#lookups.length > 0) {
      const lookups = this.#lookups.splice(0, 500);
      try {
        await supervise('receipts', () => this.#lookUpGroup(lookups));
      } catch (error) {
        // The carrier learns that the receipts were not stored, and sends them again.
        for (const lookup of lookups) lookup.failed(error);
      }
    }
    this.#looking = undefined;
  }

  async #lookUpGroup(lookups: readonly Lookup[]): Promise<void> {
    const candidates = lookups.flatMap((lookup, index) =>
      receiptIdCandidates(lookup.receipt.carrierId, this.#forms.get(lookup.connector)).map((candidate) => ({
        index,
        connector: lookup.connector,
        ...candidate,
      })),
    );
    const rows = await this.#sql<
      { n: number; account_id: number; message_id: number; part: number; phone: string }[]
    >`
      SELECT u.n, c.account_id, c.message_id, c.part, c.phone
      FROM unnest(
        ${numbers(candidates.map((_, n) => n))}::integer[], ${texts(candidates.map(({ key }) => key))}::text[],
        ${texts(candidates.map(({ connector }) => connector))}::text[]
      ) AS u (n, key, link)
      JOIN carrier_messages c ON c.carrier_id = u.key AND c.link = u.link
      WHERE c.message_id >= ${idFloor(this.#clock.now() - LOOK_BACK)}
      ORDER BY u.n, c.message_id DESC`;
    const found = new Set<number>();
    for (const row of rows) {
      const { index, form } = candidates[row.n]!;
      const { connector, receipt, done } = lookups[index]!;
      if (found.has(index) || !isFor(row.phone, receipt, form === this.#forms.get(connector))) continue;
      found.add(index);
      this.#learn(connector, form);
      const target = {
        accountId: row.account_id,
        messageId: row.message_id,
        part: row.part,
        phone: row.phone,
      };
      this.#apply(connector, target, receipt, done);
    }
    const missing = lookups.filter((_, index) => !found.has(index));
    if (missing.length > 0) await this.#keep(missing);
    for (const lookup of missing) lookup.done();
  }

  /** Stores receipts of unknown messages for another lookup, or drops them after the last one. */
  async #keep(lookups: readonly Lookup[]): Promise<void> {
    const now = this.#clock.now();
    const kept = lookups.filter(({ attempt }) => attempt < EARLY_PAUSES.length);
    const lost = lookups.length - kept.length;
    if (lost > 0) {
      unmatchedReceipts.inc({ outcome: 'lost' }, lost);
      this.#log.warn(
        { links: [...new Set(lookups.map(({ connector }) => connector))], lost },
        'discarded receipts of unknown messages',
      );
    }
    if (kept.length === 0) return;
    unmatchedReceipts.inc({ outcome: 'early' }, kept.filter(({ attempt }) => attempt === 0).length);
    const ids = kept.map(() => this.#ids.next());
    // Remembered before they are stored, since the answer to their submit may arrive in between.
    const early = kept.map((lookup, index) => ({
      connector: lookup.connector,
      receipt: lookup.attempt === 0 ? this.#remember(lookup, ids[index]!) : undefined,
    }));
    await this.#sql`
      INSERT INTO early_receipts (link, id, carrier_id, destination, status, code, next_at, attempt)
      SELECT * FROM unnest(
        ${texts(kept.map(({ connector }) => connector))}::text[], ${numbers(ids)}::bigint[],
        ${texts(kept.map(({ receipt }) => receipt.carrierId))}::text[],
        ${texts(kept.map(({ receipt }) => receipt.destination))}::text[],
        ${numbers(kept.map(({ receipt }) => receipt.status))}::smallint[],
        ${texts(kept.map(({ receipt }) => receipt.code))}::text[],
        ${numbers(kept.map(({ attempt }) => now + EARLY_PAUSES[attempt]!))}::bigint[],
        ${numbers(kept.map(({ attempt }) => attempt))}::smallint[])`;
    for (const { connector, receipt } of early) {
      if (!receipt) continue;
      receipt.isKept = true;
      if (receipt.isOver) this.#forget(connector, [receipt.id]);
    }
  }

  #learn(connector: string, form: IdForm): void {
    if (this.#forms.get(connector) === form) return;
    this.#forms.set(connector, form);
    this.#log.info({ link: connector, form }, 'learned how the message ids of receipts are written');
    const keep = async () => this.#sql`
      INSERT INTO links (name, id_form) VALUES (${connector}, ${form})
      ON CONFLICT (name) DO UPDATE SET id_form = excluded.id_form`;
    supervise('receipts', keep).catch((error: unknown) => {
      this.#log.warn(
        { err: error, link: connector },
        'form of message ids not stored, it is learned again after a restart',
      );
    });
  }
}

/**
 * Whether a receipt can be for a message to `phone`. Until the connector's form of ids has been learned, the numbers
 * must match: a decimal id read as hexadecimal may be another message's. Carriers write numbers with and without their
 * prefix.
 */
function isFor(phone: string, receipt: CarrierReceipt, formIsKnown: boolean): boolean {
  // The number of a message is empty when its recipient was erased.
  if (formIsKnown || receipt.destination === '' || phone === '') return true;
  return receipt.destination.slice(-8) === phone.slice(-8);
}
