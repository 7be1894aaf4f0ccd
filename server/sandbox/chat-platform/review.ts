/** A step of what a template goes through, with the words of the platform. */
export interface ReviewStep {
  readonly event: string;
  readonly reason: string;
  /** The status that the template has from then on. */
  readonly status: string;
  /** After the step before, in milliseconds; the usual pause of the behaviour when absent. */
  readonly afterMs?: number;
  readonly title?: string;
}

export const approved: ReviewStep = { event: 'APPROVED', reason: 'NONE', status: 'APPROVED' };
const rejected = (reason: string): ReviewStep => ({ event: 'REJECTED', reason, status: 'REJECTED' });
const flagged: ReviewStep = { event: 'FLAGGED', reason: 'NONE', status: 'APPROVED' };

const byEnding: readonly (readonly [ending: string, steps: readonly ReviewStep[]])[] = [
  ['_reject', [rejected('INVALID_FORMAT')]],
  ['_spam', [rejected('SCAM')]],
  ['_policy', [rejected('ABUSIVE_CONTENT')]],
  ['_unknown', [rejected('NONE')]],
  [
    '_pause',
    [
      approved,
      { event: 'PAUSED', reason: 'NONE', status: 'PAUSED', title: 'FIRST_PAUSE' },
      { ...approved, afterMs: 6 * 3_600_000, title: 'UNPAUSE' },
    ],
  ],
  ['_disable', [approved, { event: 'DISABLED', reason: 'NONE', status: 'DISABLED', title: 'DISABLED' }]],
  ['_flag', [approved, flagged]],
  ['_unflag', [approved, flagged, { event: 'REINSTATED', reason: 'NONE', status: 'APPROVED' }]],
];

/** What the platform makes of a template with this name (docs/chat-platform.md); it approves all others. */
export function reviewOf(name: string): readonly ReviewStep[] {
  return byEnding.find(([ending]) => name.endsWith(ending))?.[1] ?? [approved];
}
