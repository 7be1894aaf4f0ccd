/** Reaction of a simulated phone to a call. */
type SimulatedOutcome =
  | { readonly kind: 'answers'; readonly hangsUpAfterMs?: number }
  /** Rings until the caller cancels. */
  | { readonly kind: 'rings' }
  | { readonly kind: 'refuses'; readonly status: number };

/** Milliseconds after which a phone with the ending `0004` hangs up. */
const HEARS_MS = 1_000;

const answers: SimulatedOutcome = { kind: 'answers' };

/** By the ending of its number; endings of the SMS table have the same meaning if possible (docs/sandbox.md). */
const simulatedOutcomes: ReadonlyMap<string, SimulatedOutcome> = new Map([
  ['0001', { kind: 'refuses', status: 486 }],
  ['0002', { kind: 'rings' }],
  ['0003', { kind: 'refuses', status: 603 }],
  ['0004', { kind: 'answers', hangsUpAfterMs: HEARS_MS }],
  ['0007', { kind: 'refuses', status: 404 }],
]);

/** Returns the outcome of a call to a number with this ending. */
export function simulatedOutcomeOf(ending: string): SimulatedOutcome {
  return simulatedOutcomes.get(ending) ?? answers;
}

/** Whether calls to a number with this ending are answered with 503 once before they are accepted. */
export function isOverloadedFirst(ending: string): boolean {
  return ending === '0005';
}
