import type { Committed, DeliveryHooks, SubmittedMessage } from '../channels/contract.ts';
import type { Clock } from '../clock.ts';
import { numbers } from '../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { Events, Pending } from '../events/events.ts';
import type { Event } from '../events/types.ts';
import type { IdSource } from '../ids.ts';
import type { Logger } from '../observability/log.ts';
import { OwnerStuck, own } from '../owners.ts';
import { status } from '../statuses.ts';
import { type BatchEnd, queueRetries } from './batches.ts';
import { delivered, failed, recordSeconds } from './metrics.ts';
import { isOfRow, Quarantine } from './quarantine.ts';
import {
  chargeReinstated,
  type FinalMessage,
  type MessageResult,
  type Reinstated,
  refund,
  reinstate,
  type StoredResults,
  storeResults,
} from './results.ts';

// Delivery updates are gathered this long before they are stored, unless there is enough for a statement of a good
// size: a transaction costs nearly the same for one message as for twenty, and a receipt that comes right behind the
// answer to submit is stored together with it.
const GATHER_MS = 10;
const ENOUGH = 200;
// Results in one statement, at most.
const GROUP = 1_000;
const RETRY_MS = 500;

/** What is told of a message; fields that are left out say nothing new. */
export type DeliveryUpdate = Partial<Omit<MessageResult, 'messageId' | 'phone' | 'at'>> & {
  readonly accountId: number;
  readonly messageId: number;
  readonly phone: string;
};

interface AccountWork {
  results: Map<number, MessageResult>;
  ends: BatchEnd[];
  stored: (() => void)[];
}

export interface RecorderDeps {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: Logger;
  /** By the ids of their channels: of every channel whose messages are dispatched. */
  readonly hooks: ReadonlyMap<number, DeliveryHooks>;
  /** Called after a commit with the messages that have changed. */
  readonly changed?: (accountId: number, messageIds: Iterable<number>) => void;
}

/** What is done when cancellations are reversed. */
interface TakenAllTheSame {
  readonly reinstated: readonly Reinstated[];
  readonly final: readonly FinalMessage[];
}

const emptyWork = (): AccountWork => ({ results: new Map(), ends: [], stored: [] });

/**
 * Stores what became of messages, in grouped transactions by account: results, the carrier's ids, ended batches,
 * refunds and events stand or fall together. Until something is stored nothing is acknowledged to anyone; when the
 * database is away, it is tried again and again, and nothing more is submitted once the window is full.
 */
export class Recorder {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  readonly #events: Events;
  readonly #log: Logger;
  readonly #hooks: ReadonlyMap<number, DeliveryHooks>;
  readonly #changed: RecorderDeps['changed'];
  readonly #quarantine: Quarantine;
  readonly #waiting = new Map<number, AccountWork>();
  readonly #running = new Map<number, Promise<void>>();

  constructor(deps: RecorderDeps) {
    this.#sql = deps.sql;
    this.#ids = deps.ids;
    this.#clock = deps.clock;
    this.#events = deps.events;
    this.#log = deps.log;
    this.#hooks = deps.hooks;
    this.#changed = deps.changed;
    this.#quarantine = new Quarantine(deps);
  }

  /** Takes delivery updates of a message; `stored` is called after it was committed. */
  add(update: DeliveryUpdate, stored?: () => void): void {
    const work = this.#workOf(update.accountId);
    const at = this.#clock.now();
    const known = work.results.get(update.messageId);
    if (known) merge(known, update, at);
    else {
      work.results.set(update.messageId, {
        messageId: update.messageId,
        phone: update.phone,
        handedAt: update.handedAt ?? null,
        shipmentId: update.shipmentId ?? null,
        channel: update.channel ?? null,
        link: update.link ?? null,
        carrierKeys: update.carrierKeys ?? null,
        delivered: update.delivered ?? 0,
        failure: update.failure ?? null,
        code: update.code ?? null,
        refund: update.refund ?? false,
        at,
      });
    }
    if (stored) work.stored.push(stored);
  }

  /**
   * Takes the end of a batch; it is stored together with the results that were added before. `stored` is called after
   * it was committed.
   */
  endBatch(end: BatchEnd, stored: () => void): void {
    const work = this.#workOf(end.batch.accountId);
    work.ends.push(end);
    work.stored.push(stored);
  }

  /** Tries what was put into quarantine again, where somebody asked for it. */
  retryQuarantined(): Promise<void> {
    return this.#quarantine.retry({
      result: (update, stored) => this.add(update, stored),
      end: (end, stored) => this.endBatch(end, stored),
    });
  }

  /** Fulfilled when everything that was added is stored. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #workOf(accountId: number): AccountWork {
    let work = this.#waiting.get(accountId);
    if (!work) {
      work = emptyWork();
      this.#waiting.set(accountId, work);
    }
    if (!this.#running.has(accountId)) {
      this.#running.set(accountId, this.#run(accountId));
    }
    return work;
  }

  async #run(accountId: number): Promise<void> {
    for (;;) {
      if ((this.#waiting.get(accountId)?.results.size ?? 0) < ENOUGH) await pause(GATHER_MS);
      const work = this.#waiting.get(accountId);
      if (!work) {
        // In the same turn as the look, so that what is added next starts a new run.
        this.#running.delete(accountId);
        return;
      }
      this.#waiting.delete(accountId);
      await this.#keepStoring(accountId, work);
      if (work.results.size > 0) this.#changed?.(accountId, work.results.keys());
      for (const stored of work.stored) stored();
    }
  }

  /**
   * Stores, again and again while the database is away. What it cannot store, whatever happens, is looked for by halves
   * and put into quarantine.
   */
  async #keepStoring(accountId: number, work: AccountWork): Promise<void> {
    for (;;) {
      try {
        await own('recorder', () => this.#store(accountId, work));
        return;
      } catch (error) {
        if (isOfRow(error) && (await this.#isolated(accountId, work, error))) return;
        if (isDatabaseTrouble(error) || error instanceof OwnerStuck) {
          this.#log.warn({ err: error, accountId }, 'results wait for the database');
        } else this.#log.error({ err: error, accountId }, 'results could not be stored, trying again');
        await pause(RETRY_MS);
      }
    }
  }

  /** Whether nothing is left to store of what could not be stored as a whole. */
  async #isolated(
    accountId: number,
    { results, ends, stored }: AccountWork,
    error: unknown,
  ): Promise<boolean> {
    const all = [...results];
    if (all.length + ends.length === 1) {
      const [one] = all;
      const kept = one
        ? () => this.#quarantine.keep(accountId, one[1], error)
        : () => this.#quarantine.keepEnd(ends[0]!, error);
      return own('recorder', kept).then(
        () => true,
        () => false,
      );
    }
    // Ends stand behind the results that were added before them.
    const parts = [
      ...halves(all).map((part) => ({ results: new Map(part), ends: [] })),
      ...(all.length === 0 ? halves(ends) : [ends]).map((part) => ({ results: new Map(), ends: part })),
    ];
    for (const part of parts) {
      if (part.results.size + part.ends.length > 0) await this.#keepStoring(accountId, { ...part, stored });
    }
    return true;
  }

  async #store(accountId: number, work: AccountWork): Promise<void> {
    const started = performance.now();
    const results = [...work.results.values()];
    const retries = work.ends.filter(({ batch }) => batch.retries.length > 0);
    const canEnd = results.some((result) => result.delivered !== 0 || result.failure !== null);
    const submitted = this.#submitted(accountId, results);
    const alone =
      retries.length === 0 &&
      submitted.length === 0 &&
      !results.some((result) => result.refund) &&
      !(canEnd && this.#tellsOfEnds(accountId));
    const final: FinalMessage[] = [];
    let followed: readonly Committed[] = [];
    if (alone) {
      const stored = await this.#storeAll(this.#sql, accountId, results, work.ends);
      final.push(...stored.final);
      if (stored.missed > 0 && results.some(isTaken)) {
        const late = await this.#sql.begin(async (tx) => {
          const { reinstated, final } = await this.#reinstateTaken(tx, accountId, results);
          followed = await this.#payAgain(tx, accountId, [], reinstated);
          return final;
        });
        final.push(...late);
      }
    } else {
      let events: Pending | undefined;
      const ended = await this.#sql.begin(async (tx) => {
        const fresh = await this.#notSubmittedYet(tx, accountId, submitted);
        const { final: ended, missed } = await this.#storeAll(tx, accountId, results, work.ends);
        let reinstated: readonly Reinstated[] = [];
        if (missed > 0 && results.some(isTaken)) {
          const late = await this.#reinstateTaken(tx, accountId, results);
          reinstated = late.reinstated;
          ended.push(...late.final);
          const ids = new Set(reinstated.map(({ id }) => id));
          fresh.push(...submitted.flatMap(({ messageId, event }) => (ids.has(messageId) ? [event] : [])));
        }
        const refunds = ended.filter((message) => work.results.get(message.id)?.refund);
        followed = await this.#payAgain(tx, accountId, refunds, reinstated);
        await refund(tx, this.#ids, this.#clock.now(), accountId, refunds, 'not delivered');
        [events] = await Promise.all([
          this.#events.record(tx, accountId, [...fresh, ...this.#endings(ended)]),
          queueRetries(tx, this.#ids, accountId, retries),
        ]);
        return ended;
      });
      final.push(...ended);
      events?.committed();
    }
    for (const one of followed) one.committed();
    recordSeconds.observe((performance.now() - started) / 1000);
    for (const message of final) {
      if (message.status === status.delivered) delivered.inc();
      else failed.inc({ status: message.status });
    }
  }

  /**
   * Stores the results of messages that a carrier took while they were cancelled, and whose cancellation is reversed
   * (docs/architecture.md, "What is cancelled"). A cancellation may be stored before the dispatcher has heard of it, so
   * that it is looked for where a result found its message at its end.
   */
  async #reinstateTaken(
    tx: TransactionSql,
    accountId: number,
    results: readonly MessageResult[],
  ): Promise<TakenAllTheSame> {
    const taken = results.filter(isTaken);
    const reinstated = await reinstate(
      tx,
      accountId,
      taken.map((result) => result.messageId),
    );
    if (reinstated.length === 0) return { reinstated, final: [] };
    const ids = new Set(reinstated.map(({ id }) => id));
    const { final } = await this.#storeAll(
      tx,
      accountId,
      taken.filter((result) => ids.has(result.messageId)),
      [],
    );
    return { reinstated, final };
  }

  /** Undoes what refunded messages of other channels did, and charges for reinstated ones. */
  async #payAgain(
    tx: TransactionSql,
    accountId: number,
    refunds: readonly FinalMessage[],
    reinstated: readonly Reinstated[],
  ): Promise<Committed[]> {
    // Windows before the wallet, as everybody takes them (docs/chat.md).
    const followed = await this.#adjust(tx, accountId, refunds, reinstated);
    await chargeReinstated(tx, this.#ids, this.#clock.now(), accountId, reinstated);
    return followed;
  }

  /** All results, in as many statements as they need; batches end with the last one. */
  async #storeAll(
    sql: Queryable,
    accountId: number,
    results: readonly MessageResult[],
    ends: readonly BatchEnd[],
  ): Promise<StoredResults> {
    const final: FinalMessage[] = [];
    let missed = 0;
    const ended = ends.map(({ batch }) => batch.id);
    let at = 0;
    do {
      const isLast = at + GROUP >= results.length;
      const part = results.slice(at, at + GROUP);
      const stored = await storeResults(sql, accountId, part, isLast ? ended : []);
      final.push(...stored.final);
      missed += stored.missed;
      at += GROUP;
    } while (at < results.length);
    return { final, missed };
  }

  /**
   * Of these events those of messages of which it was not known yet: the network's own word that it has one may come
   * before its answer, and by another process. The messages are locked.
   */
  async #notSubmittedYet(
    tx: TransactionSql,
    accountId: number,
    submitted: readonly SubmittedEvent[],
  ): Promise<Event[]> {
    if (submitted.length === 0) return [];
    const ids = submitted.map(({ messageId }) => messageId);
    const rows = await tx<{ id: number }[]>`
      SELECT id FROM messages
      WHERE account_id = ${accountId} AND id = ANY(${numbers(ids)}::bigint[]) AND handed_at IS NULL AND final_at IS NULL
      ORDER BY id FOR UPDATE`;
    const fresh = new Set(rows.map(({ id }) => id));
    return submitted.flatMap(({ messageId, event }) => (fresh.has(messageId) ? [event] : []));
  }

  /** The events of messages that a carrier took, of channels that tell of it. */
  #submitted(accountId: number, results: readonly MessageResult[]): SubmittedEvent[] {
    return results.flatMap((result) => {
      const { submitted, eventType } = this.#hooks.get(result.channel ?? -1) ?? {};
      if (!submitted || !eventType || !isSubmitted(result)) return [];
      if (!this.#events.wants(accountId, eventType)) return [];
      return [{ messageId: result.messageId, event: submitted(result) }];
    });
  }

  /** Whether an endpoint of the account wants an event that tells of the end of a message. */
  #tellsOfEnds(accountId: number): boolean {
    return this.#hooks
      .values()
      .some(({ eventType }) => eventType !== null && this.#events.wants(accountId, eventType));
  }

  async #adjust(
    tx: TransactionSql,
    accountId: number,
    reversed: readonly FinalMessage[],
    reinstated: readonly Reinstated[],
  ): Promise<Committed[]> {
    const followed: Committed[] = [];
    for (const [channel, { adjust }] of this.#hooks) {
      if (!adjust) continue;
      const mine = (message: { readonly channel: number }) => message.channel === channel;
      const adjustment = { reversed: reversed.filter(mine), reinstated: reinstated.filter(mine) };
      if (adjustment.reversed.length + adjustment.reinstated.length === 0) continue;
      const pending = await adjust(tx, accountId, adjustment);
      if (pending) followed.push(pending);
    }
    return followed;
  }

  #endings(messages: readonly FinalMessage[]): Event[] {
    return messages.flatMap((message) => this.#hooks.get(message.channel)?.final(message) ?? []);
  }
}

interface SubmittedEvent {
  readonly messageId: number;
  readonly event: Event;
}

const isTaken = ({ handedAt }: MessageResult) => handedAt !== null;

const isSubmitted = (result: MessageResult): result is SubmittedMessage =>
  result.handedAt !== null && result.shipmentId !== null && result.link !== null;

function merge(known: MessageResult, update: DeliveryUpdate, at: number): void {
  known.handedAt ??= update.handedAt ?? null;
  known.shipmentId ??= update.shipmentId ?? null;
  known.channel ??= update.channel ?? null;
  known.link = update.link ?? known.link;
  known.carrierKeys = update.carrierKeys ?? known.carrierKeys;
  // The first outcome stays, here as in the database: what contradicts it is not heard.
  if (known.failure === null && known.delivered !== -1) {
    known.delivered |= update.delivered ?? 0;
    known.failure = update.failure ?? null;
    known.code = update.code ?? known.code;
    known.refund ||= update.refund ?? false;
  }
  known.at = at;
}

function halves<T>(all: readonly T[]): T[][] {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
