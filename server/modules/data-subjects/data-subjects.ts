import { setTimeout as pause } from 'node:timers/promises';
import type { Events } from '../../engine/events/events.ts';
import { type WorkLease, WorkLost } from '../../engine/work/lease.ts';
import type { WorkRunner } from '../../engine/work/runner.ts';
import type { Work } from '../../engine/work/work.ts';
import type { Outcome, WorkItem } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { SealedValueError } from '../../secrets/secret-box.ts';
import { Mentions } from '../personal-data/mentions.ts';
import {
  addCounts,
  type Counts,
  type Erasure,
  type OwnUse,
  type PersonalDataPart,
  type Search,
  totalOf,
} from '../personal-data/part.ts';
import { type DataSubject, type IdentifierKind, pseudonymOf } from '../personal-data/subject.ts';
import { writeArchive } from './archive.ts';
import type { ErasureRecords } from './erasure-records.ts';
import {
  type OpenedRequest,
  previousRequests,
  SUBJECT_REQUEST,
  type SubjectRequest,
  type SubjectRequests,
} from './requests.ts';

const MINUTE_MS = 60_000;
/** How long the start of the service waits for erasures that are carried out again. */
const TURN_MS = MINUTE_MS;
/** Of one attempt; and without progress. */
const DEADLINE_MS = 60 * MINUTE_MS;
const LIMIT_MS = 5 * MINUTE_MS;
/** Pauses before a request is tried again that could not go on. It never ends without a result. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000];
/**
 * After an erasure it is looked again for what was under way: results of messages that were being submitted, parts of long SMS,
 * a page of a campaign.
 */
const RECHECK_AFTER_MS = 15 * MINUTE_MS;
/** Until it is looked again whether imports have ended. */
const BUSY_MS = 5_000;
/** Rounds of an erasure in which something was found: more than one when the person writes meanwhile. */
const MAX_ROUNDS = 10;
/** How long an archive can be downloaded. */
export const ARCHIVE_KEEP_MS = 7 * 86_400_000;

interface DataSubjectsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly log: Logger;
  readonly requests: SubjectRequests;
  readonly records: ErasureRecords;
  readonly events: Pick<Events, 'record'>;
  /** The calling code of the home country. */
  readonly homeCode: string;
  readonly work: Pick<Work, 'register'>;
  /** Of every module and channel. */
  readonly parts: () => readonly PersonalDataPart[];
}

/** What an account has about one person: found, exported, erased. */
export class DataSubjects {
  readonly #deps: DataSubjectsDeps;
  readonly #runner: WorkRunner;

  constructor(deps: DataSubjectsDeps) {
    this.#deps = deps;
    this.#runner = deps.work.register({
      kind: SUBJECT_REQUEST,
      owner: 'data subjects',
      places: 1,
      deadlineMs: DEADLINE_MS,
      limitMs: LIMIT_MS,
      retry: { pausesMs: PAUSES_MS },
      step: (item, lease) => this.#step(item, lease),
      previous: previousRequests,
    });
  }

  /** The tables that the parts take care of. */
  get tables(): readonly string[] {
    return this.#deps.parts().flatMap(({ tables }) => tables);
  }

  /**
   * The person with the ids that the chat platform has of the numbers, and the numbers that it has of the ids: they are one
   * person for sure. Addresses come in the spelling in which they are stored, too. Other identifiers are up to who asks.
   */
  async complete(accountId: number, subject: DataSubject): Promise<DataSubject> {
    const { sql, parts } = this.#deps;
    const found: Partial<DataSubject>[] = [subject];
    for (const part of parts()) found.push((await part.complete?.({ sql, accountId, subject })) ?? {});
    const all = (kind: IdentifierKind) => [...new Set(found.flatMap((some) => some[kind] ?? []))];
    return { phones: all('phones'), addresses: all('addresses'), chatIds: all('chatIds') };
  }

  /** How many rows of each kind there are. Nothing is changed. */
  async count(accountId: number, subject: DataSubject): Promise<Counts> {
    const search = this.#searchOf(accountId, subject, async () => {});
    const counts: Counts = {};
    for (const part of this.#deps.parts()) addCounts(counts, await part.count(search));
    return counts;
  }

  /** What the account itself uses of the identifiers. */
  async ownUses(accountId: number, subject: DataSubject): Promise<OwnUse[]> {
    const { sql, parts } = this.#deps;
    const uses: OwnUse[] = [];
    for (const part of parts()) uses.push(...((await part.ownUses?.({ sql, accountId, subject })) ?? []));
    return uses;
  }

  /** Throws Refusal `not-now` when the account sends from one of the numbers or addresses. */
  async checkErasable(accountId: number, subject: DataSubject): Promise<void> {
    const [own] = await this.ownUses(accountId, subject);
    if (own)
      throw new Refusal(
        'not-now',
        `the account itself uses it as its ${own.use}: remove it there first`,
        undefined,
        { reason: 'used-by-account', params: { use: own.use } },
      );
  }

  /**
   * Cancels what waits to be sent to a person, before the request for their erasure is answered. The erasure itself follows in
   * the background and repeats it, so a failure here is only logged.
   */
  async cancelWaiting(accountId: number, subject: DataSubject): Promise<void> {
    const search = this.#searchOf(accountId, subject, async () => {});
    try {
      for (const part of this.#deps.parts()) await part.cancelWaiting?.(search);
    } catch (error) {
      this.#deps.log.warn({ err: error, accountId }, 'waiting messages of an erasure not cancelled yet');
    }
  }

  /**
   * Carries out erasures again that have a record, but no row, since the database was restored from a backup of before them.
   * Before messages are sent: those that waited for the person at the backup are cancelled.
   */
  async repeatErasures(): Promise<void> {
    const { requests, records, log } = this.#deps;
    let count = 0;
    for (const request of await requests.missing(await records.requests())) {
      try {
        const record = await records.read(request);
        if (record && (await requests.repeat(record))) count++;
      } catch (error) {
        if (!(error instanceof SealedValueError)) throw error;
        log.error({ err: error, request: request.id }, 'an erasure cannot be repeated: its key is missing');
      }
    }
    if (count === 0) return;
    log.warn({ count }, 'the database is older than erasures, which are carried out again');
    // The rest continues in the background.
    await Promise.race([this.#runner.run(), pause(TURN_MS, undefined, { ref: false })]);
  }

  async #step({ accountId, key }: WorkItem, lease: WorkLease): Promise<Outcome> {
    const { requests, log } = this.#deps;
    const request = await requests.begin(accountId, key);
    if (!request) return 'done';
    try {
      await (request.kind === 'export' ? this.#export(request, lease) : this.#erase(request, lease));
      return 'settled';
    } catch (error) {
      if (error instanceof WorkLost) {
        // An erasure has deleted the archive while this process was writing it.
        await requests.deleteLeftovers();
        throw error;
      }
      log.warn({ err: error, request: key }, 'a request about personal data will be tried again');
      return {
        failed: 'fault of the service',
        also: (tx) => requests.setProblem(tx, request, 'tried-again'),
      };
    }
  }

  async #export(request: OpenedRequest, lease: WorkLease): Promise<void> {
    const { sql, requests, clock } = this.#deps;
    // A killed process may have left chunks.
    await requests.deleteArchive(request);
    const search = this.#searchOf(request.account_id, request.subject, () => lease.keep());
    const written = await writeArchive({
      search,
      parts: this.#deps.parts(),
      now: clock.now(),
      store: (sequence, data) => requests.addChunk(request, sequence, data),
    });
    const { counts, ...archive } = written;
    const expiresAt = clock.now() + ARCHIVE_KEEP_MS;
    const to = { state: 'done', dueAt: null, counts, archive: { ...archive, expiresAt } } as const;
    await sql.begin((tx) => requests.settle(tx, request, lease, to));
  }

  async #erase(request: OpenedRequest, lease: WorkLease): Promise<void> {
    const { sql, clock, requests, records, events } = this.#deps;
    const { account_id: accountId, id, subject, reference } = request;
    // First, so that nothing is erased which a restored backup would bring back.
    await records.add({
      ...{ accountId, id, subject, reference },
      ...{ personId: request.person_id, username: request.username, createdAt: request.created_at },
    });
    const erasure = this.#erasureOf(request, () => lease.keep());
    const counts: Counts = { ...request.counts };
    addCounts(counts, { exports: await requests.deleteExports(accountId, subject) });
    const isQuiet = await this.#eraseAll(erasure, counts);
    const isBusy = await this.#isBusy(erasure);
    const now = clock.now();
    const settle = (to: Parameters<SubjectRequests['settle']>[3]) =>
      sql.begin((tx) => requests.settle(tx, request, lease, to));
    if (!isQuiet || isBusy) {
      const problem = isBusy ? 'waits-for-imports' : '';
      return settle({ state: request.state, counts, dueAt: now + BUSY_MS, problem });
    }
    if (request.erased_at === null) {
      return settle({ state: 'rechecking', counts, dueAt: now + RECHECK_AFTER_MS, erasedAt: now });
    }
    await sql.begin(async (tx) => {
      await requests.settle(tx, request, lease, { state: 'done', counts, dueAt: null });
      const data = { request_id: id, reference, counts };
      await events.record(tx, accountId, [{ type: 'data_subject.erased', at: now, data }]);
    });
  }

  /** Goes over all parts until nothing is found any more; false when there was always something. */
  async #eraseAll(erasure: Erasure, counts: Counts): Promise<boolean> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found: Counts = {};
      for (const part of this.#deps.parts()) addCounts(found, await part.erase(erasure));
      addCounts(counts, found);
      if (totalOf(found) === 0) return true;
    }
    return false;
  }

  async #isBusy(search: Search): Promise<boolean> {
    for (const part of this.#deps.parts()) if (await part.isBusy?.(search)) return true;
    return false;
  }

  #searchOf(accountId: number, subject: DataSubject, keepLease: () => Promise<void>): Search {
    const { sql, homeCode } = this.#deps;
    return { sql, accountId, subject, keepLease, mentions: new Mentions(subject, homeCode) };
  }

  #erasureOf({ account_id, id, subject, key }: OpenedRequest, keepLease: () => Promise<void>): Erasure {
    const { parts } = this.#deps;
    return {
      ...this.#searchOf(account_id, subject, keepLease),
      requestId: id,
      pseudonymOf: (identifier) => pseudonymOf(key, identifier),
      async emptyShipments(tx, shipmentIds) {
        for (const part of parts()) await part.emptyShipments?.(tx, account_id, shipmentIds);
      },
    };
  }
}

export type { SubjectRequest };
