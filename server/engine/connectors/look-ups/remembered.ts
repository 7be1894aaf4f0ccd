import { LRUCache } from 'lru-cache';
import { texts } from '../../../database/arrays.ts';
import { BatchedLookup } from '../../../kit/batched-lookup.ts';
import type { Context } from '../../../kit/context.ts';
import { WriteBehind } from '../../../kit/write-behind.ts';
import type { NumberFacts } from '../../../protocols/http-carrier/look-up.ts';

/** Numbers that this process keeps in memory, and for how long, in milliseconds. */
const MAX_KEPT = 50_000;
const KEPT_MS = 60_000;
/** Rows of one statement that deletes. */
const DELETED = 10_000;

/** Facts of a number, as they are stored. */
export interface RememberedNumber extends Omit<NumberFacts, 'validMs'> {
  /** End of its validity, in milliseconds since the epoch. */
  readonly validUntil: number;
}

interface Row {
  readonly phone: string;
  readonly mcc: string | null;
  readonly mnc: string | null;
  readonly ported: boolean | null;
  readonly reachable: boolean | null;
  readonly valid_until: number;
}

type RememberedDeps = Pick<Context, 'sql' | 'clock' | 'log'>;

/** Answers of look-ups (table `number_networks`), shared by all processes. */
export class RememberedNumbers {
  readonly #deps: RememberedDeps;
  /** Answers that this process has read, or looked up a moment ago. */
  readonly #kept = new LRUCache<string, RememberedNumber>({ max: MAX_KEPT, ttl: KEPT_MS });
  readonly #stored: BatchedLookup<string, RememberedNumber>;
  readonly #written: WriteBehind<{ readonly phone: string; readonly facts: RememberedNumber }>;

  constructor(deps: RememberedDeps) {
    this.#deps = deps;
    this.#stored = new BatchedLookup({ read: (phones) => this.#read(phones) });
    this.#written = new WriteBehind({
      owner: 'module number look-up',
      log: deps.log,
      store: (_all, numbers) => this.#write(numbers),
    });
  }

  /** Returns what is remembered of a number (E.164 digits); undefined for nothing. Rejects with errors of the database. */
  async find(phone: string): Promise<RememberedNumber | undefined> {
    return (await this.findAll([phone])).get(phone);
  }

  /** Returns what is remembered of numbers (E.164 digits). Rejects with errors of the database. */
  async findAll(phones: Iterable<string>): Promise<ReadonlyMap<string, RememberedNumber>> {
    const found = new Map<string, RememberedNumber>();
    const missing: string[] = [];
    const now = this.#deps.clock.now();
    for (const phone of new Set(phones)) {
      const kept = this.#kept.get(phone);
      if (kept && kept.validUntil > now) found.set(phone, kept);
      else missing.push(phone);
    }
    for (const [phone, facts] of missing.length > 0 ? await this.#stored.getAll(missing) : []) {
      this.#kept.set(phone, facts);
      found.set(phone, facts);
    }
    return found;
  }

  /** Remembers what was looked up of a number. It is stored a moment later. */
  add(phone: string, facts: RememberedNumber): void {
    this.#kept.set(phone, facts);
    this.#written.add(0, { phone, facts });
  }

  /** Deletes what is no longer valid. */
  async removeOld(): Promise<void> {
    const { sql, clock } = this.#deps;
    for (let count = DELETED; count === DELETED; ) {
      ({ count } = await sql`
        DELETE FROM number_networks WHERE phone IN (
          SELECT phone FROM number_networks WHERE valid_until < ${clock.now()} LIMIT ${DELETED})`);
    }
  }

  /** Stores what waits. */
  stop(): Promise<void> {
    return this.#written.stop();
  }

  async #read(phones: readonly string[]): Promise<ReadonlyMap<string, RememberedNumber>> {
    const { sql, clock } = this.#deps;
    const rows = await sql<Row[]>`
      SELECT phone, mcc, mnc, ported, reachable, valid_until FROM number_networks
      WHERE phone = ANY(${texts(phones)}::text[]) AND valid_until > ${clock.now()}`;
    return new Map(
      rows.map(({ phone, mcc, mnc, ported, reachable, valid_until: validUntil }) => [
        phone,
        { network: mcc === null || mnc === null ? null : { mcc, mnc }, ported, reachable, validUntil },
      ]),
    );
  }

  async #write(
    numbers: readonly { readonly phone: string; readonly facts: RememberedNumber }[],
  ): Promise<void> {
    // A statement cannot update a row twice: the last one of a number counts.
    const byPhone = new Map(numbers.map(({ phone, facts }) => [phone, facts]));
    const rows = [...byPhone].map(([phone, { network, ported, reachable, validUntil }]) => ({
      ...{ phone, mcc: network?.mcc ?? null, mnc: network?.mnc ?? null },
      ...{ ported, reachable, valid_until: validUntil },
    }));
    // In the order of the key, so that two processes do not wait for each other.
    await this.#deps.sql`
      INSERT INTO number_networks (phone, mcc, mnc, ported, reachable, valid_until)
      SELECT u.phone, u.mcc, u.mnc, u.ported, u.reachable, u.valid_until
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS u (phone text, mcc text, mnc text, ported boolean, reachable boolean, valid_until bigint)
      ORDER BY u.phone
      ON CONFLICT ON CONSTRAINT number_networks_pkey DO UPDATE SET mcc = excluded.mcc, mnc = excluded.mnc,
        ported = excluded.ported, reachable = excluded.reachable, valid_until = excluded.valid_until`;
  }
}
