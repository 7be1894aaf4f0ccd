import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { Events } from '../events/events.ts';
import type { IdSource } from '../ids.ts';
import { SharedWork } from '../loop.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import type { SecretTexts } from '../messages/secret-text.ts';
import { startShipments } from '../messages/start-shipments.ts';
import type { Logger } from '../observability/log.ts';
import { own } from '../owners.ts';
import {
  type ClaimedBatch,
  claimBatches,
  findDue,
  type LoadedBatch,
  loadBatches,
  renewLeases,
} from './batches.ts';

// What is in memory is counted by route: one that is slow or stands still holds nothing up but itself.
// Messages of a lane in memory below which more are fetched. At 20,000 a second 1,000 are 50 ms of work, which is ten
// times as long as fetching the next ones takes.
const LOW_WATER = 1_000;
// Of one account, so that there is room for others.
const MAX_ACCOUNT = 1_000;
// Of all accounts of a lane: when this is in memory, those who have nothing there wait too.
const MAX_LANE = 20_000;
const CLAIM = 2;
// Batches of singles hold a few messages each: more of them at a time.
const CLAIM_SINGLES = 20;
const SCAN_MS = 1_000;
const RETRY_MS = 200;
// Hints are gathered this long: what is accepted in it is claimed and read together.
const GATHER_MS = 5;
// While a route of an account is full, hints have its other routes looked at again after this.
const LOOK_AGAIN_MS = 50;

interface LoaderDeps {
  readonly sql: Sql;
  /** For leases (see database/connection.ts). */
  readonly asyncCommitSql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: Events;
  readonly secretTexts: SecretTexts;
  /** Names this process in leases. */
  readonly owner: string;
  /** Routes that this process can send on now. */
  readonly routes: () => readonly string[];
  /** Messages of a route that wait in memory: of a lane, or of one account in it. */
  readonly waiting: (route: string, lane: Lane, accountId?: number) => number;
  /** Whether a batch is in memory, or its end is not stored yet. */
  readonly isMine: (batchId: number) => boolean;
  /** Takes what was read. */
  readonly deliver: (batches: readonly LoadedBatch[]) => void;
}

/** An account that may have due batches in a lane. */
interface Due {
  /** On these routes; null: on any. */
  routes: readonly string[] | null;
  /** When it was learned, monotonic milliseconds. */
  readonly since: number;
}

/**
 * Brings due batches from the database into memory: never more than is soon submitted, account after account, and keeps
 * their leases. Who has work is learned from hints and from a scan of every second.
 */
export class Loader {
  readonly #deps: LoaderDeps;
  readonly #due: Map<number, Due>[] = Object.values(lanes).map(() => new Map());
  readonly #loading = new Map<string, Promise<void>>();
  readonly #scanning = new SharedWork('due scan', () => this.#scan());
  #nextScan = 0;
  #gathering: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
  }

  /** There is work of this account in this lane. */
  hint(accountId: number, lane: Lane): void {
    this.#learn(accountId, lane, LOOK_AGAIN_MS);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.fill();
    }, GATHER_MS);
  }

  /** Fetches nothing more; fulfilled when what is being fetched has been delivered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#gathering);
    await Promise.all(this.#loading.values());
  }

  /** Fetches more where there is room. Cheap when there is nothing to do. */
  fill(): void {
    if (this.#stopped) return;
    for (const lane of Object.values(lanes)) {
      const due = this.#due[lane]!;
      if (due.size === 0) continue;
      const totals = new Map<string, number>();
      for (const [accountId, known] of due) {
        const key = `${lane}/${accountId}`;
        if (this.#loading.has(key)) continue;
        known.routes ??= this.#deps.routes();
        const open = known.routes.filter((route) => this.#hasRoom(totals, route, lane, accountId));
        if (open.length === 0) continue;
        // Off the list before the look: a hint that comes meanwhile puts it back. Routes that are full are looked at
        // when they have room, and the account goes to the end of the line: the next fetch is another's.
        due.delete(accountId);
        const full = known.routes.filter((route) => !open.includes(route));
        if (full.length > 0) due.set(accountId, { routes: full, since: known.since });
        const loading = this.#load(accountId, lane, open).finally(() => {
          this.#loading.delete(key);
        });
        this.#loading.set(key, loading);
        if (this.#loading.size >= 4) return;
      }
    }
  }

  /** Looks for due work of all accounts, at most once a second, and less often where the look itself is slow. */
  async scan(now = performance.now()): Promise<void> {
    if (this.#stopped || now < this.#nextScan) return;
    try {
      await this.#scanning.run();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'could not look for due messages');
    }
  }

  /** Looks now. */
  async scanNow(): Promise<void> {
    this.#nextScan = 0;
    await this.scan();
  }

  async #scan(): Promise<void> {
    const started = performance.now();
    try {
      const rows = await findDue(this.#deps.sql, this.#deps.clock.now());
      for (const { account_id, lane } of rows) this.#learn(account_id, lane, 0);
      this.fill();
    } finally {
      const took = performance.now() - started;
      this.#nextScan = performance.now() + Math.max(SCAN_MS, took * 20);
    }
  }

  /** An account is due on every route, unless that was learned less than `quietMs` ago. */
  #learn(accountId: number, lane: Lane, quietMs: number): void {
    const due = this.#due[lane]!;
    const known = due.get(accountId);
    const now = performance.now();
    if (known && (known.routes === null || now - known.since < quietMs)) return;
    due.set(accountId, { routes: null, since: now });
  }

  /** Whether more of an account may be fetched. `totals` has what waits in the lane, by route. */
  #hasRoom(totals: Map<string, number>, route: string, lane: Lane, accountId: number): boolean {
    const { waiting } = this.#deps;
    const all = totals.get(route) ?? waiting(route, lane);
    totals.set(route, all);
    // Above the mark only those who have nothing in memory yet: their turn does not wait for another's campaign.
    const most = all < LOW_WATER ? MAX_ACCOUNT : 1;
    return all < MAX_LANE && waiting(route, lane, accountId) < most;
  }

  async #load(accountId: number, lane: Lane, open: readonly string[]): Promise<void> {
    const { deliver, log } = this.#deps;
    try {
      // Delivered out here: what is read by one that was given up may be another's already.
      const batches = await own('loader', () => this.#fetch(accountId, lane, open));
      if (batches.length > 0) deliver(batches);
    } catch (error) {
      // What was claimed is claimed again when its lease runs out.
      log.warn({ err: error, accountId }, 'due messages could not be read');
    }
  }

  async #fetch(accountId: number, lane: Lane, open: readonly string[]): Promise<LoadedBatch[]> {
    const { asyncCommitSql, clock, owner, isMine } = this.#deps;
    const limit = lane === lanes.bulk ? CLAIM : CLAIM_SINGLES;
    const claimed = await claimBatches(asyncCommitSql, owner, clock.now(), accountId, lane, open, limit);
    if (claimed.length === limit) this.#learn(accountId, lane, 0);
    // While the database was away longer than a lease lasts, our own have become free to be claimed.
    const fresh = claimed.filter((batch) => !isMine(batch.id));
    return fresh.length > 0 ? this.#read(accountId, fresh) : [];
  }

  /**
   * Reads what was claimed. When the database goes away in between, it tries again, with those batches that are still
   * ours then: nobody else would look at them until their lease runs out.
   */
  async #read(accountId: number, claimed: readonly ClaimedBatch[]): Promise<LoadedBatch[]> {
    const { sql, clock, owner } = this.#deps;
    let mine = claimed;
    for (let isFirst = true; ; isFirst = false) {
      try {
        if (!isFirst) {
          const batchIds = mine.map((batch) => batch.id);
          const ours = await renewLeases(sql, owner, clock.now(), accountId, batchIds);
          mine = mine.filter((batch) => ours.has(batch.id));
        }
        const held = mine.flatMap((batch) => batch.held_shipment_id ?? []);
        if (held.length > 0) await this.#start(accountId, [...new Set(held)]);
        return await loadBatches(sql, accountId, mine, this.#deps);
      } catch (error) {
        if (this.#stopped || !isDatabaseTrouble(error)) throw error;
        await pause(RETRY_MS);
      }
    }
  }

  async #start(accountId: number, shipmentIds: readonly number[]): Promise<void> {
    const { sql, ids, clock, events } = this.#deps;
    // Most have begun long ago: no transaction for those.
    const waiting = await sql`
      SELECT id FROM shipments
      WHERE account_id = ${accountId} AND id = ANY(${numbers(shipmentIds)}::bigint[]) AND state = 0 LIMIT 1`;
    if (waiting.length === 0) return;
    const pending = await sql.begin(async (tx) => {
      const blocked = await startShipments(tx, ids, clock.now(), accountId, shipmentIds);
      return events.record(tx, accountId, blocked);
    });
    pending.committed();
  }

  /** Renews the leases of what is in memory; returns the batches that were lost to another process. */
  async renew(batches: readonly LoadedBatch[]): Promise<LoadedBatch[]> {
    const byAccount = Map.groupBy(batches, (batch) => batch.accountId);
    const lost = await Promise.all(
      [...byAccount].map(async ([accountId, mine]) => {
        const { asyncCommitSql, owner, clock } = this.#deps;
        const ours = await renewLeases(
          asyncCommitSql,
          owner,
          clock.now(),
          accountId,
          mine.map((batch) => batch.id),
        );
        return mine.filter((batch) => !ours.has(batch.id));
      }),
    );
    return lost.flat();
  }
}
