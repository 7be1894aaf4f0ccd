/** Seconds of unused allowance that may be used in one burst. */
const BURST_SECONDS = 0.05;
/** Seconds' worth of allowance to wait for after it is used up. */
const WAKE_SECONDS = 0.01;
/** Lowest rate that the throttle chooses itself; an operator may set lower ones. */
const MIN_RATE = 5;

/** Milliseconds of evidence for one judgement of the rate; more, up to the maximum, until there are enough answers. */
const INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 5_000;
const ENOUGH_ANSWERS = 20;
/** Minimum number of refusals that begin a trial while the rate holds nothing back. */
const ENOUGH_REFUSALS = 10;
/** A share of refusals below this counts as noise. */
const CALM_SHARE = 0.02;
/** Above this share the rate is far too high, unless the refusals are random: the trial uses the accepted rate. */
const FLOODED_SHARE = 0.6;
/** Rate of a trial as a share of the used rate. Below a limit its refusals fall by more than a quarter. */
const TRIAL_RATE = 0.75;
/** Milliseconds after which refusals that were judged as random are tested again. */
const RETRIAL_MS = 30_000;
const MAX_FACTOR = 2;
/**
 * Share of a detected limit that is used. The rest leaves capacity for urgent messages in each second of a network that
 * counts by the second.
 */
const BELOW_LIMIT = 0.97;
/** First step up from there; it doubles with each interval without refusals. */
const PROBE_STEP = 0.02;
/** A share of refusals that stays above this at a lower rate is certainly random. */
const RANDOM_SHARE = 0.3;
/** Number of intervals without refusals after which a step is large: 1.64 times the rate. */
const LARGE_STEPS = 5;
/** If pauses take at least this share of an interval, the network counts by a period. */
const PERIODIC_SHARE = 0.03;
/** Milliseconds without a submit after which the evidence of the time before is not continued. */
const IDLE_MS = 500;

/** Probability below which a run of refusals is not chance: the network accepts nothing now. */
const CHANCE = 0.000_01;
const MAX_STREAK = 30;
/** Number of answers over which the share of refusals is averaged. */
const SHARE_ANSWERS = 200;
const FIRST_PAUSE_MS = 10;
/** Maximum pause in the first second, so that a network that counts by the second is found open again within 40 ms. */
const SHORT_PAUSE_MS = 40;
const MAX_PAUSE_MS = 1_000;
/**
 * A pause of this length after a second without one means that the network was away, which says nothing about its rate.
 */
const AWAY_MS = 400;
/** The same for a pause that began sooner: a network that counts by the second is closed for up to a second. */
const AWAY_SOON_MS = 1_500;
/**
 * Milliseconds to wait for the answer to the message that tests the network after a pause; then another message tests
 * it.
 */
const TRIAL_MS = 2_000;

/** One interval at a lower rate, which distinguishes refusals by a limit from random ones. */
interface RateTrial {
  /** Rate to restore if the refusals are random. */
  readonly before: number;
  /**
   * Values of the interval before the trial: submits per second, accepted messages per second, and the share of
   * refusals.
   */
  readonly used: number;
  readonly taken: number;
  readonly share: number;
  /** Answers in that interval. */
  readonly answers: number;
}

/**
 * Limits how fast a connector submits: a token bucket whose rate is at most the configured one and adapts to the
 * network.
 *
 * The rate is judged by evidence, a second of answers at a time, never by a single refusal. A detected limit is probed
 * from just below in small steps, so that the network is hardly ever closed and accepts an urgent message immediately.
 * Refusals begin a trial: an interval at a lower rate. If the share of refusals falls as it would below a limit, the
 * rate becomes that limit. If it stays, the network refuses at random, whatever the rate: the earlier rate is restored,
 * and afterwards only a larger share counts as refusals. The share is compared and not the number of accepted messages,
 * which also changes with the demand. A run of refusals without an accepted message pauses everything, and one message
 * at a time tests whether the network accepts again. The length of the pauses in an interval reveals the rate of a
 * network that counts by the second; a longer pause means that the network was away, and the rate stays. Times are
 * monotonic milliseconds.
 */
export class Throttle {
  #ceiling: number;
  #rate: number;
  #tokens: number;
  #filledAt: number;

  #since: number;
  #taken = 0;
  #refused = 0;
  /** Milliseconds of the interval spent in pauses, and in pauses that several consecutive trials did not end. */
  #closedMs = 0;
  #longClosedMs = 0;
  #rateTrial: RateTrial | undefined;
  /** Share of messages that the network refuses at random, the number of answers that show it, and their time. */
  #random = { share: 0, answers: 1, at: 0 };
  /** Number of latest consecutive intervals without refusals, and the rate of the last one. */
  #calmIntervals = 0;
  #calmRate = 0;
  /** Recent share of refusals. */
  #share = 0.05;

  #streak = 0;
  #pausedUntil = 0;
  #pauseMs = 0;
  /** After a pause: time until which the answer to a trial is awaited; 0 without a trial. */
  #trialUntil = 0;
  #trying = false;
  #closedAt = 0;
  /** Start of the current period without a pause. */
  #openedAt: number;
  #takenAt = Number.NEGATIVE_INFINITY;
  #tookBefore = false;

  /** @param messagesPerSecond 0 means no limit */
  constructor(messagesPerSecond: number, now: number) {
    this.#ceiling = messagesPerSecond > 0 ? messagesPerSecond : Number.POSITIVE_INFINITY;
    this.#rate = this.#ceiling;
    this.#tokens = this.#burst();
    this.#filledAt = now;
    this.#since = now;
    this.#openedAt = now;
  }

  /** Submits per second that are allowed now; Infinity without a limit. */
  get rate(): number {
    return this.#rate;
  }

  /**
   * Sets another limit and discards what was learned below the old one. A pause that the network asked for continues.
   */
  limit(messagesPerSecond: number, now: number): void {
    this.#ceiling = messagesPerSecond > 0 ? messagesPerSecond : Number.POSITIVE_INFINITY;
    this.#rate = this.#ceiling;
    this.#tokens = Math.min(this.#tokens, this.#burst());
    this.#filledAt = now;
    this.#rateTrial = undefined;
    this.#calmIntervals = 0;
    this.#begin(now);
  }

  /** Number of submits allowed at `now`; Infinity without a limit. */
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
   * Returns the milliseconds from `now` until a submit is allowed, rounded up; 0 when it already is. Waits for ten
   * milliseconds' worth, so that a fast connector is not woken for every message.
   */
  wait(now: number): number {
    if (now < this.#pausedUntil) return Math.ceil(this.#pausedUntil - now);
    if (this.available(now) >= 1) return 0;
    if (this.#trying) return Math.max(1, Math.ceil(this.#trialUntil - now));
    const wanted = Math.max(1, this.#rate * WAKE_SECONDS);
    return Math.max(1, Math.ceil(((wanted - this.#tokens) / this.#rate) * 1000));
  }

  /** Called when the network accepted a message, or rejected it for a reason other than load. */
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
   * Called when the network reported that the rate is too high (SMPP: ESME_RTHROTTLED, ESME_RMSGQFUL). `asked` is the
   * pause that it demands, in milliseconds, if it names one.
   */
  throttled(now: number, asked = 0): void {
    this.#streak++;
    // Refusals of messages that were in flight when the pause began are no new evidence.
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

  /** Returns the length of a run of refusals that chance does not explain, at the usual share of refusals. */
  #tellingStreak(): number {
    return Math.min(MAX_STREAK, Math.ceil(Math.log(CHANCE) / Math.log(Math.max(0.05, this.#share))));
  }

  #judge(now: number): void {
    const elapsed = now - this.#since;
    if (elapsed < INTERVAL_MS) return;
    const answers = this.#taken + this.#refused;
    if (answers < ENOUGH_ANSWERS && elapsed < MAX_INTERVAL_MS) return;
    // Without submits, or without acceptance, the interval tells when the network works and not how fast.
    if (this.#taken > 0) {
      // Submits that a pause held back would have been refused too. This makes a network that refuses the last tenth of
      // each second equal to one that refuses every tenth message.
      const refused = this.#refused + (answers * this.#closedMs) / Math.max(1, elapsed - this.#closedMs);
      this.#follow((this.#taken * 1000) / elapsed, (refused * 1000) / elapsed, elapsed, now);
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

  /**
   * Chooses the next rate from the accepted and refused messages per second in an interval of `elapsed` milliseconds.
   */
  #follow(taken: number, refused: number, elapsed: number, now: number): void {
    const share = refused / (taken + refused);
    // The rate actually used: below the allowed one when there was less to send or the window was full.
    const used = Math.min(this.#rate, (taken + refused) * 1.02);
    const trial = this.#rateTrial;
    this.#rateTrial = undefined;
    const isPeriodic = this.#longClosedMs >= PERIODIC_SHARE * elapsed;
    const answers = this.#taken + this.#refused;
    const seen = { used, taken, share, answers };
    if (trial && !isPeriodic) {
      this.#endTrial(trial, seen, now);
      return;
    }
    const excess = this.#excessOf(share, answers);
    if (excess < CALM_SHARE && !isPeriodic) {
      if (share < this.#random.share) this.#lowerRandom(share, answers);
      const isOld = this.#random.share > CALM_SHARE && now - this.#random.at >= RETRIAL_MS;
      if (isOld) this.#beginTrial({ before: this.#rate, ...seen });
      else if (used >= 0.7 * this.#rate) this.#probe();
      return;
    }
    // A few refusals at low demand tell nothing about a limit.
    if (!isPeriodic && this.#refused < ENOUGH_REFUSALS && used < 0.7 * this.#rate) return;
    const wasCalm = this.#calmIntervals > 0;
    this.#calmIntervals = 0;
    // The last step was too large.
    if (wasCalm && used > this.#calmRate && taken <= this.#calmRate * (1 - this.#random.share) * 1.02) {
      this.#setRate(this.#calmRate);
      return;
    }
    if (isPeriodic) this.#setRate(((this.#taken + this.#refused) * 1000 * BELOW_LIMIT) / elapsed);
    else this.#beginTrial({ before: this.#rate, ...seen });
  }

  /** Returns the share of refusals beyond random ones and beyond chance. */
  #excessOf(share: number, answers: number): number {
    const { share: random, answers: known } = this.#random;
    const chance = 2 * Math.sqrt(random * (1 - random) * (1 / answers + 1 / known));
    return Math.max(0, (share - random - chance) / (1 - random));
  }

  /** Lowers the random share when the network refuses fewer than before. */
  #lowerRandom(share: number, answers: number): void {
    const { share: random, answers: known } = this.#random;
    const chance = 2 * Math.sqrt(random * (1 - random) * (1 / answers + 1 / known));
    if (share < random - chance) this.#random = { ...this.#random, share, answers };
  }

  #beginTrial(trial: RateTrial): void {
    this.#rateTrial = trial;
    const { used, taken, share } = trial;
    const isFlooded = share - this.#random.share > FLOODED_SHARE * (1 - this.#random.share);
    this.#setRate(isFlooded ? taken * BELOW_LIMIT : used * TRIAL_RATE);
  }

  /** Decides after an interval at a lower rate whether the refusals before it came from a limit. */
  #endTrial(trial: RateTrial, { used, taken, share, answers }: Omit<RateTrial, 'before'>, now: number): void {
    // Below a limit, the accepted number stays the same and the refusals fall with the rate.
    const atLimit = Math.max(0, 1 - ((1 - trial.share) * trial.used) / Math.max(used, 1));
    this.#calmIntervals = 0;
    // If the rate held nothing back, there is no hurry: the difference must exceed chance.
    const wasHeld = trial.used >= 0.7 * trial.before;
    const spread = Math.sqrt(trial.share * (1 - trial.share) * (1 / answers + 1 / trial.answers));
    const chance = wasHeld ? 0 : 2 * spread;
    if (trial.share - share > Math.max((trial.share - atLimit) / 2, chance)) {
      this.#random = share < this.#random.share ? { share, answers, at: now } : { ...this.#random, at: now };
      this.#setRate((Math.max(taken, trial.taken) * BELOW_LIMIT) / (1 - this.#random.share));
      return;
    }
    this.#random = { share: share < CALM_SHARE ? 0 : share, answers, at: now };
    this.#setRate(trial.before);
    if (share < RANDOM_SHARE) return;
    // No limit is near, so the steps up from here are large.
    this.#calmIntervals = LARGE_STEPS;
    this.#calmRate = this.#rate;
  }

  /** Steps up from a rate without refusals: small at first, since the detected limit is near. */
  #probe(): void {
    this.#calmRate = this.#rate;
    this.#setRate(this.#rate * Math.min(MAX_FACTOR, 1 + PROBE_STEP * 2 ** this.#calmIntervals++));
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
