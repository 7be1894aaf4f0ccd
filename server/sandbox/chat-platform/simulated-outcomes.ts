/** Outcome of a message, by the ending of its number (design, "The sandbox"; docs/chat-platform.md). */
export type SimulatedOutcome =
  /** Arrives, and its statuses are reported. */
  | { readonly kind: 'delivered' }
  /** Accepted, then the status `failed` is reported with this code. */
  | { readonly kind: 'failed'; readonly code: number }
  /** Rejected immediately with this code. */
  | { readonly kind: 'refused'; readonly code: number }
  /** Arrives, but no status is ever reported. */
  | { readonly kind: 'silent' }
  /** Rejected with 130429 the first time, then delivered. */
  | { readonly kind: 'throttled-first' }
  /** Accepted, but the connection is cut instead of an answer. */
  | { readonly kind: 'cut' };

const delivered: SimulatedOutcome = { kind: 'delivered' };

const simulatedOutcomes: ReadonlyMap<string, SimulatedOutcome> = new Map([
  ['0001', { kind: 'failed', code: 131026 }],
  // As if the 24-hour window had ended: the platform accepts the message and does not deliver it.
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

/** Returns the outcome of a message to a number with this ending. */
export function simulatedOutcomeOf(ending: string): SimulatedOutcome {
  return simulatedOutcomes.get(ending) ?? delivered;
}
