/** What the sandbox's mail server does with a mail, by the beginning of its address. */
type SimulatedMailOutcome =
  | 'delivered'
  /** Takes it, and reports a hard bounce (5.1.1), or a soft one (4.2.2). */
  | 'bounce-hard'
  | 'bounce-soft'
  /** Delivers it, and its reader calls it spam. */
  | 'complain'
  /** Refuses the recipient (550 5.1.1). */
  | 'reject'
  /** Asks to try again (451 4.7.1), once for each mail. */
  | 'busy'
  /** Takes its time before it answers. */
  | 'slow'
  /** Closes the connection in the middle of the mail, once for each. */
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

/** The simulated outcome of a mail to this address: `bounce-hard@…`, `bounce-hard-7@…`, `bounce-hard+x@…`. */
export function simulatedMailOutcomeOf(address: string): SimulatedMailOutcome {
  const lower = address.toLowerCase();
  return (
    simulatedOutcomes.find(
      (outcome) => lower.startsWith(outcome) && /^[@+.\-_\d]/.test(lower.slice(outcome.length)),
    ) ?? 'delivered'
  );
}
