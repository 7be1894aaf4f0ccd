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
  chargeRevived,
  type FinalMessage,
  type MessageResult,
  type Revived,
  refund,
  revive,
  type StoredResults,
  storeResults,
} from './results.ts';

// News is gathered this long before it is stored, unless there is enough for a statement of a good size: a transaction
// costs nearly the same for one message as for twenty, and a receipt that comes right behind the answer to submit is
// stored together with it.
const GATHER_MS = 10;
const ENOUGH = 200;
// Results in one statement, at most.
const GROUP = 1_000;
const RETRY_MS = 500;

/** What is told of a message; fields that are left out say nothing new. */
export type News = Partial<Omit<MessageResult, 'messageId' | 'phone' | 'at'>> & {
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

/** What is done of cancellations that are taken back. */
interface TakenAllTheSame {
  readonly revived: readonly Revived[];
  readonly final: readonly FinalMessage[];
}

const emptyWork = (): AccountWork => ({ results: new Map(), ends: [], stored: [] });

/**
 * Stores what became of messages, in grouped transactions by account: results, the carrier's ids, ended batches,
 * refunds and events stand or fall together. Until something is stored nothing is acknowledged to anyone; when the
 * database is away, it is tried again and again, and nothing more is handed over once the window is full.
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

  /** Takes news of a message; `stored` is called after it was committed. */
  add(news: News, stored?: () => void): void {
    const work = this.#workOf(news.accountId);
    const at = this.#clock.now();
    const known = work.results.get(news.messageId);
    if (known) merge(known, news, at);
    else {
      work.results.set(news.messageId, {
        messageId: news.messageId,
        phone: news.phone,
        handedAt: news.handedAt ?? null,
        shipmentId: news.shipmentId ?? null,
        channel: news.channel ?? null,
        link: news.link ?? null,
        carrierKeys: news.carrierKeys ?? null,
        delivered: news.delivered ?? 0,
        failure: news.failure ?? null,
        code: news.code ?? null,
        refund: news.refund ?? false,
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
      result: (news, stored) => this.add(news, stored),
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
    const handed = this.#handedOver(accountId, results);
    const alone =
      retries.length === 0 &&
      handed.length === 0 &&
      !results.some((result) => result.refund) &&
      !(canEnd && this.#tellsOfEnds(accountId));
    const final: FinalMessage[] = [];
    let followed: readonly Committed[] = [];
    if (alone) {
      const stored = await this.#storeAll(this.#sql, accountId, results, work.ends);
      final.push(...stored.final);
      if (stored.missed > 0 && results.some(isTaken)) {
        const late = await this.#sql.begin(async (tx) => {
          const { revived, final } = await this.#reviveTaken(tx, accountId, results);
          followed = await this.#payAgain(tx, accountId, [], revived);
          return final;
        });
        final.push(...late);
      }
    } else {
      let events: Pending | undefined;
      const ended = await this.#sql.begin(async (tx) => {
        const fresh = await this.#notHandedYet(tx, accountId, handed);
        const { final: ended, missed } = await this.#storeAll(tx, accountId, results, work.ends);
        let revived: readonly Revived[] = [];
        if (missed > 0 && results.some(isTaken)) {
          const late = await this.#reviveTaken(tx, accountId, results);
          revived = late.revived;
          ended.push(...late.final);
          const ids = new Set(revived.map(({ id }) => id));
          fresh.push(...handed.flatMap(({ messageId, event }) => (ids.has(messageId) ? [event] : [])));
        }
        const refunds = ended.filter((message) => work.results.get(message.id)?.refund);
        followed = await this.#payAgain(tx, accountId, refunds, revived);
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
   * Stores the results of messages that a carrier took while they were cancelled, and whose cancellation is taken back
   * (docs/architecture.md, "What is cancelled"). A cancellation may be stored before the dispatcher has heard of it, so
   * that it is looked for where a result found its message at its end.
   */
  async #reviveTaken(
    tx: TransactionSql,
    accountId: number,
    results: readonly MessageResult[],
  ): Promise<TakenAllTheSame> {
    const taken = results.filter(isTaken);
    const revived = await revive(
      tx,
      accountId,
      taken.map((result) => result.messageId),
    );
    if (revived.length === 0) return { revived, final: [] };
    const ids = new Set(revived.map(({ id }) => id));
    const { final } = await this.#storeAll(
      tx,
      accountId,
      taken.filter((result) => ids.has(result.messageId)),
      [],
    );
    return { revived, final };
  }

  /** Undoes what refunded messages of other channels did, and charges for revived ones. */
  async #payAgain(
    tx: TransactionSql,
    accountId: number,
    refunds: readonly FinalMessage[],
    revived: readonly Revived[],
  ): Promise<Committed[]> {
    // Windows before the wallet, as everybody takes them (docs/chat.md).
    const followed = await this.#adjust(tx, accountId, refunds, revived);
    await chargeRevived(tx, this.#ids, this.#clock.now(), accountId, revived);
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
  async #notHandedYet(
    tx: TransactionSql,
    accountId: number,
    handed: readonly HandedEvent[],
  ): Promise<Event[]> {
    if (handed.length === 0) return [];
    const ids = handed.map(({ messageId }) => messageId);
    const rows = await tx<{ id: number }[]>`
      SELECT id FROM messages
      WHERE account_id = ${accountId} AND id = ANY(${numbers(ids)}::bigint[]) AND handed_at IS NULL AND final_at IS NULL
      ORDER BY id FOR UPDATE`;
    const fresh = new Set(rows.map(({ id }) => id));
    return handed.flatMap(({ messageId, event }) => (fresh.has(messageId) ? [event] : []));
  }

  /** The events of messages that a carrier took, of channels that tell of it. */
  #handedOver(accountId: number, results: readonly MessageResult[]): HandedEvent[] {
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
    reinstated: readonly Revived[],
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

interface HandedEvent {
  readonly messageId: number;
  readonly event: Event;
}

const isTaken = ({ handedAt }: MessageResult) => handedAt !== null;

const isSubmitted = (result: MessageResult): result is SubmittedMessage =>
  result.handedAt !== null && result.shipmentId !== null && result.link !== null;

function merge(known: MessageResult, news: News, at: number): void {
  known.handedAt ??= news.handedAt ?? null;
  known.shipmentId ??= news.shipmentId ?? null;
  known.channel ??= news.channel ?? null;
  known.link = news.link ?? known.link;
  known.carrierKeys = news.carrierKeys ?? known.carrierKeys;
  // The first outcome stays, here as in the database: what contradicts it is not heard.
  if (known.failure === null && known.delivered !== -1) {
    known.delivered |= news.delivered ?? 0;
    known.failure = news.failure ?? null;
    known.code = news.code ?? known.code;
    known.refund ||= news.refund ?? false;
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
