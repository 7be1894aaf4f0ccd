import type {
  Carrier,
  CarrierListener,
  Connector,
  OutgoingMessage,
  SubmitOutcome,
} from '../carriers/carrier.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import { invariant } from '../observability/invariant.ts';
import { currentTlsFault, type TlsFault } from '../tls-faults.ts';
import { submitted } from './metrics.ts';

/**
 * Share of a window that is reserved for the lanes above bulk. A campaign keeps the rest full, and room is freed only a few
 * hundred messages at a time, when their results are stored. Trunks reserve nothing: their window is the number of simultaneous
 * calls, which cost money.
 */
const RESERVED_SHARE = 0.05;

/** A connector with what this process does over it. It is open while this process has its lease. */
export class HeldConnector {
  readonly name: string;
  /** Name of the connector outside this process: in metrics and traces. */
  readonly label: string;
  /** Whether another process had its lease when it was last asked for. */
  isElsewhere = false;
  /** The claim by which this process has its lease, or asks for it (database/leases.ts). */
  claim: string | undefined;
  readonly #connector: Connector;
  /** A new one for each time that this process holds the connector. */
  #carrier: Carrier | undefined;
  #closing: Promise<void> = Promise.resolve();
  /** End of the lease for this process, monotonic milliseconds. */
  #heldUntil = 0;
  #expiry: NodeJS.Timeout | undefined;
  /** Since when an open carrier takes no messages, monotonic milliseconds. */
  #downSince: number | undefined;
  /** Counts what the carrier took. Looked up once: by label it would cost a microsecond a message. */
  readonly #taken: ReturnType<typeof submitted.labels>;
  /** The same as a number. */
  #count = 0;
  #unstored = 0;
  readonly #reservedShare: number;

  constructor(connector: Connector, reservedShare = RESERVED_SHARE) {
    this.name = connector.name;
    this.label = connector.label ?? connector.name;
    this.#connector = connector;
    this.#reservedShare = reservedShare;
    this.#taken = submitted.labels(this.label);
  }

  /** Whether this process has its lease. */
  get isHeld(): boolean {
    return this.#carrier !== undefined;
  }

  /** Opens a new carrier, after the one before has closed. The lease was just taken; see `renewed`. */
  async open(listener: CarrierListener): Promise<void> {
    await this.#closing;
    this.#downSince = undefined;
    this.#carrier = this.#connector.open(listener);
  }

  /**
   * The lease was renewed. From `heldUntil` (monotonic milliseconds) on nothing is submitted and `expired` is called, unless it
   * is renewed again: also in a process that was paused, or has no database.
   */
  renewed(heldUntil: number, expired: () => void): void {
    clearTimeout(this.#expiry);
    this.#heldUntil = heldUntil;
    if (heldUntil < Number.POSITIVE_INFINITY)
      this.#expiry = setTimeout(expired, Math.max(0, heldUntil - performance.now())).unref();
  }

  /**
   * Submits nothing more, waits up to `graceMs` milliseconds for messages in flight, and closes the carrier for good. Fulfilled
   * when it is closed, also by a call before.
   */
  close(graceMs: number): Promise<void> {
    const carrier = this.#carrier;
    this.#carrier = undefined;
    clearTimeout(this.#expiry);
    if (carrier) this.#closing = carrier.stop(graceMs);
    return this.#closing;
  }

  /** How long an open carrier has taken no messages, in milliseconds; 0 while something is in flight, too. */
  downFor(now: number): number {
    if (!this.#carrier || this.#carrier.up || this.#unstored > 0) this.#downSince = undefined;
    else this.#downSince ??= now;
    return this.#downSince === undefined ? 0 : now - this.#downSince;
  }

  /** Submits a message; `settle` as of `Carrier`. Only after `isUp`. */
  submit(message: OutgoingMessage, settle: (outcome: SubmitOutcome) => void): void {
    this.#carrier!.submit(message, settle);
  }

  /** Submitted, and the outcome not stored yet. */
  get unstored(): number {
    return this.#unstored;
  }

  get isUp(): boolean {
    return this.#carrier?.up === true && performance.now() < this.#heldUntil;
  }

  /** Why its TLS is not accepted. */
  get fault(): TlsFault | undefined {
    return this.isHeld ? currentTlsFault(this.label) : undefined;
  }

  /** Asked each time: the window of a business number grows by what waits for its client's pause. */
  get #window(): number {
    return this.#carrier?.window ?? 0;
  }

  /** How many messages can be submitted now. */
  get room(): number {
    return Math.min(this.#carrier?.capacity() ?? 0, this.#window - this.#unstored);
  }

  /** Of the lanes that may be submitted now, the one that goes last. */
  get lowestLane(): Lane {
    const window = this.#window;
    const reserved = Math.floor(window * this.#reservedShare);
    return this.#unstored < window - reserved ? lanes.bulk : lanes.single;
  }

  /** A message is submitted (1), or its outcome is stored (-1). Never more than a window is submitted and not stored. */
  add(change: 1 | -1): void {
    this.#unstored += change;
    const unstored = this.#unstored;
    // The carrier of an outcome may be closed: only what is submitted now has a window.
    invariant(unstored >= 0 && (change < 0 || unstored <= this.#window), 'window', () => ({
      link: this.name,
      unstored,
    }));
  }

  /** The carrier took a message. */
  took(): void {
    this.#taken.inc();
    this.#count++;
  }

  /** How it stands, for the table of connectors. */
  get state() {
    const problem = this.fault ?? this.#carrier?.fault;
    const window = this.#window;
    const up = this.#carrier?.up === true && problem === undefined;
    return {
      name: this.name,
      up,
      inFlight: this.#unstored,
      window,
      taken: this.#count,
      isFull: this.isUp && (this.lowestLane !== lanes.bulk || this.room <= 0),
      problem: problem ?? null,
    };
  }
}
