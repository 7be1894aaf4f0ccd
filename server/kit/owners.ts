import { AsyncLocalStorage } from 'node:async_hooks';
import { unwatch, watch } from './deadlines.ts';
import type { Logger } from './observability/log.ts';
import { counter } from './observability/metrics.ts';

/*
 * Owners: work that other work waits for (an account's queue, the dispatcher's rounds, a job). Each step of an owner runs in
 * `supervise`. Every answer of the database counts as progress. A step without progress for too long is abandoned: it is logged,
 * counted and shown by `/readyz?for=dispatch`, it fails with OwnerStuck, and the owner starts its next step. Later statements of
 * the abandoned step are refused.
 *
 * Loops do not call `supervise` themselves: they are a `Loop` (loop.ts), a `WriteBehind` (write-behind.ts) or a job (jobs.ts).
 */

/** All owners: values of the label `owner` of the metric. `test/faults/owners.test.ts` blocks each of them. */
export const owners = [
  'accept',
  'accounts',
  'business numbers',
  'campaigns',
  'changed hours',
  'chat connectors',
  'clicks',
  'codes by hour',
  'confirmations',
  'connectors and routes',
  'contact lists',
  'dispatcher',
  'due scan',
  'early chat statuses',
  'alert rules',
  'alert recipients',
  'alerts to people',
  'alerts to the operator',
  'authors',
  'automatic replies',
  'background work',
  'emptied mailing lists',
  'endpoints',
  'ends of campaigns',
  'event backlogs',
  'event batches',
  'event results',
  'events',
  'fallbacks',
  'gauges',
  'first alert rules',
  'heartbeat',
  'incoming chats',
  'data subjects',
  'destination rules',
  'link codes',
  'listener',
  'live streams',
  'loader',
  'login throttle',
  'media fetches',
  'messages by hour',
  'opens of mails',
  'paused campaigns',
  'peers',
  'process report',
  'quarantine',
  'receipts',
  'recorder',
  'request log',
  'retention',
  'send keys',
  'sending policies',
  'suspended accounts',
  'shipment counts',
  'silent conversations',
  'template fetches',
  'template submissions',
  'text storage',
  'token uses',
  'upkeep',
  'users that mails went to',
  'webhook attempts',
] as const;
/** Owners of the service, and jobs of channels and modules whose names are not in the list. */
export type Owner = (typeof owners)[number] | `channel ${string}` | `module ${string}`;

/** Milliseconds for which readiness reports an abandoned owner that has not succeeded since. */
const SHOWN_MS = 60_000;

/** A step was abandoned. Whether its work was done is unknown. */
export class OwnerStuck extends Error {
  override readonly name = 'OwnerStuck';
}

const stuckTotal = counter(
  'carillon_stuck_owners_total',
  'Work that made no progress and was restarted',
  'owner',
);
// Starts each counter at 0, because an alert sees the first increase only if the series existed before.
for (const owner of owners) stuckTotal.inc({ owner }, 0);

const running = new Set<Step>();
const stuck = new Map<Owner, number>();
const current = new AsyncLocalStorage<Step>();
let logger: Logger | undefined;
let defaultLimitMs = 120_000;
let maxLimit = Number.POSITIVE_INFINITY;

const nothing = () => {};

/** One step of an owner. */
export class Step {
  readonly owner: Owner;
  readonly #limitMs: number;
  #giveUp: (error: OwnerStuck) => void;
  readonly #waiters: ReadonlySet<Step>;
  #idleMs = 0;
  #error: OwnerStuck | undefined;
  #isOver = false;

  constructor(
    owner: Owner,
    limitMs: number,
    giveUp: (error: OwnerStuck) => void,
    waiters: ReadonlySet<Step>,
  ) {
    this.owner = owner;
    this.#limitMs = limitMs;
    this.#giveUp = giveUp;
    this.#waiters = waiters;
  }

  /** Records progress of this step, and so of the steps that wait for it. */
  progressed(): void {
    // Nobody has waited since the last progress. Also ends the recursion of steps that wait for each other.
    if (this.#idleMs === 0) return;
    this.#idleMs = 0;
    for (const waiter of this.#waiters) waiter.progressed();
  }

  /** The reason why the step may not continue; undefined as long as it may. */
  get refusal(): OwnerStuck | undefined {
    return this.#error;
  }

  /** Whether it has ended. Code that still runs in its name (for example a timer) then has no owner. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it has made no progress for half of its limit. */
  get isSlow(): boolean {
    return this.#idleMs >= this.#limitMs / 2;
  }

  /** Called when it is done, or was abandoned. */
  end(): void {
    this.#isOver = true;
    // The step itself may stay in memory for some time, but not what it has done (transient.ts).
    this.#giveUp = nothing;
  }

  passed(milliseconds: number): void {
    this.#idleMs += milliseconds;
    if (this.#idleMs < this.#limitMs) return;
    unwatch(this);
    const seconds = Math.round(this.#limitMs / 1_000);
    this.#error = new OwnerStuck(`${this.owner} made no progress for ${seconds} s and was restarted`);
    stuck.set(this.owner, performance.now());
    stuckTotal.inc({ owner: this.owner });
    logger?.error({ owner: this.owner, seconds }, 'work made no progress and was restarted');
    this.#giveUp(this.#error);
  }
}

/**
 * Sets the log for abandoned owners, and the milliseconds without progress after which they are abandoned.
 * `maxLimitMs`, for tests, also limits owners with their own limit.
 */
export function watchOwners(log: Logger, limitMs: number, maxLimitMs = Number.POSITIVE_INFINITY): void {
  logger = log;
  defaultLimitMs = limitMs;
  maxLimit = maxLimitMs;
}

interface SuperviseOptions {
  /** Milliseconds without progress. Default: the setting STUCK_SECONDS. */
  readonly limitMs?: number | undefined;
  /** Steps of others that wait for this one. */
  readonly waiters?: ReadonlySet<Step>;
}

const nobody: ReadonlySet<Step> = new Set();

/**
 * Runs one step of an owner (a kind of work, not an account). Throws errors of `work`, and OwnerStuck if it makes no
 * progress for too long.
 */
export async function supervise<T>(
  owner: Owner,
  work: () => Promise<T>,
  options: SuperviseOptions = {},
): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  givenUp.catch(() => {});
  const limitMs = Math.min(options.limitMs ?? defaultLimitMs, maxLimit);
  const step = new Step(owner, limitMs, reject, options.waiters ?? nobody);
  running.add(step);
  watch(step);
  try {
    const result = await Promise.race([current.run(step, work), givenUp]);
    if (stuck.size > 0) stuck.delete(owner);
    return result;
  } finally {
    step.end();
    unwatch(step);
    running.delete(step);
  }
}

/** Returns the step that the caller is part of, if any. */
export function currentStep(): Step | undefined {
  return current.getStore();
}

/** Returns the owners that do not make progress, in words, for readiness. */
export function stuckOwners(): string[] {
  const now = performance.now();
  for (const [owner, since] of stuck) if (now - since > SHOWN_MS) stuck.delete(owner);
  const slow = [...running].filter((step) => step.isSlow).map(({ owner }) => owner);
  return [...new Set([...slow, ...stuck.keys()])].map((owner) => `stuck: ${owner}`);
}
