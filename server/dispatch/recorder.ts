import { CHAT_ROUTES } from '../carriers/routing.ts';
import type { Clock } from '../clock.ts';
import { numbers } from '../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { Events, Pending } from '../events/events.ts';
import type { Event } from '../events/types.ts';
import type { IdSource } from '../ids.ts';
import type { Logger } from '../observability/log.ts';
import { status } from '../statuses.ts';
import { type BatchEnd, queueRetries } from './batches.ts';
import { delivered, failed, recordSeconds } from './metrics.ts';
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

export interface RecorderParts {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: Logger;
  /**
   * Undoes what messages of other channels than SMS did beside costing something, when their price goes back, and does
   * it again for those of which that was undone too soon.
   */
  readonly takeBack: (
    tx: TransactionSql,
    accountId: number,
    undone: readonly number[],
    redone: readonly number[],
  ) => Promise<void>;
  /** Called after a commit with the messages that have changed. */
  readonly changed?: (accountId: number, messageIds: Iterable<number>) => void;
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
  readonly #takeBack: RecorderParts['takeBack'];
  readonly #changed: RecorderParts['changed'];
  readonly #waiting = new Map<number, AccountWork>();
  readonly #running = new Map<number, Promise<void>>();

  constructor(parts: RecorderParts) {
    this.#sql = parts.sql;
    this.#ids = parts.ids;
    this.#clock = parts.clock;
    this.#events = parts.events;
    this.#log = parts.log;
    this.#takeBack = parts.takeBack;
    this.#changed = parts.changed;
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
      for (;;) {
        try {
          await this.#store(accountId, work);
          break;
        } catch (error) {
          if (isDatabaseTrouble(error))
            this.#log.warn({ err: error, accountId }, 'results wait for the database');
          else this.#log.error({ err: error, accountId }, 'results could not be stored, trying again');
          await pause(RETRY_MS);
        }
      }
      if (work.results.size > 0) this.#changed?.(accountId, work.results.keys());
      for (const stored of work.stored) stored();
    }
  }

  async #store(accountId: number, work: AccountWork): Promise<void> {
    const started = performance.now();
    const results = [...work.results.values()];
    const retries = work.ends.filter(({ batch }) => batch.retries.length > 0);
    const canEnd = results.some((result) => result.delivered !== 0 || result.failure !== null);
    const handed = this.#handedByChat(accountId, results);
    const alone =
      retries.length === 0 &&
      handed.length === 0 &&
      !results.some((result) => result.refund) &&
      !(canEnd && finalEvents.some((type) => this.#events.wants(accountId, type)));
    let final: FinalMessage[];
    if (alone) {
      const stored = await this.#storeAll(this.#sql, accountId, results, work.ends);
      final = stored.final;
      if (stored.missed > 0 && results.some(isTaken)) {
        const late = await this.#sql.begin(async (tx) => {
          const { revived, final } = await this.#reviveTaken(tx, accountId, results);
          await this.#payAgain(tx, accountId, [], revived);
          return final;
        });
        final.push(...late);
      }
    } else {
      let events: Pending | undefined;
      final = await this.#sql.begin(async (tx) => {
        const now = this.#clock.now();
        const fresh = await this.#notHandedYet(tx, accountId, handed);
        const { final: stored, missed } = await this.#storeAll(tx, accountId, results, work.ends);
        let revived: readonly Revived[] = [];
        if (missed > 0 && results.some(isTaken)) {
          const late = await this.#reviveTaken(tx, accountId, results);
          revived = late.revived;
          stored.push(...late.final);
          const ids = new Set(revived.map(({ id }) => id));
          fresh.push(...handed.filter(({ data }) => ids.has(data.message_id)));
        }
        const refunds = stored.filter((message) => work.results.get(message.id)?.refund);
        await this.#payAgain(tx, accountId, refunds, revived);
        await refund(tx, this.#ids, now, accountId, refunds, 'not handed to a carrier');
        [events] = await Promise.all([
          this.#events.record(tx, accountId, [...fresh, ...stored.map(finalEvent)]),
          queueRetries(tx, this.#ids, accountId, retries),
        ]);
        return stored;
      });
      events?.committed();
    }
    recordSeconds.observe((performance.now() - started) / 1000);
    for (const message of final) {
      if (message.status === status.delivered) delivered.inc();
      else failed.inc({ status: message.status });
    }
  }

  /**
   * Stores the results of messages that a carrier took while they were cancelled, and whose cancellation is taken back.
   * A cancellation may be stored before the dispatcher has heard of it, so that it is looked for where a result found
   * its message at its end.
   */
  async #reviveTaken(
    tx: TransactionSql,
    accountId: number,
    results: readonly MessageResult[],
  ): Promise<{ revived: readonly Revived[]; final: FinalMessage[] }> {
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
  ): Promise<void> {
    // Windows before the wallet, as everybody takes them (docs/chat.md).
    await this.#takeBack(tx, accountId, ofOtherChannels(refunds), ofOtherChannels(revived));
    await chargeRevived(tx, this.#ids, this.#clock.now(), accountId, revived);
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
      const stored = await storeResults(sql, accountId, results.slice(at, at + GROUP), isLast ? ended : []);
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
    const ids = handed.map(({ data }) => data.message_id);
    const rows = await tx<{ id: number }[]>`
      SELECT id FROM messages
      WHERE account_id = ${accountId} AND id = ANY(${numbers(ids)}::bigint[]) AND handed_at IS NULL AND final_at IS NULL
      ORDER BY id FOR UPDATE`;
    const fresh = new Set(rows.map(({ id }) => id));
    return handed.filter(({ data }) => fresh.has(data.message_id));
  }

  /** The events of chat messages that a carrier took; for SMS only the end is one. */
  #handedByChat(accountId: number, results: readonly MessageResult[]): HandedEvent[] {
    if (!results.some(isHandedByChat) || !this.#events.wants(accountId, 'chat.status')) return [];
    return results.filter(isHandedByChat).map(({ messageId, shipmentId, link, phone, handedAt }) => ({
      type: 'chat.status',
      at: handedAt!,
      data: {
        message_id: messageId,
        shipment_id: shipmentId!,
        from: link!.slice(CHAT_ROUTES.length),
        to: phone,
        status: 'sent',
        reason: null,
      },
    }));
  }
}

type HandedEvent = Extract<Event, { type: 'chat.status' }>;

const ofOtherChannels = (messages: readonly Pick<FinalMessage, 'id' | 'channel'>[]) =>
  messages.filter(({ channel }) => channel !== 0).map(({ id }) => id);

const finalEvents = ['message.status', 'chat.status'] as const;

const isTaken = ({ handedAt }: MessageResult) => handedAt !== null;

const isHandedByChat = ({ handedAt, shipmentId, link }: MessageResult) =>
  handedAt !== null && shipmentId !== null && link?.startsWith(CHAT_ROUTES);

function finalEvent(message: FinalMessage): Event {
  const { id: message_id, shipment_id, phone, source, code } = message;
  if (message.channel !== 0) {
    const isDelivered = message.status === status.delivered;
    const what = {
      status: isDelivered ? ('delivered' as const) : ('failed' as const),
      reason: isDelivered ? null : code,
    };
    return {
      type: 'chat.status',
      at: message.final_at,
      data: { message_id, shipment_id, from: source, to: phone, ...what },
    };
  }
  return {
    type: 'message.status',
    at: message.final_at,
    data: {
      message_id,
      external_id: message.external_id,
      shipment_id,
      phone,
      source,
      status: message.status,
      code,
    },
  };
}

function merge(known: MessageResult, news: News, at: number): void {
  known.handedAt ??= news.handedAt ?? null;
  known.shipmentId ??= news.shipmentId ?? null;
  known.link = news.link ?? known.link;
  known.carrierKeys = news.carrierKeys ?? known.carrierKeys;
  known.delivered |= news.delivered ?? 0;
  known.failure ??= news.failure ?? null;
  known.code = news.code ?? known.code;
  known.refund ||= news.refund ?? false;
  known.at = at;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
