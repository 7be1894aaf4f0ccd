import { invariant } from '../../kit/observability/invariant.ts';
import { currentTlsFault, type TlsFault } from '../../kit/tls-faults.ts';
import type {
  Carrier,
  CarrierListener,
  Connector,
  OutgoingMessage,
  SubmitOutcome,
} from '../carriers/carrier.ts';
import { type ConnectorPart, partName, wholeConnector } from '../carriers/parts.ts';
import type { LeaveRule } from '../carriers/route.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import { submitted } from './metrics.ts';
import { Silence } from './silence.ts';

/**
 * Share of a window that is reserved for the lanes above bulk. A campaign keeps the rest full, and capacity is freed
 * only a few hundred messages at a time, when their results are stored. Trunks reserve nothing: their window is the
 * number of simultaneous calls, which cost money.
 */
const RESERVED_SHARE = 0.05;

/** A connector and its use by this process. It is open while this process has its lease. */
export class HeldConnector {
  readonly name: string;
  /** Name of the connector outside this process: in metrics and traces. */
  readonly label: string;
  /** Whether another process had its lease at the last attempt to take it. */
  isElsewhere = false;
  /** Claim by which this process has its lease, or asks for it (database/leases.ts). */
  claim: string | undefined;
  /** The part that this process holds, or asks for. */
  part: ConnectorPart = wholeConnector;
  readonly #connector: Connector;
  /** A new carrier for each time that this process holds the connector. */
  #carrier: Carrier | undefined;
  #closing: Promise<void> = Promise.resolve();
  /** End of the lease for this process, monotonic milliseconds. */
  #heldUntil = 0;
  #expiry: NodeJS.Timeout | undefined;
  /** Time since which an open carrier accepts no messages, in monotonic milliseconds. */
  #downSince: number | undefined;
  /** Counter of accepted messages. Looked up once: a lookup by label would cost a microsecond per message. */
  readonly #taken: ReturnType<typeof submitted.labels>;
  /** The same count as a number. */
  #count = 0;
  #unstored = 0;
  readonly #silence = new Silence();
  readonly #reservedShare: number;

  constructor(connector: Connector, reservedShare = RESERVED_SHARE) {
    this.name = connector.name;
    this.label = connector.label ?? connector.name;
    this.#connector = connector;
    this.#reservedShare = reservedShare;
    this.#taken = submitted.labels(this.label);
  }

  /** Name of the lease of its part. */
  get leaseName(): string {
    return partName(this.name, this.part.index);
  }

  /** Maximum number of processes that can hold a part of it. */
  get maxParts(): number {
    return this.#connector.maxParts ?? 1;
  }

  /** Whether this process has its lease. */
  get isHeld(): boolean {
    return this.#carrier !== undefined;
  }

  /** Opens a new carrier after the previous one has closed. The lease must have just been taken; see `renewed`. */
  async open(listener: CarrierListener): Promise<void> {
    await this.#closing;
    this.#downSince = undefined;
    this.#carrier = this.#connector.open(listener, this.part);
  }

  /**
   * Called when the lease was renewed. At `heldUntil` (monotonic milliseconds) submitting stops and `expired` is
   * called, unless the lease is renewed again. This also protects a process that was paused, or has no database.
   */
  renewed(heldUntil: number, expired: () => void): void {
    clearTimeout(this.#expiry);
    this.#heldUntil = heldUntil;
    if (heldUntil < Number.POSITIVE_INFINITY)
      this.#expiry = setTimeout(expired, Math.max(0, heldUntil - performance.now())).unref();
  }

  /**
   * Submits no more, waits up to `graceMs` milliseconds for messages in flight, and closes the carrier permanently.
   * Resolves when it is closed, also by an earlier call.
   */
  close(graceMs: number): Promise<void> {
    const carrier = this.#carrier;
    this.#carrier = undefined;
    clearTimeout(this.#expiry);
    if (carrier) this.#closing = carrier.stop(graceMs);
    return this.#closing;
  }

  /** Returns how long an open carrier has accepted no messages, in milliseconds; 0 while something is in flight. */
  downFor(now: number): number {
    if (!this.#carrier || this.#carrier.up || this.#unstored > 0) this.#downSince = undefined;
    else this.#downSince ??= now;
    return this.#downSince === undefined ? 0 : now - this.#downSince;
  }

  /** Submits a message; `settle` as in `Carrier`. Only call it when `isUp`. */
  submit(message: OutgoingMessage, settle: (outcome: SubmitOutcome) => void): void {
    this.#carrier!.submit(message, settle);
  }

  /** Number of submitted messages whose outcome is not stored yet. */
  get unstored(): number {
    return this.#unstored;
  }

  get isUp(): boolean {
    return this.#carrier?.up === true && performance.now() < this.#heldUntil;
  }

  /** Why its TLS certificate is rejected. */
  get fault(): TlsFault | undefined {
    return this.isHeld ? currentTlsFault(this.label) : undefined;
  }

  /** Read each time: the window of a business number grows by the messages that wait for their client's pause. */
  get #window(): number {
    return this.#carrier?.window ?? 0;
  }

  /** Number of messages that can be submitted now. */
  get room(): number {
    return Math.min(this.#carrier?.capacity() ?? 0, this.#window - this.#unstored);
  }

  /** Lowest lane that may be submitted now. */
  get lowestLane(): Lane {
    const window = this.#window;
    const reserved = Math.floor(window * this.#reservedShare);
    return this.#unstored < window - reserved ? lanes.bulk : lanes.single;
  }

  /**
   * Counts a submission (1), or a stored outcome (-1). At most a window of messages is submitted without a stored
   * outcome.
   */
  add(change: 1 | -1): void {
    this.#unstored += change;
    const unstored = this.#unstored;
    // The carrier of an outcome may be closed, so the window limits only new submissions.
    invariant(unstored >= 0 && (change < 0 || unstored <= this.#window), 'window', () => ({
      link: this.name,
      unstored,
    }));
  }

  /** Counts a message that the carrier accepted. */
  took(): void {
    this.#taken.inc();
    this.#count++;
    this.#silence.took();
  }

  /** Called when the carrier reports about a message. */
  reported(): void {
    this.#silence.reported();
  }

  /** Called when the carrier did not take a message because it is busy. */
  throttled(): void {
    this.#silence.throttled();
  }

  /** Whether the carrier has reported about a message within some milliseconds. */
  wasReported(withinMs: number, now: number): boolean {
    return this.#silence.wasReported(withinMs, now);
  }

  /**
   * Whether messages leave it now. The receipts of a connector of several processes may come to another one, so its silence is not
   * judged.
   *
   * @param now monotonic milliseconds
   * @param others whether other connectors get receipts
   */
  isLeft(leave: LeaveRule, now: number, others: () => boolean): boolean {
    const { silentMs } = leave;
    return this.#silence.isLeft(
      { ...leave, silentMs: this.part.count > 1 ? undefined : silentMs },
      now,
      others,
    );
  }

  /** State for the table of connectors. */
  get state() {
    const problem = this.fault ?? this.#carrier?.fault;
    const window = this.#window;
    const up = this.#carrier?.up === true && problem === undefined;
    return {
      name: this.leaseName,
      up,
      inFlight: this.#unstored,
      window,
      taken: this.#count,
      isFull: this.isUp && (this.lowestLane !== lanes.bulk || this.room <= 0),
      problem: problem ?? null,
    };
  }
}
