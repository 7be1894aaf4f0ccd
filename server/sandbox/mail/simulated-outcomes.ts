/** Reaction of the sandbox's mail server to an email, by the beginning of its address. */
type SimulatedMailOutcome =
  | 'delivered'
  /** Accepts it, and reports a hard bounce (5.1.1) or a soft bounce (4.2.2). */
  | 'bounce-hard'
  | 'bounce-soft'
  /** Delivers it, and the reader marks it as spam. */
  | 'complain'
  /** Rejects the recipient (550 5.1.1). */
  | 'reject'
  /** Asks to try again later (451 4.7.1), once for each email. */
  | 'busy'
  /** Delays its answer. */
  | 'slow'
  /** Closes the connection in the middle of the email, once for each. */
  | 'drop';

const simulatedOutcomes = [
  'bounce-hard',
  'bounce-soft',
  'complain',
  'reject',
  'busy',
  'slow',
  'drop',
] as const;

/** Returns the outcome of an email to this address: `bounce-hard@…`, `bounce-hard-7@…`, `bounce-hard+x@…`. */
export function simulatedMailOutcomeOf(address: string): SimulatedMailOutcome {
  const lower = address.toLowerCase();
  return (
    simulatedOutcomes.find(
      (outcome) => lower.startsWith(outcome) && /^[@+.\-_\d]/.test(lower.slice(outcome.length)),
    ) ?? 'delivered'
  );
}
