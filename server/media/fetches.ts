import { setTimeout as pause } from 'node:timers/promises';
import { numbers } from '../database/arrays.ts';
import { leaseClock } from '../database/lease-clock.ts';
import { newClaim } from '../database/leases.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { DueRows } from '../due-look.ts';
import { timeOfId } from '../ids.ts';
import { NamedOutages } from '../observability/outages.ts';
import { FetchTurns } from './fetch-turns.ts';
import type { Media, MediaDeps } from './media.ts';
import { fetchesTotal } from './metrics.ts';
import { mediaState } from './rows.ts';
import { incomingLimits, type MediaKind, type MediaProblem } from './rules.ts';
import { OverLimit, type SpooledFile } from './spool.ts';
import { keyOf } from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** What a killed process was fetching is taken up by another one after this. */
const LEASE_MS = 5 * MINUTE_MS;
/** For one attempt: 100 MiB at 4 Mbit/s, and to store them. */
const FETCH_MS = 4 * MINUTE_MS;
/** Time between two looks for due files while others are being fetched. */
const LOOK_MS = 1_000;
/** Due files that are read for one claim; other processes may claim some of them first. */
const CANDIDATES = 10;
/** Pauses after failed attempts; the last one repeats. The platform blocks those who ask in vain too often. */
const PAUSES_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS];
/** Pause of files for which the account has no room. Looking again costs no request to the platform. */
const FULL_PAUSE_MS = 10 * MINUTE_MS;
/** The platform keeps what a webhook names for 7 days. */
const GIVE_UP_MS = 7 * DAY_MS;
/** A file that came other than it was told so often will not come otherwise. */
const MAX_DAMAGED = 3;
const MAX_DETAIL = 300;

/** What a fetch came to. */
export type Fetched =
  | { readonly outcome: 'found'; readonly content: AsyncIterable<Buffer> }
  /** There is none, and there will be none. */
  | { readonly outcome: 'gone'; readonly detail: string }
  /** Not now; `afterMs` is the shortest pause, where that was said. */
  | { readonly outcome: 'again'; readonly detail: string; readonly afterMs?: number | undefined };

/** A file at its origin. */
interface RemoteFile {
  readonly accountId: number;
  readonly number: string;
  readonly id: string;
  /** To be called with the host (and port) of the download before it is contacted. */
  downloadsFrom(host: string): void;
}

/** Fetches a file of one origin. May throw for what the network does; ends soon after `signal`. */
export type MediaFetcher = (from: RemoteFile, signal: AbortSignal) => Promise<Fetched>;

interface FetchesDeps extends MediaDeps {
  readonly media: Media;
  /** Names this process in leases. */
  readonly owner: string;
}

interface Lease {
  readonly accountId: number;
  readonly id: number;
  readonly kind: MediaKind;
  readonly fileName: string;
  /** Hexadecimal; empty for unknown. */
  readonly sha256: string;
  readonly origin: string;
  readonly number: string;
  readonly remoteId: string;
  /** With this one. */
  readonly attempts: number;
  /** Its `lease_owner` (database/leases.ts). */
  readonly claim: string;
}

/** Name of our own store among what a fetch depends on; others are origins and hosts. */
const STORE = 'media store';

/** What the attempt at a file came to, beside that it is stored. */
type NotStored = {
  readonly problem: MediaProblem;
  readonly detail: string;
  readonly isFinal: boolean;
  readonly afterMs?: number | undefined;
};

/**
 * Fetches the files that clients sent, one row of `media` each, until they are stored or cannot be. A fetch of a killed
 * process is made again by another one and puts the same file in the same place.
 */
export class MediaFetches {
  readonly #deps: FetchesDeps;
  readonly #fetchers = new Map<string, MediaFetcher>();
  readonly #turns = new FetchTurns();
  readonly #stopped = new AbortController();
  readonly #outages: NamedOutages;

  constructor(deps: FetchesDeps) {
    this.#deps = deps;
    this.#outages = new NamedOutages({
      kind: 'media',
      log: deps.log,
      level: 'warn',
      gone: 'files cannot be fetched, they wait',
      back: 'files can be fetched again',
    });
  }

  /** Adds who fetches the files of an origin; before `run`. */
  addFetcher(origin: string, fetcher: MediaFetcher): void {
    this.#fetchers.set(origin, fetcher);
  }

  /** Returns the fetches whose next attempt is due. */
  due(leaseNow = leaseClock.now()): DueRows {
    const { sql, clock } = this.#deps;
    return sql`FROM media WHERE due_at <= ${clock.now()} AND lease_until < ${leaseNow}`;
  }

  /**
   * Fetches due files until no file is due and none is being fetched, or `stop` is called. Files that become due while slow ones
   * are being fetched take the free places (`FetchTurns`). Rejects with the first database error, after the others have ended.
   */
  async run(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const errors: unknown[] = [];
    const begin = (lease: Lease) => {
      const performed: Promise<void> = this.#perform(lease)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => underWay.delete(performed));
      underWay.add(performed);
    };
    while (!this.#stopped.signal.aborted && errors.length === 0) {
      const lease = this.#turns.hasPlace ? await this.#claim() : undefined;
      if (lease) begin(lease);
      else if (underWay.size === 0) return;
      else await Promise.race([...underWay, pause(LOOK_MS)]);
    }
    await Promise.all(underWay);
    if (errors.length > 0) throw errors[0];
  }

  /** Ends `run` and what is under way, which others can take up at once. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Claims a due file of an account whose turn it is; undefined when no file can begin now. */
  async #claim(): Promise<Lease | undefined> {
    const { served } = this.#turns;
    const lease = await this.#claimOfOthers([...this.#turns.full(), ...served]);
    if (lease || served.length === 0) return lease;
    this.#turns.beginRound();
    return this.#claimOfOthers(this.#turns.full());
  }

  /** Claims the file that is due for the longest time, of any account but these. */
  async #claimOfOthers(accountIds: readonly number[]): Promise<Lease | undefined> {
    const { sql, clock, owner } = this.#deps;
    const leaseNow = leaseClock.now();
    const due = await sql<{ account_id: number; id: number }[]>`
      SELECT account_id, id ${this.due(leaseNow)} AND account_id <> ALL(${numbers(accountIds)}::bigint[])
      ORDER BY due_at LIMIT ${CANDIDATES}`;
    for (const { account_id: accountId, id } of due) {
      const claim = newClaim(owner);
      const [row] = await sql<Omit<Lease, 'accountId' | 'id' | 'claim'>[]>`
        UPDATE media SET attempts = attempts + 1, size = NULL, lease_owner = ${claim}, lease_until = ${leaseNow + LEASE_MS}
        WHERE account_id = ${accountId} AND id = ${id} AND lease_until < ${leaseNow} AND due_at <= ${clock.now()}
        RETURNING kind, file_name AS "fileName", sha256, origin, origin_number AS number, origin_id AS "remoteId", attempts`;
      if (row) return { ...row, accountId, id, claim };
    }
    return undefined;
  }

  async #perform(lease: Lease): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(FETCH_MS)]);
    const place = this.#turns.begin(lease.accountId);
    let outcome: NotStored | undefined;
    // The dependency that the attempt is at: the origin, the host of the download, our store.
    let at = lease.origin;
    const reached = (next: string) => {
      this.#outages.worked(at);
      at = next;
    };
    const downloadsFrom = (host: string) => {
      this.#turns.downloadsFrom(place, host);
      reached(host);
    };
    try {
      outcome = await this.#fetch(lease, signal, { downloadsFrom, received: () => reached(STORE) });
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      if (this.#stopped.signal.aborted) return this.#giveBack(lease);
      outcome = { problem: 'not-fetched', detail: messageOf(error), isFinal: false };
    } finally {
      this.#turns.end(place);
    }
    if (outcome?.problem === 'not-fetched')
      this.#outages.failed(at, { reason: outcome.detail, media: lease.id });
    else if (!outcome) this.#outages.worked(at);
    if (outcome) await this.#notStored(lease, outcome);
    else fetchesTotal.inc({ outcome: 'stored' });
  }

  /** One attempt; undefined when the file is stored, or another process has the lease now. */
  async #fetch(
    lease: Lease,
    signal: AbortSignal,
    { downloadsFrom, received }: Pick<RemoteFile, 'downloadsFrom'> & { received(): void },
  ): Promise<NotStored | undefined> {
    const { accountId, number, remoteId: id } = lease;
    const { sql, budgets } = this.#deps;
    // Before the download: a file without room is not asked for.
    const full = await budgets.tryTake(sql, accountId, 'files', { count: 1, bytes: 1 }, { reserve: true });
    if (full) return noRoom;
    const fetcher = this.#fetchers.get(lease.origin);
    if (!fetcher) throw new Error(`no fetcher is registered for files of ${lease.origin}`);
    const fetched = await fetcher({ accountId, number, id, downloadsFrom }, signal);
    if (fetched.outcome === 'gone') return { problem: 'gone', detail: fetched.detail, isFinal: true };
    if (fetched.outcome === 'again') {
      return { problem: 'not-fetched', detail: fetched.detail, isFinal: false, afterMs: fetched.afterMs };
    }
    const maxBytes = incomingLimits[lease.kind];
    let file: SpooledFile;
    try {
      file = await this.#deps.spool.receive(fetched.content, { maxBytes, signal });
    } catch (error) {
      if (!(error instanceof OverLimit)) throw error;
      return { problem: 'too-large', detail: `is over ${maxBytes} bytes`, isFinal: true };
    }
    received();
    try {
      return await this.#store(lease, file);
    } finally {
      await file.discard();
    }
  }

  async #store(lease: Lease, file: SpooledFile): Promise<NotStored | undefined> {
    const { sql, media, store } = this.#deps;
    const { accountId, id, kind, fileName, claim } = lease;
    if (file.size === 0 || (lease.sha256 !== '' && lease.sha256 !== file.sha256)) {
      const isFinal = lease.attempts >= MAX_DAMAGED;
      return { problem: 'damaged', detail: 'the content is not what the platform told of it', isFinal };
    }
    const type = await media.typeOf(file, kind, fileName);
    if (type === null) return { problem: 'wrong-type', detail: `the content is no ${kind}`, isFinal: true };
    if (!(await this.#takeRoom(lease, file.size))) return noRoom;
    await store.put(keyOf(accountId, id), file, type);
    await sql`
      UPDATE media
      SET state = ${mediaState.stored}, mime_type = ${type}, size = ${file.size}, sha256 = ${file.sha256}, problem = '',
        detail = '', due_at = NULL, lease_owner = NULL, lease_until = 0
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim}`;
    return undefined;
  }

  /** Takes a file from the budget of the account, as long as its lease is held. False: the account has no room for it. */
  async #takeRoom({ accountId, id, claim }: Lease, size: number): Promise<boolean> {
    const { sql, budgets } = this.#deps;
    return sql.begin(async (tx) => {
      const amounts = { count: 1, bytes: size };
      const refusal = await budgets.tryTake(tx, accountId, 'files', amounts, { reserve: true });
      if (refusal) return false;
      await tx`
        UPDATE media SET size = ${size}
        WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim}`;
      return true;
    });
  }

  async #notStored(lease: Lease, { problem, detail, isFinal, afterMs = 0 }: NotStored): Promise<void> {
    const { sql, clock, log } = this.#deps;
    const { accountId, id, attempts, claim } = lease;
    const now = clock.now();
    const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1]!;
    const dueAt = now + (problem === 'over-budget' ? FULL_PAUSE_MS : Math.max(pause, afterMs));
    const ends = isFinal || dueAt > timeOfId(id) + GIVE_UP_MS;
    fetchesTotal.inc({ outcome: ends ? problem : 'again' });
    const facts = { account: accountId, media: id, attempts, problem, detail };
    // Outages have lines of their own, and accounts see budgets that are used up.
    if (ends) log.warn(facts, 'file abandoned, no attempt follows');
    else log.debug({ ...facts, retryInMs: dueAt - now }, 'file not fetched yet, trying again later');
    await sql`
      UPDATE media
      SET state = ${ends ? mediaState.failed : mediaState.pending}, problem = ${problem}, size = NULL,
        detail = ${detail.slice(0, MAX_DETAIL)}, due_at = ${ends ? null : dueAt}, lease_owner = NULL, lease_until = 0
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim}`;
  }

  /** Ends the lease of a fetch that was stopped, without an outcome, so that another process can claim the file. */
  async #giveBack({ accountId, id, claim }: Lease): Promise<void> {
    const { sql } = this.#deps;
    await sql`
      UPDATE media SET attempts = attempts - 1, lease_owner = NULL, lease_until = 0
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim}`;
  }
}

/** The file waits until the account deletes others or the operator raises its limit. */
const noRoom: NotStored = {
  problem: 'over-budget',
  detail: 'the budget files of the account is used up',
  isFinal: false,
};

/** Words for people; what a library says of a connection has no content of anybody's. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');
