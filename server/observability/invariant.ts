import type { Logger } from './log.ts';
import { counter } from './metrics.ts';

/*
 * What must be so wherever state changes. A violation is a fault of this program: it is counted and logged, and the work
 * goes on, since to stop it would harm those whose state is right.
 */

/** Where it is looked. */
const invariants = [
  /** A wallet is moved by whole amounts, and exactly one wallet is. */
  'wallet',
  /** Between nothing and a window is on the way to a carrier, or not stored yet. */
  'window',
  /** A batch in memory ends once, with as many results as it has messages. */
  'lease',
  /** A message gets one final status, and one that there is. */
  'status',
  /** What is made, held or paid of a send is neither less than nothing nor more than there was. */
  'counts',
] as const;
type Invariant = (typeof invariants)[number];

/** One in so long is logged of each; all are counted. */
const LOG_EVERY_MS = 10_000;

const violations = counter(
  'carillon_invariant_violations_total',
  'Violated invariants: faults of the program',
  'invariant',
);
for (const invariant of invariants) violations.inc({ invariant }, 0);

const loggedAt = new Map<Invariant, number>();
let logger: Logger | undefined;

/** Where violations are logged. */
export function logInvariants(log: Logger): void {
  logger = log;
}

/**
 * Notes when something that must be so is not. Never throws. `facts` is called then alone: ids, counts and amounts for the
 * log, nothing that a message says.
 */
export function invariant(
  holds: boolean,
  name: Invariant,
  facts: () => Readonly<Record<string, unknown>>,
): void {
  if (holds) return;
  violations.inc({ invariant: name });
  const now = performance.now();
  const last = loggedAt.get(name);
  if (last !== undefined && now - last < LOG_EVERY_MS) return;
  loggedAt.set(name, now);
  // Where it was.
  const { stack } = new Error(`invariant: ${name}`);
  logger?.error({ invariant: name, ...facts(), stack }, 'an invariant does not hold');
}
