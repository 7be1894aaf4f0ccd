import type { Channels } from '../../channels/contract/channels.ts';
import { rangeOf } from '../../database/arrays.ts';
import { bigints } from '../../database/binary-arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import type { Placements } from '../../database/placements.ts';
import { isOfAccounts, isWithin, rowsByKey } from '../../database/rows-by-key.ts';
import type { Clock } from '../../kit/clock.ts';
import type { IdSource } from '../../kit/ids.ts';
import { spanTime, type Tracing } from '../../kit/observability/tracing/tracing.ts';
import { status } from '../../kit/statuses.ts';
import type { Prices } from '../../modules/accounts/prices.ts';
import type { StatusReport } from '../callbacks/format.ts';
import type { StatusCallbacks, StoredCallback } from '../callbacks/status-callbacks.ts';
import type { Events } from '../events/events.ts';
import { type Event, withTrace } from '../events/types.ts';
import { inGroup } from '../messages/traces.ts';
import type { AccountWork } from './account-work.ts';
import { type BatchEnd, queueRetries } from './batch-ends.ts';
import type { DeliveryHooks, SubmittedMessage } from './hooks.ts';
import { delivered, failed, recordSeconds } from './metrics.ts';
import {
  type FinalMessage,
  type MessageResult,
  moveCredit,
  type Reinstated,
  reinstate,
  type StoredResults,
  storeResults,
} from './results.ts';
import { traceFinal, tracesOf } from './traces.ts';

// Maximum results per statement.
const GROUP = 1_000;
// Milliseconds that a group of several accounts waits for a locked row. Cancelling very many messages locks those of
// its account for seconds, and the other accounts must not wait for that.
const LOCK_MS = 250;

interface ResultStoreDeps {
  readonly sql: Sql;
  readonly placements: Placements;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly events: Events;
  readonly callbacks: Pick<StatusCallbacks, 'of' | 'event'>;
  readonly channels: Channels;
  readonly prices: Pick<Prices, 'unansweredRefunds'>;
  readonly hooks: ReadonlyMap<number, DeliveryHooks>;
  readonly tracing?: Tracing | undefined;
}

/** An event about an account's message. */
interface AccountEvent {
  readonly accountId: number;
  readonly messageId: number;
  readonly event: Event;
}

/** Effects of reversed cancellations. */
interface TakenAllTheSame {
  readonly reinstated: readonly Reinstated[];
  readonly final: readonly FinalMessage[];
}

/** Work of all accounts to store together. */
interface Together {
  readonly results: readonly MessageResult[];
  readonly byId: ReadonlyMap<number, MessageResult>;
  readonly ends: readonly BatchEnd[];
  readonly submitted: readonly AccountEvent[];
  /** By message id. */
  readonly callbacks: ReadonlyMap<number, StoredCallback>;
}

/** Returns the attributes and traces for the span of a group. */
const membersOf = ({ results, ends }: Together) => ({
  traces: tracesOf(results),
  attributes: { 'carillon.messages': results.length, 'carillon.ended_batches': ends.length },
});

/** Stores the outcomes of messages of some accounts, all or none of them, in statements that the accounts share. */
export class ResultStore {
  readonly #deps: ResultStoreDeps;

  constructor(deps: ResultStoreDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the work of accounts of one placement in one transaction. Rejects with errors of the database; for several
   * accounts also with 55P03 when a row stays locked for longer than LOCK_MS.
   */
  async store(works: readonly AccountWork[]): Promise<void> {
    const started = performance.now();
    const sql = this.#deps.placements.sqlOf(works[0]!.accountId, this.#deps.sql);
    const { byId, results, ends } = togetherOf(works);
    const callbacks = await this.#deps.callbacks.of(sql, results);
    const all = { byId, results, ends, callbacks, submitted: this.#submitted(results, callbacks) };
    await this.#judgeUnanswered(all.results);
    const isOne = works.length === 1;
    const { tracing, channels } = this.#deps;
    const final = await inGroup(
      tracing,
      'store results',
      () => membersOf(all),
      () =>
        isOne && this.#isAlone(all)
          ? this.#storeAlone(sql, all)
          : this.#storeTogether(sql, all, isOne ? {} : { lockMs: LOCK_MS }),
    );
    if (tracing) {
      const offset = spanTime() - this.#deps.clock.now();
      traceFinal(tracing, channels, final, ({ id }) => (all.byId.get(id)?.at ?? 0) + offset);
    }
    recordSeconds.observe((performance.now() - started) / 1000);
    for (const message of final) {
      if (message.status === status.delivered) delivered.inc();
      else failed.inc({ status: message.status });
    }
  }

  /** Refunds messages that ended without a carrier's answer, if the price list allows it. */
  async #judgeUnanswered(results: readonly MessageResult[]): Promise<void> {
    const { channels, prices } = this.#deps;
    const unanswered = results.filter(({ isUnanswered }) => isUnanswered);
    for (const [channel, mine] of Map.groupBy(unanswered, (result) => result.channel!)) {
      const accounts = [...new Set(mine.map(({ accountId }) => accountId))];
      const refunds = await prices.unansweredRefunds(accounts, channels.of(channel).name);
      for (const result of mine) result.refund = refunds.get(result.accountId)!(result.phone);
    }
  }

  /** Whether one statement can store it. */
  #isAlone({ results, ends, submitted, callbacks }: Together): boolean {
    const canEnd = results.some((result) => result.delivered !== 0 || result.failure !== null);
    return (
      submitted.length === 0 &&
      callbacks.size === 0 &&
      !ends.some(({ batch }) => batch.retries.length > 0) &&
      !results.some((result) => result.refund) &&
      !(canEnd && this.#tellsOfEnds(results[0]!.accountId))
    );
  }

  async #storeAlone(sql: Sql, { results, ends }: Together) {
    const { final, missed } = await this.#storeAll(sql, results, ends);
    if (missed > 0 && results.some(isTaken)) {
      const late = await sql.begin(async (tx) => {
        const { reinstated, final } = await this.#reinstateTaken(tx, results);
        await this.#payAgain(tx, [], reinstated);
        return final;
      });
      final.push(...late);
    }
    return final;
  }

  async #storeTogether(sql: Sql, together: Together, options: { lockMs?: number }) {
    const { results, byId, ends, submitted } = together;
    const { ids, events } = this.#deps;
    const retries = ends.filter(({ batch }) => batch.retries.length > 0);
    return sql.begin(options, async (tx) => {
      const fresh = await this.#notSubmittedYet(tx, submitted);
      const plain = ends.filter(({ batch }) => batch.retries.length === 0);
      const { final: ended, missed } = await this.#storeAll(tx, results, plain);
      let reinstated: readonly Reinstated[] = [];
      if (missed > 0 && results.some(isTaken)) {
        const late = await this.#reinstateTaken(tx, results);
        reinstated = late.reinstated;
        ended.push(...late.final);
        const again = new Set(reinstated.map(({ id }) => id));
        fresh.push(...submitted.filter(({ messageId }) => again.has(messageId)));
      }
      const refunds = ended.filter((message) => byId.get(message.id)?.refund);
      await this.#payAgain(tx, refunds, reinstated);
      const told = [...fresh, ...this.#endings(ended, together)];
      await Promise.all([events.recordEach(tx, eventsByAccount(told)), queueRetries(tx, ids, retries)]);
      return ended;
    });
  }

  /**
   * Stores the results of messages that a carrier accepted while they were being cancelled, and reverses their
   * cancellation (docs/decisions/0002-database-between-accepting-and-sending.md). A cancellation may be stored before
   * the dispatcher learns of it, so it is checked when the message of a result is already final.
   */
  async #reinstateTaken(tx: TransactionSql, results: readonly MessageResult[]): Promise<TakenAllTheSame> {
    const taken = results.filter(isTaken);
    const reinstated = await reinstate(tx, taken);
    if (reinstated.length === 0) return { reinstated, final: [] };
    const ids = new Set(reinstated.map(({ id }) => id));
    const { final } = await this.#storeAll(
      tx,
      taken.filter((result) => ids.has(result.messageId)),
      [],
    );
    return { reinstated, final };
  }

  /** Refunds messages, reverses side effects of other channels, and charges for reinstated messages. */
  async #payAgain(
    tx: TransactionSql,
    refunds: readonly FinalMessage[],
    reinstated: readonly Reinstated[],
  ): Promise<void> {
    if (refunds.length + reinstated.length === 0) return;
    const { ids, clock } = this.#deps;
    // All code locks windows before wallets (docs/chat.md).
    await this.#adjust(tx, refunds, reinstated);
    await moveCredit(tx, ids, clock.now(), { refunds, reinstated });
  }

  /** Stores all results, in as many statements as needed; batches end with the last one. */
  async #storeAll(
    sql: Queryable,
    results: readonly MessageResult[],
    ends: readonly BatchEnd[],
  ): Promise<StoredResults> {
    const final: FinalMessage[] = [];
    let missed = 0;
    let at = 0;
    do {
      const isLast = at + GROUP >= results.length;
      const part = results.slice(at, at + GROUP);
      const { channels, tracing } = this.#deps;
      const stored = await storeResults(sql, channels, part, isLast ? ends : [], tracing !== undefined);
      final.push(...stored.final);
      missed += stored.missed;
      at += GROUP;
    } while (at < results.length);
    return { final, missed };
  }

  /**
   * Returns the events of messages that were not stored as submitted yet: the network's status may arrive before its
   * answer, and in another process. Locks the messages.
   */
  async #notSubmittedYet(tx: TransactionSql, submitted: readonly AccountEvent[]): Promise<AccountEvent[]> {
    if (submitted.length === 0) return [];
    const ids = submitted.map(({ messageId }) => messageId);
    const keys = tx`${bigints(submitted.map(({ accountId }) => accountId))}::bigint[], ${bigints(ids)}::bigint[]`;
    const rows = await tx<{ id: number }[]>`
      SELECT m.id FROM ${rowsByKey(tx, ids.length, tx`account_id, id`, keys)}
      JOIN messages m ON m.account_id = u.account_id AND m.id = u.id
      WHERE ${isOfAccounts(tx, tx`m.account_id`, submitted)} AND ${isWithin(tx, tx`m.id`, rangeOf(ids))}
        AND m.handed_at IS NULL AND m.final_at IS NULL
      ORDER BY m.id FOR UPDATE OF m`;
    const fresh = new Set(rows.map(({ id }) => id));
    return submitted.filter(({ messageId }) => fresh.has(messageId));
  }

  /** Returns the events of messages that a carrier accepted, for channels that report it. */
  #submitted(
    results: readonly MessageResult[],
    callbacks: ReadonlyMap<number, StoredCallback>,
  ): AccountEvent[] {
    const { hooks, events } = this.#deps;
    return results.flatMap((result) => {
      if (!isSubmitted(result)) return [];
      const { submitted, eventType } = hooks.get(result.channel ?? -1) ?? {};
      const { accountId, messageId, trace } = result;
      const isWanted = submitted && eventType && events.wants(accountId, eventType);
      const happened = [
        ...(isWanted ? [submitted(result)] : []),
        ...this.#reported(callbacks.get(messageId), (callback) => submittedReport(result, callback)),
      ];
      return happened.map((event) => ({ accountId, messageId, event: withTrace(event, trace) }));
    });
  }

  /** Returns the event of a status callback, if the message has one that asks for this status. */
  #reported(
    callback: StoredCallback | undefined,
    reportOf: (callback: StoredCallback) => StatusReport,
  ): Event[] {
    const event = callback && this.#deps.callbacks.event(reportOf(callback), callback);
    return event ? [event] : [];
  }

  /** Whether an endpoint of the account receives events about final messages. */
  #tellsOfEnds(accountId: number): boolean {
    const { hooks, events } = this.#deps;
    return hooks.values().some(({ eventType }) => eventType !== null && events.wants(accountId, eventType));
  }

  async #adjust(
    tx: TransactionSql,
    reversed: readonly FinalMessage[],
    reinstated: readonly Reinstated[],
  ): Promise<void> {
    for (const [channel, { adjust }] of this.#deps.hooks) {
      if (!adjust) continue;
      const mine = (message: { readonly channel: number }) => message.channel === channel;
      const [back, again] = [reversed.filter(mine), reinstated.filter(mine)];
      const accounts = new Set([...back, ...again].map(({ account_id }) => account_id));
      for (const accountId of [...accounts].sort((a, b) => a - b)) {
        const of = ({ account_id }: { readonly account_id: number }) => account_id === accountId;
        await adjust(tx, accountId, { reversed: back.filter(of), reinstated: again.filter(of) });
      }
    }
  }

  #endings(messages: readonly FinalMessage[], { byId, callbacks }: Together): AccountEvent[] {
    return messages.flatMap((message) => {
      const { account_id: accountId, id: messageId, trace } = message;
      const event = this.#deps.hooks.get(message.channel)?.final(message);
      const happened = [
        ...(event ? [event] : []),
        ...this.#reported(callbacks.get(messageId), (callback) =>
          finalReport(message, byId.get(messageId), callback),
        ),
      ];
      return happened.map((one) => ({ accountId, messageId, event: withTrace(one, trace) }));
    });
  }
}

/** Returns the report that a carrier accepted a message. */
function submittedReport(result: SubmittedMessage, { shipmentId }: StoredCallback): StatusReport {
  const { messageId, phone, handedAt, connector, carrierKeys } = result;
  return {
    kind: 'submitted',
    messageId,
    shipmentId,
    phone,
    status: status.sent,
    code: null,
    wasSubmitted: true,
    submittedAt: handedAt,
    connector,
    carrierId: carrierKeys?.[0] ?? null,
    at: handedAt,
  };
}

/** Returns the report of the final status of a message. `result` is its update, which may lack what was stored before. */
function finalReport(
  message: FinalMessage,
  result: MessageResult | undefined,
  callback: StoredCallback,
): StatusReport {
  const submittedAt = result?.handedAt ?? callback.submittedAt;
  return {
    kind: 'final',
    messageId: message.id,
    shipmentId: message.shipment_id,
    phone: message.phone,
    status: message.status,
    code: message.code,
    wasSubmitted: submittedAt !== null,
    submittedAt,
    connector: result?.connector ?? callback.connector,
    carrierId: result?.carrierKeys?.[0] ?? callback.carrierId,
    at: message.final_at,
  };
}

/** Combines work, with results ordered by id: all processes lock rows in this order. */
function togetherOf(works: readonly AccountWork[]): Pick<Together, 'byId' | 'results' | 'ends'> {
  const byId = works.length === 1 ? works[0]!.results : new Map(works.flatMap(({ results }) => [...results]));
  const results = [...byId.values()].sort((a, b) => a.messageId - b.messageId);
  return { results, byId, ends: works.flatMap(({ ends }) => ends) };
}

function eventsByAccount(events: readonly AccountEvent[]): Map<number, Event[]> {
  const byAccount = new Map<number, Event[]>();
  for (const { accountId, event } of events) {
    const known = byAccount.get(accountId);
    if (known) known.push(event);
    else byAccount.set(accountId, [event]);
  }
  return byAccount;
}

const isTaken = ({ handedAt }: MessageResult) => handedAt !== null;

const isSubmitted = (result: MessageResult): result is SubmittedMessage =>
  result.handedAt !== null && result.shipmentId !== null && result.connector !== null;
