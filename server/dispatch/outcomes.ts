import type { SubmitOutcome } from '../carriers/carrier.ts';
import type { Context } from '../context.ts';
import { PAUSED_AT } from '../messages/batch-cutter.ts';
import { invariant } from '../observability/invariant.ts';
import { ownCodes, status } from '../statuses.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';
import type { FairQueue } from './fair-queue.ts';
import type { HeldConnector } from './held-connectors.ts';
import { resubmitted, retried } from './metrics.ts';
import type { Hold } from './permits.ts';
import type { Receipts } from './receipts.ts';
import type { Recorder } from './recorder.ts';
import { pauseAfter, pauseAfterRing, type Recalls } from './retry.ts';
import type { StoppedShipments } from './stopped-shipments.ts';

export interface OutcomesDeps extends Pick<Context, 'clock'> {
  readonly recorder: Recorder;
  readonly receipts: Receipts;
  /** How messages of a channel are tried again that disturb somebody each time; undefined for other channels. */
  readonly recallsOf: (channel: number) => Recalls | undefined;
  /** A message that was submitted so many times without an answer is not sent again. */
  readonly maxCopies: number;
  readonly stopped: StoppedShipments;
  /** Where messages of a batch wait; undefined when their connector was removed. */
  readonly queueOf: (batch: LoadedBatch) => FairQueue | undefined;
  /** All messages of a batch have a result, or are to be tried again at `retryAt`, milliseconds since the epoch. */
  readonly ended: (batch: LoadedBatch, retryAt: number) => void;
  /** There may be room for another message. */
  readonly pump: () => void;
}

/** Outcomes of messages that were submitted, or are not submitted any more: recorded, tried again, or put back. */
export class Outcomes {
  readonly #deps: OutcomesDeps;

  constructor(deps: OutcomesDeps) {
    this.#deps = deps;
  }

  /** A connector has done with a message that it was given. */
  handle(connector: HeldConnector, message: DueMessage, outcome: SubmitOutcome): void {
    const { recorder } = this.#deps;
    const { name } = connector.carrier;
    const target = { accountId: message.accountId, messageId: message.id, phone: message.destination };
    const stored = () => {
      connector.add(-1);
      this.#deps.pump();
    };
    const refused = (failure: number, code: string) =>
      recorder.add({ ...target, link: name, failure, code, refund: true }, stored);
    switch (outcome.kind) {
      case 'accepted':
        this.#accepted(connector, message, outcome.carrierIds, stored);
        break;
      case 'refused':
        refused(outcome.status, outcome.code);
        break;
      case 'expired':
        refused(status.expired, ownCodes.validityOver);
        break;
      case 'retry':
        if (outcome.status !== undefined && ++message.rings >= this.#attemptsOf(message)) {
          refused(outcome.status, outcome.code);
          break;
        }
        retried.inc({ code: outcome.code });
        this.#retryLater(message, pauseOf(outcome, message));
        recorder.add({ ...target, link: name, code: outcome.code }, stored);
        break;
      case 'unknown':
        message.copies++;
        if (message.copies >= this.#deps.maxCopies) {
          // Not given back: it may well have arrived.
          recorder.add({ ...target, link: name, failure: status.unknown, code: ownCodes.silent }, stored);
          break;
        }
        resubmitted.inc();
        if (outcome.afterMs === undefined) {
          this.#again(connector, message);
          return;
        }
        this.#retryLater(message, outcome.afterMs);
        recorder.add({ ...target, link: name, code: ownCodes.silent }, stored);
        break;
      case 'again':
        this.#again(connector, message);
        return;
    }
    this.settled(message);
  }

  #accepted(
    connector: HeldConnector,
    message: DueMessage,
    carrierIds: readonly string[],
    stored?: () => void,
  ): void {
    const { recorder, receipts, clock } = this.#deps;
    const { name } = connector.carrier;
    connector.took();
    const { accountId, id: messageId, destination: phone, shipmentId } = message;
    const target = { accountId, messageId, phone };
    const traced = message.trace !== undefined && { trace: message.trace };
    const carrierKeys = receipts.expect(name, carrierIds, target);
    const { channel } = message.batch;
    recorder.add(
      { ...target, ...traced, shipmentId, channel, handedAt: clock.now(), link: name, carrierKeys },
      stored,
    );
  }

  /** The carrier's answer came after all: what waits of the message is not sent, here or when its batch is read again. */
  late(connector: HeldConnector, message: DueMessage, carrierIds: readonly string[]): void {
    const [waiting] = this.#deps.queueOf(message.batch)?.remove(({ id }) => id === message.id) ?? [];
    this.#accepted(connector, message, carrierIds);
    if (waiting) this.settled(waiting);
  }

  /** To the queue again, for as soon as there is capacity. */
  #again(connector: HeldConnector, message: DueMessage): void {
    connector.add(-1);
    if (this.#deps.stopped.isCancelled(message.shipmentId)) {
      this.settled(message);
      return;
    }
    const queue = this.#deps.queueOf(message.batch);
    if (!queue || this.#deps.stopped.isPaused(message.shipmentId)) {
      this.putBack(message);
      return;
    }
    queue.giveBack(message);
    this.#deps.pump();
  }

  #retryLater(message: DueMessage, afterMs: number | undefined): void {
    message.batch.retries.push(message);
    message.batch.notBefore = Math.max(message.batch.notBefore, this.#retryAt(message, afterMs));
  }

  /** The earliest time for another try, in milliseconds since the epoch; 0: when the batch's pause is over. */
  #retryAt({ batch, accountId }: DueMessage, afterMs: number | undefined): number {
    const { clock, recallsOf } = this.#deps;
    const at = afterMs === undefined ? 0 : clock.now() + afterMs;
    const recalls = recallsOf(batch.channel);
    if (!recalls) return at;
    return recalls.allowedFrom(accountId, Math.max(at, clock.now() + pauseAfter(batch.attempt)));
  }

  /** Tries of a message that disturb somebody, at most. */
  #attemptsOf({ batch }: DueMessage): number {
    return this.#deps.recallsOf(batch.channel)?.attempts ?? 1;
  }

  /** Fails a message that no carrier gets, and gives its price back. */
  fail(message: DueMessage, failure: number, code: string): void {
    const { accountId, id: messageId, destination: phone } = message;
    this.#deps.recorder.add({ accountId, messageId, phone, failure, code, refund: true });
    this.settled(message);
  }

  /**
   * Does not submit a message that the sending policy of its account holds: it waits until it may be. When its validity is over
   * by then it fails, and its price is given back, unless it is to wait: then its validity is extended when it is read again.
   */
  hold(message: DueMessage, { until, waits, code }: Hold): void {
    const isLate = until >= message.validUntil;
    if (isLate && !waits) {
      this.fail(message, status.notAtThisHour, code);
      return;
    }
    const { accountId, id: messageId, destination: phone } = message;
    this.#deps.recorder.add({ accountId, messageId, phone, code });
    if (!isLate) message.notBefore = until;
    this.putBack(message);
  }

  /** Is sent later, by whoever takes the batch that it goes into. */
  putBack(message: DueMessage): void {
    message.batch.retries.push(message);
    this.settled(message);
  }

  /** Nothing is done any more with a message as part of its batch, which ends with the last one. */
  settled({ batch, shipmentId }: DueMessage): void {
    if (--batch.outstanding > 0) return;
    invariant(batch.outstanding === 0, 'lease', () => ({ batch: batch.id, outstanding: batch.outstanding }));
    const isPaused = batch.heldShipmentId !== null && this.#deps.stopped.isPaused(shipmentId);
    const retryAt = Math.max(this.#deps.clock.now() + pauseAfter(batch.attempt), batch.notBefore);
    this.#deps.ended(batch, isPaused ? PAUSED_AT : retryAt);
  }
}

/** How long a message waits at least; undefined for the pause of its batch alone. */
function pauseOf(
  { afterMs, status }: SubmitOutcome & { kind: 'retry' },
  { rings }: DueMessage,
): number | undefined {
  return status === undefined || afterMs === undefined ? afterMs : pauseAfterRing(afterMs, rings);
}
