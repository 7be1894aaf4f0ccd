import { setTimeout as pause } from 'node:timers/promises';
import type { Channels } from '../channel-contract/channels.ts';
import type { Clock } from '../clock.ts';
import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { byPlacement, type Placement, type Placements } from '../database/placements.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { DueLook } from '../due-look.ts';
import type { Events } from '../events/events.ts';
import type { IdSource } from '../ids.ts';
import { SharedWork } from '../loop.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import type { SecretTexts } from '../messages/secret-text.ts';
import { shipmentStates } from '../messages/shipment-states.ts';
import { startShipments } from '../messages/start-shipments.ts';
import type { Logger } from '../observability/log.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { OwnerStuck, supervise } from '../owners.ts';
import { loadBatches } from './batch-messages.ts';
import {
  type ClaimedBatch,
  claimBatches,
  dueBatches,
  findDue,
  type LoadedBatch,
  renewLeases,
} from './batches.ts';
import { brokenLeases } from './metrics.ts';
import type { Permits } from './permits.ts';

// What is in memory is counted by route: one that is slow or stands still holds nothing up but itself.
// Messages of a lane in memory below which more are fetched. At 20,000 a second 1,000 are 50 ms of work, which is ten
// times as long as fetching the next ones takes.
export const LOW_WATER = 1_000;
// Of one account, so that there is room for others.
const MAX_ACCOUNT = 1_000;
// Of all accounts of a lane: when this is in memory, those who have nothing there wait too.
const MAX_LANE = 20_000;
// Of batches of up to 500 messages each, so many of an account at a time, and of so many accounts.
const CLAIM = 2;
const CLAIM_ACCOUNTS = 20;
// Batches of singles hold a few messages each: more of them, and of more accounts. What is looked at is locked for that
// moment: of many accounts fewer batches each.
const CLAIM_SINGLES = 20;
const CLAIM_SINGLES_ALL = 400;
const CLAIM_SINGLES_ACCOUNTS = 500;
// Messages of one claim, about.
const CLAIM_MESSAGES = 4_000;
// How long the renewal of the leases of several accounts waits for a batch that somebody else holds.
const LOCK_MS = 250;
// Claims under way.
const MAX_CLAIMS = 4;
const SCAN_MS = 1_000;
const RETRY_MS = 200;
// Hints are gathered this long: what is accepted in it is claimed and read together.
const GATHER_MS = 5;
// While a route of an account is full, hints have its other routes looked at again after this.
const LOOK_AGAIN_MS = 50;

interface LoaderDeps {
  readonly channels: Channels;
  readonly sql: Sql;
  /** For leases (see database/connection.ts). */
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
  /** Names this process in leases. */
  readonly owner: string;
  /** Pause of batches whose lease was broken again, in milliseconds. */
  readonly copyPauseMs: number;
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

const accountIdsOf = (batches: readonly ClaimedBatch[]) => new Set(batches.map(({ accountId }) => accountId));

/** What is fetched at a time: of accounts of one placement. */
interface Round {
  readonly lane: Lane;
  readonly routes: readonly string[];
  readonly accountIds: number[];
}

/** What a round has brought. */
interface Fetched {
  readonly ready: readonly LoadedBatch[];
  /** Batches whose shipments are to be started first, by account. */
  readonly starting: readonly (readonly ClaimedBatch[])[];
}

/**
 * Brings due batches from the database into memory: never more than is soon submitted, account after account, and keeps
 * their leases. Who has work is learned from hints and from a scan of every second.
 */
export class Loader {
  readonly #deps: LoaderDeps;
  readonly #due: Map<number, Due>[] = Object.values(lanes).map(() => new Map());
  /** Accounts of each lane whose batches are being fetched. */
  readonly #busy: Set<number>[] = Object.values(lanes).map(() => new Set());
  readonly #loading = new Set<Promise<void>>();
  readonly #scanning = new SharedWork('due scan', () => this.#scan());
  /** Whether a scan would find something. */
  readonly #isAnyDue: () => Promise<boolean>;
  #nextScan = 0;
  #gathering: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
    const { sql, clock, dueLook } = deps;
    this.#isAnyDue = dueLook.addDistributed(() => [dueBatches(sql, clock.now())]);
  }

  /** There is work of this account in this lane. */
  hint(accountId: number, lane: Lane): void {
    this.#learn(accountId, lane, LOOK_AGAIN_MS);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.fill();
    }, GATHER_MS);
  }

  /** Whether an account may have batches of this lane in the database that are not leased. */
  isDue(accountId: number, lane: Lane): boolean {
    return this.#due[lane]!.has(accountId) || this.#busy[lane]!.has(accountId);
  }

  /** Fetches nothing more; fulfilled when what is being fetched has been delivered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#gathering);
    while (this.#loading.size > 0) await Promise.all(this.#loading);
  }

  /** Fetches more where there is room. Cheap when there is nothing to do. */
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

  /** The accounts of a lane that may be fetched for now, those together that have one placement and the same open routes. */
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
      // Off the list before the look: a hint that comes meanwhile puts it back. Routes that are full are looked at
      // when they have room, and the account goes to the end of the line: the next fetch is another's.
      due.delete(accountId);
      const full = known.routes.filter((route) => !open.includes(route));
      if (full.length > 0) due.set(accountId, { routes: full, since: known.since });
    }
    return rounds.values();
  }

  /** Undefined while the database is asked; then it is looked again. */
  #placementOf(accountId: number): Placement | undefined {
    const placement = this.#deps.placements.of(accountId);
    if (typeof placement === 'number') return placement;
    placement.then(
      () => this.fill(),
      (error: unknown) => this.#deps.log.warn({ err: error }, 'due messages wait for the database'),
    );
    return undefined;
  }

  /** Looks for due work of all accounts, at most once a second, and less often where the look itself is slow. */
  async scan(now = performance.now()): Promise<void> {
    if (this.#stopped || now < this.#nextScan) return;
    try {
      if (this.#nextScan === 0 || (await this.#isAnyDue())) await this.#scanning.run();
      else this.#nextScan = performance.now() + SCAN_MS;
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'due messages not looked up, next attempt within seconds');
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
      for (const { accountId, lane } of rows) this.#learn(accountId, lane, 0);
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

  async #load(round: Round): Promise<void> {
    const { deliver, log } = this.#deps;
    try {
      const { ready, starting } = await supervise('loader', () => this.#fetch(round));
      for (const batches of starting) this.#track(this.#loadStarting(batches));
      // Delivered out here: what is read by one that was given up may be another's already.
      if (ready.length > 0) deliver(ready);
    } catch (error) {
      // What was claimed is claimed again when its lease runs out.
      log.warn({ err: error, accounts: round.accountIds.length }, 'due messages could not be read');
    }
  }

  /** Starts the scheduled shipments of an account, which may take long, and reads their batches. */
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
    const { placements, asyncCommitSql, clock, owner, isMine, copyPauseMs, log } = this.#deps;
    const all = Math.max(2, Math.floor(CLAIM_SINGLES_ALL / accountIds.length));
    const each = lane === lanes.bulk ? CLAIM : Math.min(CLAIM_SINGLES, all);
    const claim = { accountIds, lane, routes, each, messages: CLAIM_MESSAGES, copyPauseMs };
    const nodeSql = placements.sqlOf(accountIds[0]!, asyncCommitSql);
    const { batches: claimed, broken } = await claimBatches(nodeSql, owner, clock.now(), claim);
    if (broken > 0) {
      brokenLeases.inc(broken);
      log.warn({ batches: broken }, 'took over batches of a lost process');
    }
    const counts = new Map<number, number>();
    for (const { accountId } of claimed) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    const isCut = claimed.reduce((sum, { count }) => sum + count, 0) >= CLAIM_MESSAGES;
    for (const accountId of accountIds) {
      if (isCut || counts.get(accountId) === each) this.#learn(accountId, lane, 0);
    }
    // While the database was away longer than a lease lasts, our own have become free to be claimed.
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
   * Reads what was claimed, after `prepare` has told which of it. When the database goes away in between, it tries again,
   * with those batches that are still ours then: nobody else would look at them until their lease runs out. What cannot be
   * read whatever happens is looked for by halves, so that it does not keep the others.
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

  /** The accounts whose batches are of shipments that wait for their time. Most have begun long ago. */
  async #startingAccounts(batches: readonly ClaimedBatch[]): Promise<Set<number>> {
    const owners = new Map(
      batches.flatMap(({ heldShipmentId, accountId }) =>
        heldShipmentId === null ? [] : [[heldShipmentId, accountId]],
      ),
    );
    if (owners.size === 0) return new Set();
    const accounts = numbers([...owners.values()]);
    const rows = await this.#deps.sql<{ account_id: number }[]>`
      SELECT s.account_id
      FROM unnest(${accounts}::bigint[], ${numbers([...owners.keys()])}::bigint[]) AS u (account_id, id)
      JOIN shipments s ON s.account_id = u.account_id AND s.id = u.id
      WHERE s.account_id = ANY(${accounts}::bigint[]) AND s.state = ${shipmentStates.scheduled}`;
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

  /** Renews the leases of what is in memory; returns the batches that were lost to another process. */
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
      // Somebody holds one of them for long: only its account waits for that.
      const byAccount = Map.groupBy(batches, ({ accountId }) => accountId);
      const lost = await Promise.all([...byAccount.values()].map((mine) => this.#renewPart(mine)));
      return lost.flat();
    }
  }
}
