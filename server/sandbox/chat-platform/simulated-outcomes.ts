/** The outcome of a message, by the ending of its number (design, "The sandbox"; docs/chat-platform.md). */
export type SimulatedOutcome =
  /** Arrives, and its statuses are told. */
  | { readonly kind: 'delivered' }
  /** Taken, and the status `failed` is told with this code. */
  | { readonly kind: 'failed'; readonly code: number }
  /** Refused at once with this code. */
  | { readonly kind: 'refused'; readonly code: number }
  /** Arrives, and no status is ever told. */
  | { readonly kind: 'silent' }
  /** Refused with 130429 the first time, then delivered. */
  | { readonly kind: 'throttled-first' }
  /** Taken, but the connection is cut in place of the answer. */
  | { readonly kind: 'cut' };

const delivered: SimulatedOutcome = { kind: 'delivered' };

const simulatedOutcomes: ReadonlyMap<string, SimulatedOutcome> = new Map([
  ['0001', { kind: 'failed', code: 131026 }],
  // As when its time had run out: the platform would take it, and then not deliver it.
  ['0002', { kind: 'failed', code: 131047 }],
  ['0003', { kind: 'refused', code: 131026 }],
  ['0004', { kind: 'silent' }],
  ['0005', { kind: 'throttled-first' }],
  // A kosher phone has no chat.
  ['0006', { kind: 'refused', code: 131026 }],
  ['0007', { kind: 'failed', code: 131049 }],
  ['0008', { kind: 'cut' }],
  ['0009', { kind: 'failed', code: 131053 }],
]);

/** The simulated outcome of a message to a number with this ending. */
export function simulatedOutcomeOf(ending: string): SimulatedOutcome {
  return simulatedOutcomes.get(ending) ?? delivered;
}
