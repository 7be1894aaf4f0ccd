import type { Failure } from '../../channels/contract/failures.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { lockShipment } from '../campaigns/lock.ts';
import { lanes } from '../messages/lanes.ts';
import { shipmentStates } from '../messages/shipment-states.ts';
import type { WorkLease } from '../work/lease.ts';
import type { Work } from '../work/work.ts';
import type { Outcome } from '../work/worker.ts';
import type { Fallbacks, StoredContent } from './fallbacks.ts';
import { FIRST_LOOK_MS, nextLook, SCHEDULED_LOOK_MS } from './looks.ts';
import { helpedByAnotherChannel } from './reasons.ts';
import {
  CANCELLED_WITH_SEND,
  endFallback,
  FALLBACK,
  findOpenFallback,
  type LateMessage,
  lateMessages,
  type OpenFallback,
  type OpenMessages,
  openMessages,
  storeReplaced,
} from './rows.ts';
import type { Within } from './sender.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Recipients of one shipment. */
const BATCH = 1_000;
/** Sends at a time in one process: each waits for the account's wallet. */
const PLACES = 3;
/** Much longer than a step takes. */
const DEADLINE_MS = 120_000;
/** Milliseconds between two attempts while the other channel refuses the send, such as without credit. */
const BLOCKED_MS = MINUTE_MS;
/** Milliseconds of refusals after which a fallback ends: a message would be too late by then. */
const GIVE_UP_MS = 24 * 60 * MINUTE_MS;

/** Why a fallback ends before its messages are decided, other than a cancellation and the code of a refusal. */
const TEXT_LOST = 'text-removed';
/** Why it waits, other than the code of a refusal. */
const PAUSED = 'paused';

export interface FallbackWorkerDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly work: Pick<Work, 'register'>;
  readonly fallbacks: Pick<Fallbacks, 'senderOf'>;
  /** Returns the key of the reason of a failure (channels/failure-reasons.ts). */
  readonly reasonOf: (failure: Failure) => string;
}

/** An open fallback that this process works on. */
interface Claimed extends OpenFallback {
  readonly accountId: number;
  readonly id: number;
  readonly lease: WorkLease;
  readonly stored: StoredContent;
}

/** The shipment was paused, cancelled or removed during the look, or the fallback ended. */
class FallbackStopped extends Error {}

/**
 * Sends by another channel what failed or was not delivered in time. Each send with a fallback is an item of background work until
 * all its messages are decided. A step sends up to 1,000 messages in one shipment, whose transaction stores which messages it
 * replaces: a process that is killed loses none and replaces none twice.
 */
export class FallbackWorker {
  readonly #deps: FallbackWorkerDeps;

  constructor(deps: FallbackWorkerDeps) {
    this.#deps = deps;
    deps.work.register({
      kind: FALLBACK,
      owner: 'fallbacks',
      places: PLACES,
      perAccount: 1,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: [MINUTE_MS] },
      step: (_, lease) => this.#step(lease),
    });
  }

  async #step(lease: WorkLease): Promise<Outcome> {
    const { sql, clock } = this.#deps;
    const { accountId, key: id } = lease.item;
    const row = await findOpenFallback(sql, accountId, id);
    if (!row || row.state === null) return 'done';
    if (row.state === shipmentStates.cancelled) return this.#end(lease, CANCELLED_WITH_SEND);
    const now = clock.now();
    if (row.state === shipmentStates.scheduled) {
      return { later: Math.min(Math.max(row.due_at, now) + FIRST_LOOK_MS, now + SCHEDULED_LOOK_MS) };
    }
    if (row.paused_at !== null) return this.#wait(lease, PAUSED, null);
    const stored = readContent(row.content);
    if (!stored) return this.#end(lease, TEXT_LOST);
    try {
      return await this.#look({ ...row, accountId, id, lease, stored }, now);
    } catch (error) {
      if (error instanceof FallbackStopped) return { later: now + SECOND_MS };
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'try-again') return { failed: error.problem };
      return this.#blocked(lease, row, error);
    }
  }

  /** Sends what is due, and ends the attempt. Throws Refusal and FallbackStopped. */
  async #look(fallback: Claimed, now: number): Promise<Outcome> {
    const { sql } = this.#deps;
    const { accountId, id, place, last_id, after_ms, due_at, is_made, lease } = fallback;
    const limit = now - after_ms;
    const span = { accountId, id, from: place, to: last_id };
    // Before the messages to replace: one that fails in between is among these, or is open still.
    const open = await openMessages(sql, span, limit);
    for (let from = place; ; ) {
      await lease.keep();
      const late = await lateMessages(sql, { ...span, from }, limit, BATCH);
      await this.#replace(
        fallback,
        late.filter((message) => this.#isHelped(message)),
      );
      if (late.length < BATCH) break;
      from = late.at(-1)!.id + 1;
    }
    if (open.first_id === null && is_made) return this.#end(lease, null);
    const look = { isCampaign: fallback.lane === lanes.bulk, dueAt: due_at, afterMs: after_ms };
    return this.#lookLater(fallback, open, nextLook(look, open, now));
  }

  /** Whether another channel may deliver a message. */
  #isHelped({ phone, channel, status, code, handed_at, final_at }: LateMessage): boolean {
    // A pseudonym, in place of the number of somebody whose data was erased.
    if (!/^\d+$/.test(phone)) return false;
    if (final_at === null) return true;
    const failure = { channel, status, code, submitted: handed_at !== null };
    return helpedByAnotherChannel.has(this.#deps.reasonOf(failure));
  }

  /** Sends messages by the other channel. Throws Refusal and FallbackStopped. */
  async #replace(fallback: Claimed, messages: readonly LateMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const { sql, fallbacks } = this.#deps;
    const { accountId, id, channel, lane, campaign_name: campaignName, stored } = fallback;
    const sender = fallbacks.senderOf(channel);
    if (!sender) throw new Error(`no channel ${channel} sends fallbacks`);
    const within: Within = async (tx, shipmentId) => {
      await this.#hold(tx, fallback);
      await storeReplaced(tx, accountId, id, messages, shipmentId);
    };
    try {
      await sender.send(
        { ...stored, accountId, fallbackOf: id, messages, isCampaign: lane === lanes.bulk, campaignName },
        within,
      );
    } catch (error) {
      if (!(error instanceof Refusal) || !isOfRecipients(error)) throw error;
      await sql.begin(async (tx) => {
        await this.#hold(tx, fallback);
        await storeReplaced(tx, accountId, id, messages, null);
      });
    }
  }

  /** Locks a fallback that may send now, with its shipment. Throws FallbackStopped and WorkLost. */
  async #hold(tx: TransactionSql, { accountId, id, lease }: Claimed): Promise<void> {
    await lease.hold(tx);
    const shipment = await lockShipment(tx, accountId, id);
    if (shipment?.state !== shipmentStates.running || shipment.paused_at !== null)
      throw new FallbackStopped();
    const { count } = await tx`
      UPDATE fallbacks SET reason = NULL, blocked_at = NULL
      WHERE account_id = ${accountId} AND id = ${id} AND state = 'open'`;
    if (count === 0) throw new FallbackStopped();
  }

  /** Ends an attempt; the next one is due at a time. */
  #lookLater(fallback: Claimed, open: OpenMessages, at: number): Promise<Outcome> {
    const { accountId, id, last_id, lease } = fallback;
    const place = open.first_id ?? last_id + 1;
    return this.#settle(lease, async (tx) => {
      await tx`
        UPDATE fallbacks SET place = ${place}, reason = NULL, blocked_at = NULL
        WHERE account_id = ${accountId} AND id = ${id} AND state = 'open'`;
      await lease.later(tx, at);
    });
  }

  /** Lets a fallback wait after a refusal; ends it when refusals last too long. */
  #blocked(lease: WorkLease, { blocked_at }: OpenFallback, refusal: Refusal): Promise<Outcome> {
    const now = this.#deps.clock.now();
    const since = blocked_at ?? now;
    const reason = reasonOf(refusal);
    return now - since >= GIVE_UP_MS ? this.#end(lease, reason) : this.#wait(lease, reason, since);
  }

  #wait(lease: WorkLease, reason: string, since: number | null): Promise<Outcome> {
    const { accountId, key: id } = lease.item;
    return this.#settle(lease, async (tx) => {
      await tx`
        UPDATE fallbacks SET reason = ${reason}, blocked_at = ${since}
        WHERE account_id = ${accountId} AND id = ${id} AND state = 'open'`;
      await lease.later(tx, this.#deps.clock.now() + BLOCKED_MS);
    });
  }

  #end(lease: WorkLease, reason: string | null): Promise<Outcome> {
    const { accountId, key: id } = lease.item;
    return this.#settle(lease, async (tx) => {
      await endFallback(tx, accountId, id, reason);
      await lease.done(tx);
    });
  }

  /** Ends the attempt in one transaction with the row of the fallback. */
  async #settle(lease: WorkLease, store: (tx: TransactionSql) => Promise<void>): Promise<Outcome> {
    await this.#deps.sql.begin(async (tx) => {
      await lease.hold(tx);
      await store(tx);
    });
    return 'settled';
  }
}

/** Returns the stored content; undefined if its text cannot be decrypted. */
function readContent(content: string | null): StoredContent | undefined {
  return content === null || content === '' ? undefined : (JSON.parse(content) as StoredContent);
}

/** Returns the reason of a refusal, by the same word for every channel. */
const reasonOf = ({ code, detail }: Refusal): string =>
  code === 'suspended' ? 'account-suspended' : (detail?.reason ?? code);

const ofRecipients: ReadonlySet<string> = new Set([
  'all-blocked',
  'all-filtered',
  'blacklisted',
  'bad-destination',
]);

/** Whether a refusal means that the other channel may send to none of the recipients, now or later. */
const isOfRecipients = ({ code, detail }: Refusal): boolean =>
  ofRecipients.has(code) || detail?.reason === 'no-consent';
