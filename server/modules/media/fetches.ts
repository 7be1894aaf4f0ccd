import type { TransactionSql } from '../../database/connection.ts';
import { isFree, released } from '../../database/leases.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { type WorkLease, WorkLost } from '../../engine/work/lease.ts';
import type { WorkRunner } from '../../engine/work/runner.ts';
import type { Outcome, PreviousKey, WorkItem } from '../../engine/work/worker.ts';
import { NamedOutages } from '../../kit/observability/outages.ts';
import { FetchHosts } from './fetch-hosts.ts';
import { MEDIA_FETCH, type Media, type MediaDeps } from './media.ts';
import { fetchesTotal } from './metrics.ts';
import { mediaState } from './rows.ts';
import { incomingLimits, type MediaKind, type MediaProblem } from './rules.ts';
import { OverLimit, type SpooledFile } from './spool.ts';
import { keyOf } from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Files that a process fetches at a time. They are spooled to disk, so that 16 of 100 MiB need no memory. */
const MAX_AT_ONCE = 16;
/** Files of one account among them: an account whose files are slow leaves the other places to others. */
const MAX_PER_ACCOUNT = 2;
/** Time limit of one attempt: 100 MiB at 4 Mbit/s, and storing them. */
const FETCH_MS = 4 * MINUTE_MS;
/** Pauses after failed attempts; the last one repeats. The platform blocks clients with too many failed requests. */
const PAUSES_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS];
/** Pause for files that would exceed the account's budget. Checking again costs no request to the platform. */
const FULL_PAUSE_MS = 10 * MINUTE_MS;
/** The platform keeps the files named in webhooks for 7 days. */
const GIVE_UP_MS = 7 * DAY_MS;
/**
 * Number of downloads with a wrong digest after which the file is abandoned: further attempts would give the same result.
 */
const MAX_DAMAGED = 3;
const MAX_DETAIL = 300;

/** Result of a fetch. */
export type Fetched =
  | { readonly outcome: 'found'; readonly content: AsyncIterable<Buffer> }
  /** The origin does not have the file, and further attempts are useless. */
  | { readonly outcome: 'gone'; readonly detail: string }
  /** Temporary failure; `afterMs` is the shortest pause, if the origin specified one. */
  | { readonly outcome: 'again'; readonly detail: string; readonly afterMs?: number | undefined };

/** Identifies a file at its origin. */
interface RemoteFile {
  readonly accountId: number;
  readonly number: string;
  readonly id: string;
  /** The fetcher calls it with the host (and port) of the download before contacting it. */
  downloadsFrom(host: string): void;
}

/** Fetches a file of one origin. May throw network errors; ends soon after `signal`. */
export type MediaFetcher = (from: RemoteFile, signal: AbortSignal) => Promise<Fetched>;

interface FetchesDeps extends MediaDeps {
  readonly media: Media;
}

/** An attempt at a file. */
interface Fetch {
  readonly accountId: number;
  readonly id: number;
  readonly kind: MediaKind;
  readonly fileName: string;
  /** Hexadecimal; empty if unknown. */
  readonly sha256: string;
  readonly origin: string;
  readonly number: string;
  readonly remoteId: string;
  /** Number of attempts, this one included. */
  readonly attempts: number;
  readonly lease: WorkLease;
}

/** Name of our own store in the log of outages; other names are origins and hosts. */
const STORE = 'media store';

/** Failure of an attempt to fetch and store a file. */
type NotStored = {
  readonly problem: MediaProblem;
  readonly detail: string;
  readonly isFinal: boolean;
  readonly afterMs?: number | undefined;
};

/**
 * Fetches the files that clients sent, one row of `media` each, until they are stored or abandoned. When a process is
 * killed, another one repeats its fetches and stores the same files under the same keys.
 */
export class MediaFetches {
  readonly #deps: FetchesDeps;
  readonly #fetchers = new Map<string, MediaFetcher>();
  readonly #hosts = new FetchHosts();
  readonly #outages: NamedOutages;
  readonly #runner: WorkRunner;

  constructor(deps: FetchesDeps) {
    this.#deps = deps;
    this.#outages = new NamedOutages({
      kind: 'media',
      log: deps.log,
      level: 'warn',
      gone: 'files cannot be fetched, they wait',
      back: 'files can be fetched again',
    });
    this.#runner = deps.work.register({
      kind: MEDIA_FETCH,
      owner: 'media fetches',
      places: MAX_AT_ONCE,
      perAccount: MAX_PER_ACCOUNT,
      deadlineMs: FETCH_MS,
      retry: { pausesMs: PAUSES_MS, giveUpMs: GIVE_UP_MS },
      isDiscardable: true,
      full: () => this.#hosts.full(),
      step: (item, lease) => this.#step(item, lease),
      givenUp: (tx, item) => this.#givenUp(tx, item),
      async reopen(tx, { accountId, key }) {
        const { count } = await tx`
          UPDATE media SET state = ${mediaState.pending}
          WHERE account_id = ${accountId} AND id = ${key} AND state = ${mediaState.failed}`;
        return count > 0;
      },
      previous: {
        waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
          SELECT account_id AS "accountId", id AS key FROM media
          WHERE due_at IS NOT NULL AND ${isFree(sql, leaseNow)} LIMIT ${limit}`,
        async take(tx, { accountId, key }, leaseNow) {
          const [row] = await tx<{ due_at: number }[]>`
            SELECT due_at FROM media WHERE account_id = ${accountId} AND id = ${key} AND due_at IS NOT NULL
              AND ${isFree(tx, leaseNow)} FOR UPDATE`;
          if (!row) return undefined;
          await tx`
            UPDATE media SET due_at = NULL, ${released(tx)}
            WHERE account_id = ${accountId} AND id = ${key}`;
          return row.due_at;
        },
      },
    });
  }

  /** Adds the fetcher for the files of an origin. Call it before `run`. */
  addFetcher(origin: string, fetcher: MediaFetcher): void {
    this.#fetchers.set(origin, fetcher);
  }

  /** Fetches due files until no file is due and none is being fetched, or `stop` is called. */
  run(): Promise<void> {
    return this.#runner.run();
  }

  /** Ends `run` and the fetches under way. Other processes can claim them. */
  stop(): void {
    this.#runner.stop();
  }

  async #step({ accountId, key: id, attempts }: WorkItem, lease: WorkLease): Promise<Outcome> {
    const { sql } = this.#deps;
    const [row] = await sql<Omit<Fetch, 'accountId' | 'id' | 'attempts' | 'lease'>[]>`
      UPDATE media SET attempts = ${attempts}, size = NULL
      WHERE account_id = ${accountId} AND id = ${id} AND state = ${mediaState.pending}
      RETURNING kind, file_name AS "fileName", sha256, origin, origin_number AS number, origin_id AS "remoteId"`;
    return row ? this.#perform({ ...row, accountId, id, attempts, lease }) : 'done';
  }

  async #perform(fetch: Fetch): Promise<Outcome> {
    const place = this.#hosts.begin(fetch.accountId);
    let outcome: NotStored | undefined;
    // Dependency that the attempt currently uses: the origin, the host of the download, or our store.
    let at = fetch.origin;
    const reached = (next: string) => {
      this.#outages.worked(at);
      at = next;
    };
    const downloadsFrom = (host: string) => {
      this.#hosts.downloadsFrom(place, host);
      reached(host);
    };
    try {
      outcome = await this.#fetch(fetch, { downloadsFrom, received: () => reached(STORE) });
    } catch (error) {
      if (isDatabaseTrouble(error) || error instanceof WorkLost || fetch.lease.isInterrupted) throw error;
      outcome = { problem: 'not-fetched', detail: messageOf(error), isFinal: false };
    } finally {
      this.#hosts.end(place);
    }
    if (outcome?.problem === 'not-fetched') {
      this.#outages.failed(at, { reason: outcome.detail, media: fetch.id });
    } else if (!outcome) this.#outages.worked(at);
    if (outcome) return this.#notStored(fetch, outcome);
    fetchesTotal.inc({ outcome: 'stored' });
    return 'settled';
  }

  /** One attempt; undefined when the file is stored. Throws WorkLost. */
  async #fetch(
    fetch: Fetch,
    { downloadsFrom, received }: Pick<RemoteFile, 'downloadsFrom'> & { received(): void },
  ): Promise<NotStored | undefined> {
    const { accountId, number, remoteId: id } = fetch;
    const { signal } = fetch.lease;
    const { sql, budgets } = this.#deps;
    // Checked before the download: a file that would exceed the budget is not requested.
    const full = await budgets.tryTake(sql, accountId, 'files', { count: 1, bytes: 1 }, { reserve: true });
    if (full) return noRoom;
    const fetcher = this.#fetchers.get(fetch.origin);
    if (!fetcher) throw new Error(`no fetcher is registered for files of ${fetch.origin}`);
    const fetched = await fetcher({ accountId, number, id, downloadsFrom }, signal);
    if (fetched.outcome === 'gone') return { problem: 'gone', detail: fetched.detail, isFinal: true };
    if (fetched.outcome === 'again') {
      return { problem: 'not-fetched', detail: fetched.detail, isFinal: false, afterMs: fetched.afterMs };
    }
    const maxBytes = incomingLimits[fetch.kind];
    let file: SpooledFile;
    try {
      file = await this.#deps.spool.receive(fetched.content, { maxBytes, signal });
    } catch (error) {
      if (!(error instanceof OverLimit)) throw error;
      return { problem: 'too-large', detail: `is over ${maxBytes} bytes`, isFinal: true };
    }
    received();
    try {
      return await this.#store(fetch, file);
    } finally {
      await file.discard();
    }
  }

  async #store(fetch: Fetch, file: SpooledFile): Promise<NotStored | undefined> {
    const { sql, media, store } = this.#deps;
    const { accountId, id, kind, fileName, lease } = fetch;
    if (file.size === 0 || (fetch.sha256 !== '' && fetch.sha256 !== file.sha256)) {
      const isFinal = fetch.attempts >= MAX_DAMAGED;
      return { problem: 'damaged', detail: 'the content is not what the platform told of it', isFinal };
    }
    const type = await media.typeOf(file, kind, fileName);
    if (type === null) return { problem: 'wrong-type', detail: `the content is no ${kind}`, isFinal: true };
    if (!(await this.#takeRoom(fetch, file.size))) return noRoom;
    await store.put(keyOf(accountId, id), file, type);
    await sql.begin(async (tx) => {
      await tx`
        UPDATE media
        SET state = ${mediaState.stored}, mime_type = ${type}, size = ${file.size}, sha256 = ${file.sha256}, problem = '', detail = ''
        WHERE account_id = ${accountId} AND id = ${id}`;
      await lease.done(tx);
    });
    return undefined;
  }

  /** Charges a file to the account's budget while its lease is held. Returns false when the file would exceed the budget. */
  async #takeRoom({ accountId, id, lease }: Fetch, size: number): Promise<boolean> {
    const { sql, budgets } = this.#deps;
    return sql.begin(async (tx) => {
      const amounts = { count: 1, bytes: size };
      const refusal = await budgets.tryTake(tx, accountId, 'files', amounts, { reserve: true });
      if (refusal) return false;
      await tx`UPDATE media SET size = ${size} WHERE account_id = ${accountId} AND id = ${id}`;
      await lease.hold(tx);
      return true;
    });
  }

  async #notStored(fetch: Fetch, { problem, detail, isFinal, afterMs }: NotStored): Promise<Outcome> {
    const { sql, log } = this.#deps;
    const { accountId, id, attempts, lease } = fetch;
    const facts = { account: accountId, media: id, attempts, problem, detail };
    const store = async (tx: TransactionSql) => {
      await tx`
        UPDATE media SET problem = ${problem}, detail = ${detail.slice(0, MAX_DETAIL)}, size = NULL
        WHERE account_id = ${accountId} AND id = ${id}`;
    };
    if (isFinal) {
      log.warn(facts, 'file abandoned, no attempt follows');
      await sql.begin(async (tx) => {
        await store(tx);
        await this.#givenUp(tx, { accountId, key: id });
        await lease.done(tx);
      });
      return 'settled';
    }
    // Outages have their own log lines, and accounts see exhausted budgets in the console.
    log.debug(facts, 'file not fetched yet, trying again later');
    fetchesTotal.inc({ outcome: 'again' });
    const pauseMs = problem === 'over-budget' ? FULL_PAUSE_MS : undefined;
    return { failed: detail, afterMs, pauseMs, also: store };
  }

  async #givenUp(
    tx: TransactionSql,
    { accountId, key: id }: Pick<WorkItem, 'accountId' | 'key'>,
  ): Promise<void> {
    const [row] = await tx<{ problem: string }[]>`
      UPDATE media SET state = ${mediaState.failed} WHERE account_id = ${accountId} AND id = ${id} RETURNING problem`;
    if (row) fetchesTotal.inc({ outcome: row.problem });
  }
}

/** The file waits until the account deletes other files or the operator raises its limit. */
const noRoom: NotStored = {
  problem: 'over-budget',
  detail: 'the budget files of the account is used up',
  isFinal: false,
};

/** Message for people. Connection errors of libraries contain no data of customers. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');
