import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { Events, Pending } from '../events/events.ts';
import type { IdSource } from '../ids.ts';
import { status } from '../messages/statuses.ts';
import type { Logger } from '../observability/log.ts';
import { type BatchEnd, endBatches } from './batches.ts';
import { delivered, failed, recordSeconds } from './metrics.ts';
import { type FinalMessage, type MessageResult, refund, storeResults } from './results.ts';

// News is gathered this long before it is stored: a transaction costs the same for one message as for twenty, and a
// receipt that comes right behind the answer to submit is stored together with it.
const GATHER_MS = 5;
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
  readonly #waiting = new Map<number, AccountWork>();
  readonly #running = new Map<number, Promise<void>>();

  constructor(parts: { sql: Sql; ids: IdSource; clock: Clock; events: Events; log: Logger }) {
    this.#sql = parts.sql;
    this.#ids = parts.ids;
    this.#clock = parts.clock;
    this.#events = parts.events;
    this.#log = parts.log;
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

  /** Takes the end of a batch; it is stored together with the results that were added before. */
  endBatch(end: BatchEnd): void {
    this.#workOf(end.batch.accountId).ends.push(end);
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
    await pause(GATHER_MS);
    for (;;) {
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
      for (const stored of work.stored) stored();
    }
  }

  async #store(accountId: number, work: AccountWork): Promise<void> {
    const started = performance.now();
    const results = [...work.results.values()];
    let final: FinalMessage[] = [];
    let events: Pending | undefined;
    await this.#sql.begin(async (tx) => {
      final = [];
      for (let at = 0; at < results.length; at += GROUP) {
        final.push(...(await storeResults(tx, accountId, results.slice(at, at + GROUP))));
      }
      const now = this.#clock.now();
      const refunds = final.filter((message) => work.results.get(message.id)?.refund);
      if (refunds.length > 0) await refund(tx, this.#ids, now, accountId, refunds, 'not handed to a carrier');
      [events] = await Promise.all([
        this.#recordEvents(tx, accountId, final),
        work.ends.length > 0 ? endBatches(tx, this.#ids, accountId, work.ends) : undefined,
      ]);
    });
    events?.committed();
    recordSeconds.observe((performance.now() - started) / 1000);
    for (const message of final) {
      if (message.status === status.delivered) delivered.inc();
      else failed.inc({ status: message.status });
    }
  }

  #recordEvents(tx: Parameters<Events['record']>[0], accountId: number, final: readonly FinalMessage[]) {
    if (final.length === 0 || !this.#events.wants(accountId, 'message.status')) return undefined;
    return this.#events.record(
      tx,
      accountId,
      final.map((message) => ({
        type: 'message.status' as const,
        at: message.final_at,
        data: {
          message_id: message.id,
          external_id: message.external_id,
          shipment_id: message.shipment_id,
          phone: message.phone,
          source: message.source,
          status: message.status,
          code: message.code,
        },
      })),
    );
  }
}

function merge(known: MessageResult, news: News, at: number): void {
  known.handedAt ??= news.handedAt ?? null;
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
