import type { Context } from '../../kit/context.ts';
import { invariant } from '../../kit/observability/invariant.ts';
import { ownCodes, status } from '../../kit/statuses.ts';
import type { SubmitOutcome } from '../carriers/carrier.ts';
import { PAUSED_AT } from '../messages/batch-cutter.ts';
import { RESTING_MS } from '../messages/resting.ts';
import type { BatchReason, Wait } from '../messages/waits.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';
import { CopyPauses } from './copy-pauses.ts';
import type { FairQueue } from './fair-queue.ts';
import type { HeldConnector } from './held-connector.ts';
import { left, resubmitted, retried } from './metrics.ts';
import type { Hold, Permits } from './permits.ts';
import { postpone, type ReturnReason } from './postpone.ts';
import type { Receipts } from './receipts.ts';
import type { Recorder } from './recorder.ts';
import { pauseAfter, pauseAfterRing, type Recalls } from './retry.ts';
import type { StoppedShipments } from './stopped-shipments.ts';

export interface OutcomesDeps extends Pick<Context, 'clock'> {
  readonly recorder: Recorder;
  readonly receipts: Receipts;
  /** Returns the retry settings of channels whose messages disturb somebody each time; undefined for other channels. */
  readonly recallsOf: (channel: number) => Recalls | undefined;
  /** Maximum number of submissions of a message without an answer. */
  readonly maxCopies: number;
  /** Pause before a message of a lost session is submitted again, in milliseconds (see CopyPauses). */
  readonly copyPauseMs: number;
  readonly stopped: StoppedShipments;
  readonly permits: Pick<Permits, 'isSuspended'>;
  /** Returns the queue of a message; undefined when its connector was removed. */
  readonly queueOf: (message: DueMessage) => FairQueue | undefined;
  /** Whether a message leaves a connector that did not take it, with this code, for another one of its route. */
  readonly leaves: (connector: HeldConnector, message: DueMessage, code: string) => boolean;
  /**
   * Called when all messages of a batch have a result or are to be retried at `retryAt`, in milliseconds since the
   * epoch.
   */
  readonly ended: (batch: LoadedBatch, retryAt: number) => void;
  /** Called when there may be capacity for another message. */
  readonly pump: () => void;
}

/** Handles messages after submission, and those that are not submitted: records the outcome, retries, or puts them back. */
export class Outcomes {
  readonly #deps: OutcomesDeps;
  readonly #copyPauses = new WeakMap<HeldConnector, CopyPauses>();

  constructor(deps: OutcomesDeps) {
    this.#deps = deps;
  }

  /** Handles the outcome of a message that a connector submitted. */
  handle(connector: HeldConnector, message: DueMessage, outcome: SubmitOutcome): void {
    const { recorder } = this.#deps;
    const { name } = connector;
    if (this.#leaves(connector, message, outcome)) {
      this.#again(connector, message);
      return;
    }
    const target = { accountId: message.accountId, messageId: message.id, phone: message.destination };
    const stored = () => {
      connector.add(-1);
      this.#deps.pump();
    };
    const refused = (failure: number, code: string) =>
      recorder.add({ ...target, connector: name, failure, code, refund: true }, stored);
    switch (outcome.kind) {
      case 'accepted':
        this.#accepted(connector, message, outcome.carrierIds, stored);
        break;
      case 'refused':
        refused(outcome.status, outcome.code);
        break;
      case 'expired':
        this.#expired(message, ownCodes.validityOver, { connector: name, stored });
        break;
      case 'retry':
        if (outcome.status !== undefined && ++message.rings >= this.#attemptsOf(message)) {
          refused(outcome.status, outcome.code);
          break;
        }
        retried.inc({ code: outcome.code });
        this.#retryLater(
          message,
          this.#waitAfter(connector, outcome.code),
          pauseOf(outcome, message),
          outcome.until,
        );
        recorder.add({ ...target, connector: name, code: outcome.code }, stored);
        break;
      case 'unknown':
        if (++message.copies >= this.#deps.maxCopies || outcome.isLast) {
          this.#unanswered(message, { connector: name, stored });
          break;
        }
        resubmitted.inc();
        if (!this.#pauseCopy(connector, message, outcome.afterMs)) {
          this.#again(connector, message);
          return;
        }
        recorder.add({ ...target, connector: name, code: ownCodes.silent }, stored);
        break;
      case 'again':
        connector.throttled();
        this.#again(connector, message);
        return;
    }
    this.settled(message);
  }

  #leaves(connector: HeldConnector, message: DueMessage, outcome: SubmitOutcome): boolean {
    if (outcome.kind !== 'refused' && outcome.kind !== 'retry') return false;
    if (outcome.isPartial || !this.#deps.leaves(connector, message, outcome.code)) return false;
    left.inc({ link: connector.label, code: outcome.code });
    return true;
  }

  #accepted(
    connector: HeldConnector,
    message: DueMessage,
    carrierIds: readonly string[],
    stored?: () => void,
  ): void {
    const { recorder, receipts, clock } = this.#deps;
    const { name } = connector;
    connector.took();
    const { accountId, id: messageId, destination: phone, shipmentId } = message;
    const target = { accountId, messageId, phone };
    const traced = message.trace !== undefined && { trace: message.trace };
    const carrierKeys = receipts.expect(name, carrierIds, target);
    const { channel } = message.batch;
    recorder.add(
      { ...target, ...traced, shipmentId, channel, handedAt: clock.now(), connector: name, carrierKeys },
      stored,
    );
  }

  /**
   * Handles a late answer of the carrier: the copy of the message in the queue is not sent, neither here nor when its
   * batch is read again.
   */
  late(connector: HeldConnector, message: DueMessage, carrierIds: readonly string[]): void {
    const [waiting] = this.#deps.queueOf(message)?.remove(({ id }) => id === message.id) ?? [];
    this.#accepted(connector, message, carrierIds);
    if (waiting) this.settled(waiting);
  }

  /**
   * Sets the time of the next submission of a message that may have reached its recipient; `afterMs` is that of the
   * outcome. Returns false if it need not wait.
   */
  #pauseCopy(connector: HeldConnector, message: DueMessage, afterMs: number | undefined): boolean {
    const { lane } = message.batch;
    const pauses = this.#pausesOf(connector);
    const wait = this.#waitAfter(connector, ownCodes.silent);
    if (afterMs !== undefined) {
      this.#retryLater(message, wait, Math.max(afterMs, pauses.pauseMs(lane, message.copies)));
      return true;
    }
    if (pauses.isNone) return false;
    pauses.lost(this.#deps.clock.now());
    message.notBefore = pauses.afterLoss(lane, message.copies);
    postpone(message, wait);
    return true;
  }

  #pausesOf(connector: HeldConnector): CopyPauses {
    let pauses = this.#copyPauses.get(connector);
    if (!pauses) {
      pauses = new CopyPauses(this.#deps.copyPauseMs);
      this.#copyPauses.set(connector, pauses);
    }
    return pauses;
  }

  /** Returns the message to the queue, to be submitted as soon as there is capacity. */
  #again(connector: HeldConnector, message: DueMessage): void {
    connector.add(-1);
    if (message.batch.isLost) return;
    if (this.#deps.stopped.isCancelled(message)) {
      this.settled(message);
      return;
    }
    if (this.#deps.stopped.isPaused(message.shipmentId)) {
      this.putBack(message, 'paused');
      return;
    }
    const queue = this.#deps.queueOf(message);
    if (!queue) {
      this.putBack(message, 'no-connection');
      return;
    }
    queue.giveBack(message);
    this.#deps.pump();
  }

  /** Returns the wait of a message after an attempt that ended with this code. */
  #waitAfter({ name }: HeldConnector, code: string): Wait {
    return { reason: reasonOf.get(code) ?? 'retry', from: this.#deps.clock.now(), connector: name, code };
  }

  #retryLater(message: DueMessage, wait: Wait, afterMs: number | undefined, until?: number): void {
    postpone(message, wait);
    if (until !== undefined) message.notBefore = until;
    else message.batch.notBefore = Math.max(message.batch.notBefore, this.#retryAt(message, afterMs));
  }

  /**
   * Returns the earliest time of the next attempt, in milliseconds since the epoch; 0 for the end of the batch's pause.
   */
  #retryAt({ batch, accountId }: DueMessage, afterMs: number | undefined): number {
    const { clock, recallsOf } = this.#deps;
    const at = afterMs === undefined ? 0 : clock.now() + afterMs;
    const recalls = recallsOf(batch.channel);
    if (!recalls) return at;
    return recalls.allowedFrom(accountId, Math.max(at, clock.now() + pauseAfter(batch.attempt)));
  }

  /** Returns the maximum number of attempts that disturb the recipient. */
  #attemptsOf({ batch }: DueMessage): number {
    return this.#deps.recallsOf(batch.channel)?.attempts ?? 1;
  }

  /** Ends a message whose validity has ended. Refunds it, unless it may have reached its recipient. */
  #expired(
    message: DueMessage,
    code: string,
    { connector, stored }: { connector?: string; stored?: () => void },
  ): void {
    if (message.copies > 0) {
      this.#unanswered(message, { connector, stored });
      return;
    }
    const { accountId, id: messageId, destination: phone } = message;
    const end = { accountId, messageId, phone, failure: status.expired, code, refund: true };
    this.#deps.recorder.add({ ...end, connector: connector ?? null }, stored);
  }

  /** Ends a message that may have reached its recipient without a carrier's answer. */
  #unanswered(message: DueMessage, { connector, stored }: { connector?: string; stored?: () => void }): void {
    const { accountId, id: messageId, destination: phone } = message;
    const { channel } = message.batch;
    const end = { accountId, messageId, phone, failure: status.unknown, code: ownCodes.silent };
    this.#deps.recorder.add({ ...end, channel, isUnanswered: true, connector: connector ?? null }, stored);
  }

  /** Ends a message whose validity ended before its turn. */
  expire(message: DueMessage): void {
    this.#expired(message, ownCodes.expired, {});
    this.settled(message);
  }

  /** Ends a message whose batch was submitted by too many processes that stored no outcome. */
  giveUp(message: DueMessage): void {
    this.#unanswered(message, {});
    this.settled(message);
  }

  /** Fails and refunds a message that no carrier received. */
  fail(message: DueMessage, failure: number, code: string): void {
    const { accountId, id: messageId, destination: phone } = message;
    this.#deps.recorder.add({ accountId, messageId, phone, failure, code, refund: true });
    this.settled(message);
  }

  /**
   * Holds a message that the sending policy of its account does not permit now: it waits until it is permitted. If its
   * validity ends first, it fails and is refunded, unless the policy makes it wait: then its validity is extended when
   * it is read again.
   */
  hold(message: DueMessage, { until, waits, reason, code, failure = status.notAtThisHour }: Hold): void {
    const isLate = until >= message.validUntil;
    if (reason === null || (isLate && !waits)) {
      this.fail(message, failure, code);
      return;
    }
    const { accountId, id: messageId, destination: phone } = message;
    this.#deps.recorder.add({ accountId, messageId, phone, code });
    if (!isLate) message.notBefore = until;
    this.putBack(message, reason);
  }

  /** Puts a message into a later batch, for any process. */
  putBack(message: DueMessage, reason: BatchReason | ReturnReason): void {
    postpone(message, isReturn(reason) ? reason : { reason, from: this.#deps.clock.now() });
    this.settled(message);
  }

  /** As `putBack`. A message whose validity has ended expires. */
  putBackOrExpire(message: DueMessage, reason: BatchReason | ReturnReason): void {
    if (message.validUntil <= this.#deps.clock.now()) this.expire(message);
    else this.putBack(message, reason);
  }

  /** Removes a message from its batch, which ends with its last message. */
  settled({ batch, shipmentId }: DueMessage): void {
    if (batch.isLost) return;
    if (--batch.outstanding > 0) return;
    invariant(batch.outstanding === 0, 'lease', () => ({ batch: batch.id, outstanding: batch.outstanding }));
    const isPaused = batch.heldShipmentId !== null && this.#deps.stopped.isPaused(shipmentId);
    const pauseMs = batch.isMoved ? 0 : pauseAfter(batch.attempt);
    const retryAt = Math.max(this.#deps.clock.now() + pauseMs, batch.notBefore);
    const rests = this.#deps.permits.isSuspended(batch.accountId);
    this.#deps.ended(batch, isPaused ? PAUSED_AT : rests ? retryAt + RESTING_MS : retryAt);
  }
}

/** Reasons of waits after an attempt, by its code. */
const reasonOf: ReadonlyMap<string, BatchReason> = new Map([
  [ownCodes.down, 'no-connection'],
  [ownCodes.senderRate, 'sender-rate'],
  [ownCodes.silent, 'unanswered'],
]);

const isReturn = (reason: BatchReason | ReturnReason): reason is ReturnReason =>
  reason === 'paused' || reason === 'suspended' || reason === 'moved';

/** Returns the minimum wait of a message in milliseconds; undefined if only the pause of its batch applies. */
function pauseOf(
  { afterMs, status }: SubmitOutcome & { kind: 'retry' },
  { rings }: DueMessage,
): number | undefined {
  return status === undefined || afterMs === undefined ? afterMs : pauseAfterRing(afterMs, rings);
}
