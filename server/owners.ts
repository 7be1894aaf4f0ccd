import { AsyncLocalStorage } from 'node:async_hooks';
import { Counter } from 'prom-client';
import { unwatch, watch } from './deadlines.ts';
import type { Logger } from './observability/log.ts';
import { metrics } from './observability/metrics.ts';

/*
 * Owners: work that others wait behind (an account's queue, the dispatcher's rounds, a job). Each step of an owner runs in
 * `own`. A statement of the database that is answered is progress. An owner that makes none for too long is given up: it
 * is logged, counted and shown by `/readyz`, its step fails with OwnerStuck, and the owner begins anew. What was given up
 * can store nothing any more: its statements are refused from then on.
 */

/** Longer than every deadline that a step can meet (docs/reliability.md). */
const STUCK_MS = 120_000;
/** So long readiness tells of an owner that was given up and has not succeeded since. */
const SHOWN_MS = 60_000;

/** A step that was given up. Whether it was done is not known. */
export class OwnerStuck extends Error {
  override readonly name = 'OwnerStuck';
}

const stuckTotal = new Counter({
  name: 'carillon_stuck_owners_total',
  help: 'Work that made no progress, was given up and began anew',
  labelNames: ['owner'],
  registers: [metrics],
});

const running = new Set<Step>();
const stuck = new Map<string, number>();
const current = new AsyncLocalStorage<Step>();
let logger: Logger | undefined;

/** One step of an owner. */
export class Step {
  readonly owner: string;
  readonly #limitMs: number;
  readonly #giveUp: (error: OwnerStuck) => void;
  #idleMs = 0;
  #error: OwnerStuck | undefined;

  constructor(owner: string, limitMs: number, giveUp: (error: OwnerStuck) => void) {
    this.owner = owner;
    this.#limitMs = limitMs;
    this.#giveUp = giveUp;
  }

  /** Something was done. */
  progressed(): void {
    this.#idleMs = 0;
  }

  /** Why it may do nothing more; undefined as long as it may. */
  get refusal(): OwnerStuck | undefined {
    return this.#error;
  }

  /** Whether it has done nothing for half the time that it has. */
  get isSlow(): boolean {
    return this.#idleMs >= this.#limitMs / 2;
  }

  passed(milliseconds: number): void {
    this.#idleMs += milliseconds;
    if (this.#idleMs < this.#limitMs) return;
    unwatch(this);
    const seconds = Math.round(this.#limitMs / 1_000);
    this.#error = new OwnerStuck(`${this.owner} made no progress for ${seconds} s and begins anew`);
    stuck.set(this.owner, performance.now());
    stuckTotal.inc({ owner: this.owner });
    logger?.error({ owner: this.owner, seconds }, 'work made no progress, was given up and begins anew');
    this.#giveUp(this.#error);
  }
}

/** Where it is logged that an owner was given up. */
export function logOwners(log: Logger): void {
  logger = log;
}

/**
 * Runs one step of an owner (a kind of work, `accept` say; not who it is for). Throws what `work` throws, and OwnerStuck
 * when it has made no progress for `limitMs` milliseconds.
 */
export async function own<T>(owner: string, work: () => Promise<T>, limitMs = STUCK_MS): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  givenUp.catch(() => {});
  const step = new Step(owner, limitMs, reject);
  running.add(step);
  watch(step);
  try {
    const result = await Promise.race([current.run(step, work), givenUp]);
    if (stuck.size > 0) stuck.delete(owner);
    return result;
  } finally {
    unwatch(step);
    running.delete(step);
  }
}

/** The step that the caller is part of, if it is part of one. */
export function currentStep(): Step | undefined {
  return current.getStore();
}

/** Says that the step that the caller is part of goes on, for work that asks nothing of the database. */
export function progressed(): void {
  current.getStore()?.progressed();
}

/** Owners that do not go on, in words, for readiness. */
export function stuckOwners(): string[] {
  const now = performance.now();
  for (const [owner, since] of stuck) if (now - since > SHOWN_MS) stuck.delete(owner);
  const slow = [...running].filter((step) => step.isSlow).map(({ owner }) => owner);
  return [...new Set([...slow, ...stuck.keys()])].map((owner) => `stuck: ${owner}`);
}
