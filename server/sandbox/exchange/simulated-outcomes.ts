/** What a simulated phone does when it is called. */
type SimulatedOutcome =
  | { readonly kind: 'answers'; readonly hangsUpAfterMs?: number }
  /** Rings until the caller gives up. */
  | { readonly kind: 'rings' }
  | { readonly kind: 'refuses'; readonly status: number };

/** After so long a phone of the ending `0004` has heard enough. */
const HEARS_MS = 1_000;

const answers: SimulatedOutcome = { kind: 'answers' };

/** By the ending of its number; those of the SMS table mean the same where they can (docs/sandbox.md). */
const simulatedOutcomes: ReadonlyMap<string, SimulatedOutcome> = new Map([
  ['0001', { kind: 'refuses', status: 486 }],
  ['0002', { kind: 'rings' }],
  ['0003', { kind: 'refuses', status: 603 }],
  ['0004', { kind: 'answers', hangsUpAfterMs: HEARS_MS }],
  ['0007', { kind: 'refuses', status: 404 }],
]);

/** The simulated outcome of a call to a number with this ending. */
export function simulatedOutcomeOf(ending: string): SimulatedOutcome {
  return simulatedOutcomes.get(ending) ?? answers;
}

/** Numbers whose calls are answered with 503 once before they are taken. */
export function isOverloadedFirst(ending: string): boolean {
  return ending === '0005';
}
