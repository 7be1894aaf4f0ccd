import { numbers, texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { BatchedLookup } from '../../kit/batched-lookup.ts';
import type { Clock } from '../../kit/clock.ts';
import { type IdSource, idFloor } from '../../kit/ids.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { supervise } from '../../kit/owners.ts';
import { status } from '../../kit/statuses.ts';
import { type IdForm, normaliseId, receiptIdCandidates } from '../../protocols/smpp/message-id.ts';
import type { CarrierReceipt } from '../carriers/carrier.ts';
import { EarlyStore } from './early-store.ts';
import { unmatchedReceipts } from './metrics.ts';
import type { Recorder } from './recorder.ts';

// Ids of the last 25,000 to 50,000 messages stay in memory, about 10 MB: most receipts arrive within seconds, and find
// their message without a query. There are two generations, and the older one is dropped as a whole: removing the
// oldest entries from a single Map took a third of the CPU, since it keeps holes and iterates over them.
const GENERATION = 25_000;
const GATHER_MS = 5;
/** Maximum receipts of one look-up. */
const GROUP = 500;
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

/** A row of early_receipts. */
interface EarlyRow {
  readonly link: string;
  readonly id: number;
  readonly carrier_id: string;
  readonly destination: string;
  readonly status: CarrierReceipt['status'];
  readonly code: string;
  readonly is_reversed: boolean;
}

/** A receipt in early_receipts whose message this process may learn of. */
interface EarlyReceipt {
  readonly row: EarlyRow;
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
  /** Whether it is an early receipt that is looked up again. */
  readonly isEarly: boolean;
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
  readonly #earlyStore: EarlyStore<EarlyRow>;
  readonly #targets = new BatchedLookup({
    read: (lookups: readonly Lookup[]) => supervise('receipts', () => this.#lookUp(lookups)),
    maxKeys: GROUP,
    gatherMs: GATHER_MS,
  });

  constructor(deps: { sql: Sql; ids: IdSource; clock: Clock; recorder: Recorder; log: Logger }) {
    this.#sql = deps.sql;
    this.#ids = deps.ids;
    this.#clock = deps.clock;
    this.#recorder = deps.recorder;
    this.#log = deps.log;
    const { sql, clock } = deps;
    this.#earlyStore = new EarlyStore({
      ...{ sql, clock, pauses: EARLY_PAUSES },
      table: 'early_receipts',
      owner: 'link',
    });
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
  async receipt(connector: string, receipt: CarrierReceipt): Promise<void> {
    // If this fails, the carrier learns that the receipt was not stored, and sends it again.
    await this.#look({ connector, receipt, isEarly: false });
  }

  /** Stores a receipt with its message. Returns false if the message is unknown. */
  async #look(lookup: Lookup): Promise<boolean> {
    const target = this.#recentTarget(lookup) ?? (await this.#targets.get(lookup));
    if (!target) return false;
    return new Promise((resolve) => {
      this.#apply(lookup.connector, target, lookup.receipt, () => resolve(true));
    });
  }

  /** Finds a recent message without a query. */
  #recentTarget({ connector, receipt }: Lookup): Target | undefined {
    const known = this.#forms.get(connector);
    for (const { form, key } of receiptIdCandidates(receipt.carrierId, known)) {
      const target = this.#find(`${connector}\0${key}`);
      if (!target || !isFor(target.phone, receipt, form === known)) continue;
      this.#learn(connector, form);
      return target;
    }
    return undefined;
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
        if (early.isKept) this.#forget(early.row);
      });
    }
  }

  /** Deletes an early receipt that was applied. */
  #forget(row: EarlyRow): void {
    supervise('receipts', () => this.#earlyStore.remove([row])).catch((error: unknown) => {
      this.#log.warn({ err: error, link: row.link }, 'an early receipt that was applied is still kept');
    });
  }

  #remember({ connector, receipt }: Lookup, row: EarlyRow): EarlyReceipt {
    const early: EarlyReceipt = { row, receipt, isKept: false, isApplied: false, isOver: false };
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
    const lost = await this.#earlyStore.retry((rows) =>
      Promise.all(
        rows.map(
          ({ link, carrier_id: carrierId, destination, status: reported, code, is_reversed: isReversed }) => {
            const receipt = { carrierId, destination, status: reported, code, isReversed };
            return this.#look({ connector: link, receipt, isEarly: true });
          },
        ),
      ),
    );
    if (lost.length === 0) return;
    unmatchedReceipts.inc({ outcome: 'lost' }, lost.length);
    const connectors = [...new Set(lost.map(({ link }) => link))];
    this.#log.warn({ links: connectors, lost: lost.length }, 'discarded receipts of unknown messages');
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
        ...(receipt.isReversed && { refund: true, isReversed: true }),
      },
      stored,
    );
  }

  /** Returns the messages of receipts, and stores receipts of unknown messages for another look-up. */
  async #lookUp(lookups: readonly Lookup[]): Promise<Map<Lookup, Target>> {
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
    const found = new Map<Lookup, Target>();
    for (const { n, account_id: accountId, message_id: messageId, part, phone } of rows) {
      const { index, form } = candidates[n]!;
      const lookup = lookups[index]!;
      const { connector, receipt } = lookup;
      if (found.has(lookup) || !isFor(phone, receipt, form === this.#forms.get(connector))) continue;
      this.#learn(connector, form);
      found.set(lookup, { accountId, messageId, part, phone });
    }
    await this.#keep(lookups.filter((lookup) => !lookup.isEarly && !found.has(lookup)));
    return found;
  }

  /** Stores receipts of unknown messages for another look-up. */
  async #keep(lookups: readonly Lookup[]): Promise<void> {
    if (lookups.length === 0) return;
    unmatchedReceipts.inc({ outcome: 'early' }, lookups.length);
    // Remembered before they are stored, since the answer to their submit may arrive in between.
    const kept = lookups.map((lookup) => {
      const { carrierId, destination, status: reported, code, isReversed = false } = lookup.receipt;
      return this.#remember(lookup, {
        link: lookup.connector,
        id: this.#ids.next(),
        carrier_id: carrierId,
        destination,
        status: reported,
        code,
        is_reversed: isReversed,
      });
    });
    await this.#earlyStore.keep(kept.map(({ row }) => row));
    for (const early of kept) {
      early.isKept = true;
      if (early.isOver) this.#forget(early.row);
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
