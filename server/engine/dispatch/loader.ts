import { setTimeout as pause } from 'node:timers/promises';
import type { Channels } from '../../channels/contract/channels.ts';
import { numbers, rangeOf } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { DueLook } from '../../database/due-look.ts';
import { byPlacement, type Placement, type Placements } from '../../database/placements.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Clock } from '../../kit/clock.ts';
import type { IdSource } from '../../kit/ids.ts';
import { SharedWork } from '../../kit/loop.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Tracing } from '../../kit/observability/tracing/tracing.ts';
import { OwnerStuck, supervise } from '../../kit/owners.ts';
import type { Events } from '../events/events.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import type { SecretTexts } from '../messages/secret-text.ts';
import { shipmentStates } from '../messages/shipment-states.ts';
import { startShipments } from '../messages/start-shipments.ts';
import { loadBatches } from './batch-messages.ts';
import {
  type ClaimedBatch,
  claimBatches,
  dueBatches,
  findDue,
  type LoadedBatch,
  renewLeases,
} from './batches.ts';
import { storeRests } from './broken-leases.ts';
import { brokenLeases } from './metrics.ts';
import type { Permits } from './permits.ts';

// Messages in memory are counted by route, so that a slow or blocked route delays only itself. This is the number of
// messages of a lane in memory below which more are fetched. At 20,000 per second, 1,000 are 50 ms of work, ten times
// as long as fetching the next ones takes.
export const LOW_WATER = 1_000;
// Maximum messages in memory of one account, so that there is space for others.
const MAX_ACCOUNT = 1_000;
// Maximum messages in memory of all accounts of a lane; beyond it, accounts without any must wait too.
const MAX_LANE = 20_000;
// Batches per account, and accounts, of one claim. A batch has up to 500 messages.
const CLAIM = 2;
const CLAIM_ACCOUNTS = 20;
// The same for the lane of single messages, whose batches have a few messages each: more batches, and more accounts.
// The statement locks the rows that it examines, so with many accounts it takes fewer batches of each.
const CLAIM_SINGLES = 20;
const CLAIM_SINGLES_ALL = 400;
const CLAIM_SINGLES_ACCOUNTS = 500;
// Approximate number of messages of one claim.
const CLAIM_MESSAGES = 4_000;
// Milliseconds that the joint renewal of several accounts' leases waits for a batch that another transaction has
// locked.
const LOCK_MS = 250;
// Maximum parallel claims.
const MAX_CLAIMS = 4;
const SCAN_MS = 1_000;
const RETRY_MS = 200;
// Hints within this many milliseconds are grouped, so that work accepted together is claimed and read together.
const GATHER_MS = 5;
// While a route of an account is full, a hint rechecks its other routes after this many milliseconds.
const LOOK_AGAIN_MS = 50;

interface LoaderDeps {
  readonly channels: Channels;
  readonly sql: Sql;
  /** Connection for leases (see database/connection.ts). */
  readonly asyncCommitSql: Sql;
  readonly placements: Placements;
  readonly dueLook: DueLook;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: Events;
  readonly secretTexts: SecretTexts;
  readonly permits: Pick<Permits, 'refresh' | 'judge'>;
  readonly tracing?: Tracing | undefined;
  /** Identifies this process in leases. */
  readonly owner: string;
  /** Pause of batches whose lease was broken repeatedly, in milliseconds. */
  readonly copyPauseMs: number;
  /** Routes on which this process can send now. */
  readonly routes: () => readonly string[];
  /** Number of messages of a route in memory: of a lane, or of one account in it. */
  readonly waiting: (route: string, lane: Lane, accountId?: number) => number;
  /** Whether a batch is in memory, or its end is not stored yet. */
  readonly isMine: (batchId: number) => boolean;
  /** Receives the loaded batches. */
  readonly deliver: (batches: readonly LoadedBatch[]) => void;
}

/** An account that may have due batches in a lane. */
interface Due {
  /** Routes with due batches; null for any route. */
  routes: readonly string[] | null;
  /** Time at which this was learned, in monotonic milliseconds. */
  readonly since: number;
}

const accountIdsOf = (batches: readonly ClaimedBatch[]) => new Set(batches.map(({ accountId }) => accountId));

/** One claim, for accounts of one placement. */
interface Round {
  readonly lane: Lane;
  readonly routes: readonly string[];
  readonly accountIds: number[];
}

/** Result of a round. */
interface Fetched {
  readonly ready: readonly LoadedBatch[];
  /** Batches whose shipments must be started first, by account. */
  readonly starting: readonly (readonly ClaimedBatch[])[];
}

/**
 * Loads due batches from the database into memory, only as many as will be submitted soon, in turns by account, and
 * keeps their leases. It learns of accounts with work by hints and by a scan every second.
 */
export class Loader {
  readonly #deps: LoaderDeps;
  readonly #due: Map<number, Due>[] = Object.values(lanes).map(() => new Map());
  /** Accounts of each lane whose batches are being loaded. */
  readonly #busy: Set<number>[] = Object.values(lanes).map(() => new Set());
  readonly #loading = new Set<Promise<void>>();
  readonly #scanning = new SharedWork('due scan', () => this.#scan());
  /** Whether a scan would find due work. */
  readonly #isAnyDue: () => Promise<boolean>;
  #nextScan = 0;
  #gathering: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
    const { sql, clock, dueLook } = deps;
    this.#isAnyDue = dueLook.addDistributed(() => [dueBatches(sql, clock.now())]);
  }

  /** Called when an account has work in a lane. */
  hint(accountId: number, lane: Lane): void {
    this.#learn(accountId, lane, LOOK_AGAIN_MS);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.fill();
    }, GATHER_MS);
  }

  /** Whether an account may have unleased batches of this lane in the database. */
  isDue(accountId: number, lane: Lane): boolean {
    return this.#due[lane]!.has(accountId) || this.#busy[lane]!.has(accountId);
  }

  /** Returns the accounts of `isDue`; null if they are more than `most`. */
  dueIn(lane: Lane, most: number): number[] | null {
    const due = this.#due[lane]!;
    const busy = this.#busy[lane]!;
    return due.size + busy.size > most ? null : [...new Set([...due.keys(), ...busy])];
  }

  /** Stops loading. Resolves when the batches being loaded have been delivered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#gathering);
    while (this.#loading.size > 0) await Promise.all(this.#loading);
  }

  /** Loads more if there is capacity. Cheap when there is nothing to load. */
  fill(): void {
    if (this.#stopped) return;
    for (const lane of Object.values(lanes)) {
      for (const round of this.#roundsOf(lane)) {
        this.#track(
          this.#load(round).finally(() => {
            for (const accountId of round.accountIds) this.#busy[lane]!.delete(accountId);
          }),
        );
      }
    }
  }

  /** Groups the accounts of a lane that may be loaded now by placement and open routes. */
  #roundsOf(lane: Lane): Iterable<Round> {
    const due = this.#due[lane]!;
    const busy = this.#busy[lane]!;
    const rounds = new Map<string, Round>();
    if (due.size === 0) return [];
    const most = lane === lanes.bulk ? CLAIM_ACCOUNTS : CLAIM_SINGLES_ACCOUNTS;
    const totals = new Map<string, number>();
    for (const [accountId, known] of due) {
      if (busy.has(accountId)) continue;
      const placement = this.#placementOf(accountId);
      if (placement === undefined) continue;
      known.routes ??= this.#deps.routes();
      const open = known.routes.filter((route) => this.#hasRoom(totals, route, lane, accountId));
      if (open.length === 0) continue;
      const key = `${placement} ${open.join()}`;
      let round = rounds.get(key);
      if (!round) {
        if (this.#loading.size + rounds.size >= MAX_CLAIMS) break;
        round = { lane, routes: open, accountIds: [] };
        rounds.set(key, round);
      }
      if (round.accountIds.length === most) continue;
      round.accountIds.push(accountId);
      busy.add(accountId);
      // Removed before the query, so that a hint during the query adds it again. Full routes are queried when they have
      // capacity. The account moves to the end of the list, so that the next round serves another.
      due.delete(accountId);
      const full = known.routes.filter((route) => !open.includes(route));
      if (full.length > 0) due.set(accountId, { routes: full, since: known.since });
    }
    return rounds.values();
  }

  /** Undefined while the placement is queried; the lane is filled again afterwards. */
  #placementOf(accountId: number): Placement | undefined {
    const placement = this.#deps.placements.of(accountId);
    if (typeof placement === 'number') return placement;
    placement.then(
      () => this.fill(),
      (error: unknown) => this.#deps.log.warn({ err: error }, 'due messages wait for the database'),
    );
    return undefined;
  }

  /** Searches for due work of all accounts, at most once a second, and less often when the search itself is slow. */
  async scan(now = performance.now()): Promise<void> {
    if (this.#stopped || now < this.#nextScan) return;
    try {
      if (this.#nextScan === 0 || (await this.#isAnyDue())) await this.#scanning.run();
      else this.#nextScan = performance.now() + SCAN_MS;
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'due messages not looked up, next attempt within seconds');
    }
  }

  /** Searches immediately. */
  async scanNow(): Promise<void> {
    this.#nextScan = 0;
    await this.scan();
  }

  async #scan(): Promise<void> {
    const started = performance.now();
    try {
      const rows = await findDue(this.#deps.sql, this.#deps.clock.now());
      for (const { accountId, lane } of rows) this.#learn(accountId, lane, 0);
      this.fill();
    } finally {
      const took = performance.now() - started;
      this.#nextScan = performance.now() + Math.max(SCAN_MS, took * 20);
    }
  }

  /** Marks an account as due on every route, unless that was learned less than `quietMs` ago. */
  #learn(accountId: number, lane: Lane, quietMs: number): void {
    const due = this.#due[lane]!;
    const known = due.get(accountId);
    const now = performance.now();
    if (known && (known.routes === null || now - known.since < quietMs)) return;
    due.set(accountId, { routes: null, since: now });
  }

  /** Whether more of an account may be loaded. `totals` has the waiting messages of the lane, by route. */
  #hasRoom(totals: Map<string, number>, route: string, lane: Lane, accountId: number): boolean {
    const { waiting } = this.#deps;
    const all = totals.get(route) ?? waiting(route, lane);
    totals.set(route, all);
    // Above the mark, only accounts without messages in memory, so that they need not wait for another's campaign.
    const most = all < LOW_WATER ? MAX_ACCOUNT : 1;
    return all < MAX_LANE && waiting(route, lane, accountId) < most;
  }

  async #load(round: Round): Promise<void> {
    const { deliver, log } = this.#deps;
    try {
      const { ready, starting } = await supervise('loader', () => this.#fetch(round));
      for (const batches of starting) this.#track(this.#loadStarting(batches));
      // Delivered outside the supervised work: batches read by abandoned work may already belong to another process.
      if (ready.length > 0) deliver(ready);
    } catch (error) {
      // The claimed batches are claimed again when their lease ends.
      log.warn({ err: error, accounts: round.accountIds.length }, 'due messages could not be read');
    }
  }

  /** Starts the scheduled shipments of an account, which may take long, and loads their batches. */
  async #loadStarting(batches: readonly ClaimedBatch[]): Promise<void> {
    const { deliver, log } = this.#deps;
    const { accountId } = batches[0]!;
    try {
      const loaded = await supervise('loader', () =>
        this.#read(batches, () => this.#start(accountId, batches)),
      );
      if (loaded.length > 0) deliver(loaded);
    } catch (error) {
      log.warn({ err: error, accountId }, 'due messages could not be read');
    }
  }

  #track(work: Promise<void>): void {
    const loading: Promise<void> = work.finally(() => {
      this.#loading.delete(loading);
      this.fill();
    });
    this.#loading.add(loading);
  }

  async #fetch({ lane, routes, accountIds }: Round): Promise<Fetched> {
    const { placements, asyncCommitSql, ids, clock, owner, isMine, copyPauseMs, log } = this.#deps;
    const all = Math.max(2, Math.floor(CLAIM_SINGLES_ALL / accountIds.length));
    const each = lane === lanes.bulk ? CLAIM : Math.min(CLAIM_SINGLES, all);
    const claim = { accountIds, lane, routes, each, messages: CLAIM_MESSAGES, copyPauseMs };
    const nodeSql = placements.sqlOf(accountIds[0]!, asyncCommitSql);
    const { batches: claimed, resting, broken } = await claimBatches(nodeSql, owner, clock.now(), claim);
    if (broken > 0) {
      brokenLeases.inc(broken);
      log.warn({ batches: broken }, 'took over batches of a lost process');
    }
    await storeRests(nodeSql, ids, clock.now(), resting);
    const counts = new Map<number, number>();
    for (const { accountId } of claimed) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    const isCut = claimed.reduce((sum, { count }) => sum + count, 0) >= CLAIM_MESSAGES;
    for (const accountId of accountIds) {
      if (isCut || counts.get(accountId) === each) this.#learn(accountId, lane, 0);
    }
    // After a database outage longer than a lease, batches of this process can be claimed again.
    const fresh = claimed.filter((batch) => !isMine(batch.id));
    if (fresh.length === 0) return { ready: [], starting: [] };
    let starting: readonly ClaimedBatch[][] = [];
    const ready = await this.#read(fresh, async (mine) => {
      const accounts = await this.#startingAccounts(mine);
      const waits = ({ accountId }: ClaimedBatch) => accounts.has(accountId);
      starting = [...Map.groupBy(mine.filter(waits), ({ accountId }) => accountId).values()];
      return mine.filter((batch) => !waits(batch));
    });
    return { ready, starting };
  }

  /**
   * Reads claimed batches, after `prepare` has selected them. After a database failure, it retries with the batches
   * still leased, because no other process would take them until their lease ends. Batches that can never be read are
   * isolated by halving, so that they do not block the others.
   */
  async #read(
    claimed: readonly ClaimedBatch[],
    prepare: (mine: readonly ClaimedBatch[]) => Promise<readonly ClaimedBatch[]>,
  ): Promise<LoadedBatch[]> {
    const { placements, owner, permits } = this.#deps;
    const sql = placements.sqlOf(claimed[0]!.accountId, this.#deps.sql);
    let mine = claimed;
    for (let isFirst = true; ; isFirst = false) {
      try {
        if (!isFirst) {
          const ours = await renewLeases(sql, owner, mine);
          mine = mine.filter((batch) => ours.has(batch.id));
        }
        await permits.refresh(accountIdsOf(mine));
        const loaded = await this.#loadHalves(sql, await prepare(mine));
        await permits.judge(loaded, sql);
        return loaded;
      } catch (error) {
        if (this.#stopped || !isDatabaseTrouble(error)) throw error;
        await pause(RETRY_MS);
      }
    }
  }

  async #loadHalves(sql: Sql, batches: readonly ClaimedBatch[]): Promise<LoadedBatch[]> {
    if (batches.length === 0) return [];
    try {
      return await loadBatches(sql, batches, this.#deps);
    } catch (error) {
      if (isDatabaseTrouble(error) || error instanceof OwnerStuck) throw error;
      if (batches.length === 1) {
        const { accountId, id: batchId } = batches[0]!;
        this.#deps.log.error({ err: error, accountId, batchId }, 'due batch not read: its messages wait');
        return [];
      }
      const half = Math.ceil(batches.length / 2);
      const first = await this.#loadHalves(sql, batches.slice(0, half));
      return [...first, ...(await this.#loadHalves(sql, batches.slice(half)))];
    }
  }

  /**
   * Returns the accounts with batches of shipments that are still scheduled. Most shipments have started long before.
   */
  async #startingAccounts(batches: readonly ClaimedBatch[]): Promise<Set<number>> {
    const owners = new Map(
      batches.flatMap(({ heldShipmentId, accountId }) =>
        heldShipmentId === null ? [] : [[heldShipmentId, accountId]],
      ),
    );
    if (owners.size === 0) return new Set();
    const accounts = numbers([...owners.values()]);
    const ids = [...owners.keys()];
    const { first, last } = rangeOf(ids);
    // OFFSET forces PostgreSQL to look up each shipment: it would read all shipments of the accounts.
    const rows = await this.#deps.sql<{ account_id: number }[]>`
      SELECT s.account_id FROM unnest(${accounts}::bigint[], ${numbers(ids)}::bigint[]) AS u (account_id, id), LATERAL (
        SELECT account_id FROM shipments
        WHERE account_id = u.account_id AND account_id = ANY(${accounts}::bigint[]) AND id = u.id
          AND id >= ${first} AND id <= ${last} AND state = ${shipmentStates.scheduled}
        OFFSET 0
      ) s`;
    return new Set(rows.map(({ account_id }) => account_id));
  }

  /** Starts the scheduled shipments of batches of one account. Returns the batches. */
  async #start(accountId: number, batches: readonly ClaimedBatch[]): Promise<readonly ClaimedBatch[]> {
    const { sql, clock, events } = this.#deps;
    const shipmentIds = [...new Set(batches.flatMap(({ heldShipmentId }) => heldShipmentId ?? []))];
    await sql.begin(async (tx) => {
      const blocked = await startShipments(tx, this.#deps, clock.now(), accountId, shipmentIds);
      await events.record(tx, accountId, blocked);
    });
    return batches;
  }

  /** Renews the leases of the batches in memory. Returns those that other processes have taken. */
  async renew(batches: readonly LoadedBatch[]): Promise<LoadedBatch[]> {
    const { placements } = this.#deps;
    const parts = await byPlacement(placements, batches, ({ accountId }) => accountId);
    const lost = await Promise.all(parts.map((mine) => this.#renewPart(mine)));
    return lost.flat();
  }

  async #renewPart(batches: readonly LoadedBatch[]): Promise<LoadedBatch[]> {
    const { placements, owner } = this.#deps;
    const sql = placements.sqlOf(batches[0]!.accountId, this.#deps.asyncCommitSql);
    const isOne = batches.every(({ accountId }) => accountId === batches[0]!.accountId);
    try {
      const ours = isOne
        ? await renewLeases(sql, owner, batches)
        : await sql.begin({ lockMs: LOCK_MS }, (tx) => renewLeases(tx, owner, batches));
      return batches.filter((batch) => !ours.has(batch.id));
    } catch (error) {
      if (isOne || isDatabaseTrouble(error)) throw error;
      // A transaction holds one of them for long, so renew by account: only that account waits.
      const byAccount = Map.groupBy(batches, ({ accountId }) => accountId);
      const lost = await Promise.all([...byAccount.values()].map((mine) => this.#renewPart(mine)));
      return lost.flat();
    }
  }
}
