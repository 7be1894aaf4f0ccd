import type { Logger } from './log.ts';
import { counter } from './metrics.ts';

/*
 * Conditions that must hold whenever state changes. A violation is a bug in this program. It is counted and logged, and
 * the work continues, because stopping would harm accounts whose state is right.
 */

/** Names of the checks. */
const invariants = [
  /** A movement of credit changes exactly one wallet by a whole amount. */
  'wallet',
  /** The number of messages submitted to a carrier or not yet stored is between zero and the window. */
  'window',
  /** A batch in memory ends once, with one result per message. */
  'lease',
  /** A message gets only one final status, and a known one. */
  'status',
  /** Counts and amounts created, held or paid for a send are neither negative nor more than the total. */
  'counts',
] as const;
type Invariant = (typeof invariants)[number];

/** Milliseconds between two log lines of the same violation; all violations are counted. */
const LOG_EVERY_MS = 10_000;

const violations = counter(
  'carillon_invariant_violations_total',
  'Violated invariants: faults of the program',
  'invariant',
);
for (const invariant of invariants) violations.inc({ invariant }, 0);

const loggedAt = new Map<Invariant, number>();
let logger: Logger | undefined;

/** Sets the log for violations. */
export function logInvariants(log: Logger): void {
  logger = log;
}

/**
 * Records a violation if `holds` is false. Never throws. `facts` is called only then: ids, counts and amounts for the
 * log, never texts of messages.
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
  // For the stack.
  const { stack } = new Error(`invariant: ${name}`);
  logger?.error({ invariant: name, ...facts(), stack }, 'an invariant does not hold');
}
