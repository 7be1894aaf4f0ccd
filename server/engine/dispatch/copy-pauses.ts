import { type Lane, lanes } from '../messages/lanes.ts';

/** Losses of a connector within this many milliseconds count as one: its binds go down one after the other. */
const SAME_LOSS_MS = 1_000;
/** Maximum number of doublings of the pause. */
export const MAX_DOUBLINGS = 4;
/** One-time codes expire within minutes: they wait this fraction of the pause of other messages. */
export const CODE_SHARE = 1 / 12;
/** Random share by which pauses differ, so that connectors that went down together do not resubmit together. */
const JITTER = 0.2;

/**
 * Pauses before a message that may have reached its recipient is submitted again. A carrier that drops its sessions
 * for some seconds would otherwise get every copy of a message within these seconds.
 */
export class CopyPauses {
  readonly #firstMs: number;
  #losses = 0;
  #lostAt = Number.NEGATIVE_INFINITY;
  #jitter = 0;

  /** @param firstMs pause after the first lost session, in milliseconds; 0 submits copies without a pause */
  constructor(firstMs: number) {
    this.#firstMs = firstMs;
  }

  get isNone(): boolean {
    return this.#firstMs === 0;
  }

  /**
   * Counts a lost session at `now`, in milliseconds since the epoch. Messages that were lost with the same session get
   * the same pause. A connector without a loss for twice its last pause starts with the first pause again.
   */
  lost(now: number): void {
    const since = now - this.#lostAt;
    if (since >= 0 && since < SAME_LOSS_MS) return;
    const calmMs = 2 * this.#pauseMs(this.#losses);
    this.#losses = since < calmMs ? this.#losses + 1 : 1;
    this.#lostAt = now;
    this.#jitter = Math.random() * JITTER;
  }

  /** Time of the next submit of a message of the last lost session, in milliseconds since the epoch. */
  afterLoss(lane: Lane, copies: number): number {
    return this.#lostAt + this.pauseMs(lane, Math.max(copies, this.#losses));
  }

  /** Pause of a message that was submitted `copies` times without an answer, in milliseconds. */
  pauseMs(lane: Lane, copies: number): number {
    const share = lane === lanes.otp ? CODE_SHARE : 1;
    return Math.round(this.#pauseMs(copies) * share * (1 + this.#jitter));
  }

  #pauseMs(count: number): number {
    return this.#firstMs * 2 ** Math.min(Math.max(count - 1, 0), MAX_DOUBLINGS);
  }
}
