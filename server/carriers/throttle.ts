/** The longest stretch of unused allowance that may be used at once. */
const BURST_SECONDS = 0.05;
/** How much is waited for when there is none. */
const WAKE_SECONDS = 0.01;
/** No slower than this by itself: a rate this low is the operator's to set. */
const MIN_RATE = 5;

/** Evidence for one judgement of the rate: this long, and longer until there are enough answers. */
const INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 5_000;
const ENOUGH_ANSWERS = 20;
/** A share of refusals below this is noise. */
const CALM_SHARE = 0.02;
/** Above this share the rate is far too high, whatever the reason, and follows what was taken at once. */
const FLOODED_SHARE = 0.6;
/** What a refusal counts against a message that was taken: below 1.5, or random refusals of 40 % would outweigh them. */
const REFUSAL_COST = 0.5;
/** More is better while a higher rate brings at least this much more of what counts. */
const WORTH = 0.1;
/** A step of the rate: at least this much, and twice what chance alone moves the count of an interval by. */
const MIN_STEP = 0.08;
const MAX_STEP = 0.4;
const MAX_FACTOR = 2;
/** Kept free of a limit that was met: what is urgent finds room in each second of a network that counts by the second. */
const BELOW_LIMIT = 0.97;
/** The first step up from there; it doubles with each interval without refusals. */
const PROBE_STEP = 0.02;
/** Pauses of at least this share of an interval are those of a network that counts by a period. */
const PERIODIC_SHARE = 0.03;
/** Nothing was submitted for so long: what was learned of the time before is not continued. */
const IDLE_MS = 500;

/** A run of refusals that chance alone gives less often than this is the network's word that it takes nothing now. */
const CHANCE = 0.001;
const MAX_STREAK = 30;
/** The share of refusals is that of about so many answers. */
const SHARE_ANSWERS = 50;
const FIRST_PAUSE_MS = 10;
/** Of the first second: a network that counts by the second is found open again at once. */
const SHORT_PAUSE_MS = 40;
const MAX_PAUSE_MS = 1_000;
/** A pause of this length after a second without one means that the network was away, and nothing about its rate. */
const AWAY_MS = 400;
/** The same for a pause that began sooner: a network that counts by the second is closed for up to a second. */
const AWAY_SOON_MS = 1_500;
/** The answer to the message that tries after a pause; without one another tries. */
const TRIAL_MS = 2_000;

interface Judgement {
  readonly rate: number;
  readonly utility: number;
}

/**
 * How fast a connector may submit: a token bucket whose rate is the configured one at most, and follows what the network takes.
 *
 * The rate is judged by evidence, a second of answers at a time, never by a single refusal. A limit that was met is
 * probed from just below in small steps, so that the network is hardly ever closed and an urgent message is taken at
 * once. Where refusals do not end below a limit, the better one of two intervals is that with more taken and fewer
 * refused, and the next rate goes that way, faster while it keeps going: a network that refuses at random, whatever the
 * rate, is not slowed down for. A run of refusals with nothing taken between them pauses everything, and one message at
 * a time tries whether the network takes anything again. How long the pauses of an interval were tells the rate of a
 * network that counts by the second; a longer one means that the network was away, and the rate stays what it was. Times
 * are monotonic milliseconds.
 */
export class Throttle {
  #ceiling: number;
  #rate: number;
  #tokens: number;
  #filledAt: number;

  #since: number;
  #taken = 0;
  #refused = 0;
  /** How long of the interval was spent in pauses; in those that several trials in a row did not end. */
  #closedMs = 0;
  #longClosedMs = 0;
  #last: Judgement | undefined;
  /** Steps in the same direction so far: positive upwards, negative downwards. */
  #steps = 0;
  /** Intervals without refusals one after the other, up to now, and the rate of the last one. */
  #calmIntervals = 0;
  #calmRate = 0;
  /** The share of refusals of late. */
  #share = 0.05;

  #streak = 0;
  #pausedUntil = 0;
  #pauseMs = 0;
  /** After a pause: until when the answer to a trial is awaited; 0 while none is under way. */
  #trialUntil = 0;
  #trying = false;
  #closedAt = 0;
  /** Since when messages have been submitted without a pause. */
  #openedAt: number;
  #takenAt = Number.NEGATIVE_INFINITY;
  #tookBefore = false;

  /** `messagesPerSecond` 0 is no limit. */
  constructor(messagesPerSecond: number, now: number) {
    this.#ceiling = messagesPerSecond > 0 ? messagesPerSecond : Number.POSITIVE_INFINITY;
    this.#rate = this.#ceiling;
    this.#tokens = this.#burst();
    this.#filledAt = now;
    this.#since = now;
    this.#openedAt = now;
  }

  /** Submits a second that are allowed now; Infinity without a limit. */
  get rate(): number {
    return this.#rate;
  }

  /** Takes another limit: what was learned below the old one is forgotten. A pause that the network asked for goes on. */
  limit(messagesPerSecond: number, now: number): void {
    this.#ceiling = messagesPerSecond > 0 ? messagesPerSecond : Number.POSITIVE_INFINITY;
    this.#rate = this.#ceiling;
    this.#tokens = Math.min(this.#tokens, this.#burst());
    this.#filledAt = now;
    this.#last = undefined;
    this.#steps = 0;
    this.#calmIntervals = 0;
    this.#begin(now);
  }

  /** How many may be submitted at `now`; Infinity without a limit. */
  available(now: number): number {
    if (now < this.#pausedUntil) return 0;
    if (this.#trying) return now < this.#trialUntil ? 0 : 1;
    this.#judge(now);
    if (this.#rate === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    this.#fill(now);
    return Math.floor(this.#tokens);
  }

  /** Counts one submit. */
  take(now: number): void {
    if (this.#trying) this.#trialUntil = now + TRIAL_MS;
    else if (now - this.#takenAt >= IDLE_MS) {
      this.#openedAt = now;
      this.#begin(now);
    }
    this.#takenAt = now;
    if (this.#rate !== Number.POSITIVE_INFINITY) this.#tokens = Math.max(this.#tokens - 1, -1);
  }

  /**
   * Milliseconds from `now` until something is available again, rounded up; 0 when it is. Long enough for ten
   * milliseconds' worth, so that a fast connector is not woken for every message.
   */
  wait(now: number): number {
    if (now < this.#pausedUntil) return Math.ceil(this.#pausedUntil - now);
    if (this.available(now) >= 1) return 0;
    if (this.#trying) return Math.max(1, Math.ceil(this.#trialUntil - now));
    const wanted = Math.max(1, this.#rate * WAKE_SECONDS);
    return Math.max(1, Math.ceil(((wanted - this.#tokens) / this.#rate) * 1000));
  }

  /** The network took a message, or refused it for a reason that is not its load. */
  accepted(now: number): void {
    this.#taken++;
    this.#streak = 0;
    this.#share -= this.#share / SHARE_ANSWERS;
    if (!this.#trying) return;
    this.#trying = false;
    const closed = now - this.#closedAt;
    const wasLongOpen = this.#closedAt - this.#openedAt > INTERVAL_MS;
    this.#openedAt = now;
    if (closed >= (wasLongOpen || !this.#tookBefore ? AWAY_MS : AWAY_SOON_MS)) this.#begin(now);
    else {
      this.#closedMs += closed;
      if (this.#pauseMs >= SHORT_PAUSE_MS) this.#longClosedMs += closed;
    }
    this.#pauseMs = 0;
    this.#tokens = Math.min(this.#tokens, this.#burst());
    this.#filledAt = now;
  }

  /**
   * The network said that it is too fast (SMPP: ESME_RTHROTTLED, ESME_RMSGQFUL). `asked` is how long it wants to be left
   * alone, in milliseconds, where it says so.
   */
  throttled(now: number, asked = 0): void {
    this.#streak++;
    // Those that were on their way when the pause began say nothing new.
    if (!this.#trying) {
      this.#refused++;
      this.#share += (1 - this.#share) / SHARE_ANSWERS;
    }
    if (now < this.#pausedUntil) this.#pausedUntil = Math.max(this.#pausedUntil, now + asked);
    else if (asked > 0 || this.#trying || this.#streak >= this.#tellingStreak()) this.#pause(now, asked);
  }

  #pause(now: number, asked: number): void {
    if (!this.#trying) {
      this.#closedAt = now;
      this.#tookBefore = this.#taken > 0;
    }
    const longest = now - this.#closedAt < INTERVAL_MS ? SHORT_PAUSE_MS : MAX_PAUSE_MS;
    this.#pauseMs = Math.max(asked, Math.min(longest, Math.max(this.#pauseMs * 2, FIRST_PAUSE_MS)));
    this.#pausedUntil = now + this.#pauseMs;
    this.#trying = true;
    this.#trialUntil = 0;
  }

  /** Refusals in a row that chance does not explain, at the share of refusals that is usual here. */
  #tellingStreak(): number {
    return Math.min(MAX_STREAK, Math.ceil(Math.log(CHANCE) / Math.log(Math.max(0.05, this.#share))));
  }

  #judge(now: number): void {
    const elapsed = now - this.#since;
    if (elapsed < INTERVAL_MS) return;
    const answers = this.#taken + this.#refused;
    if (answers < ENOUGH_ANSWERS && elapsed < MAX_INTERVAL_MS) return;
    // Nothing was asked, or nothing was taken: that says when the network works, and not how fast.
    if (this.#taken > 0) {
      // What a pause held back would have been refused, too: the same whether a network refuses the last tenth of each
      // second or every tenth message.
      const refused = this.#refused + (answers * this.#closedMs) / Math.max(1, elapsed - this.#closedMs);
      this.#follow((this.#taken * 1000) / elapsed, (refused * 1000) / elapsed, elapsed);
    }
    this.#begin(now);
  }

  #begin(now: number): void {
    this.#since = now;
    this.#taken = 0;
    this.#refused = 0;
    this.#closedMs = 0;
    this.#longClosedMs = 0;
  }

  /** Chooses the next rate, by what was taken and refused a second in an interval of `elapsed` milliseconds. */
  #follow(taken: number, refused: number, elapsed: number): void {
    const share = refused / (taken + refused);
    // The rate that was really used: less than the allowed one when there was less to send, or no room in the window.
    const used = Math.min(this.#rate, (taken + refused) * 1.02);
    const utility = taken - REFUSAL_COST * refused;
    const last = this.#last;
    this.#last = { rate: used, utility };
    if (share < CALM_SHARE && this.#longClosedMs < PERIODIC_SHARE * elapsed) {
      if (used >= 0.7 * this.#rate) this.#probe();
      return;
    }
    const wasCalm = this.#calmIntervals > 0;
    this.#calmIntervals = 0;
    // The last step was one too many.
    if (wasCalm && used > this.#calmRate && taken <= this.#calmRate * 1.02) {
      this.#steps = 0;
      this.#setRate(this.#calmRate);
      return;
    }
    if (this.#longClosedMs >= PERIODIC_SHARE * elapsed) {
      this.#steps = 0;
      this.#setRate(((this.#taken + this.#refused) * 1000 * BELOW_LIMIT) / elapsed);
      return;
    }
    if (share > FLOODED_SHARE && (last === undefined || last.rate < used * 1.1)) {
      this.#steps = 0;
      this.#setRate(taken * BELOW_LIMIT);
      return;
    }
    const changed = last === undefined ? 0 : used - last.rate;
    const tells = Math.abs(changed) >= 0.03 * used;
    const isBetterFaster = tells && (utility - last!.utility) / changed > WORTH;
    this.#step(used, isBetterFaster ? 1 : -1, taken);
  }

  /** A step up from a rate at which nothing was refused: small at first, since the limit that was met is near. */
  #probe(): void {
    this.#steps = 0;
    this.#calmRate = this.#rate;
    this.#setRate(this.#rate * Math.min(MAX_FACTOR, 1 + PROBE_STEP * 2 ** this.#calmIntervals++));
  }

  #step(from: number, direction: 1 | -1, floor = 0): void {
    this.#steps = Math.sign(this.#steps) === direction ? this.#steps + direction : direction;
    const step = Math.min(MAX_STEP, Math.max(MIN_STEP, 2 / Math.sqrt(this.#taken + this.#refused)));
    const factor = Math.min(MAX_FACTOR, 1 + Math.abs(this.#steps) * step);
    this.#setRate(direction > 0 ? from * factor + 1 : Math.max(floor, from / factor));
  }

  #setRate(rate: number): void {
    this.#rate = Math.min(Math.max(rate, MIN_RATE), this.#ceiling);
    this.#tokens = Math.min(this.#tokens, this.#burst());
  }

  #fill(now: number): void {
    if (now <= this.#filledAt) return;
    const filled = this.#tokens + ((now - this.#filledAt) / 1000) * this.#rate;
    this.#tokens = Math.min(filled, this.#burst());
    this.#filledAt = now;
  }

  #burst(): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return 0;
    return Math.max(1, this.#rate * BURST_SECONDS);
  }
}
