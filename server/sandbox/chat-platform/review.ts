/** One step in the review of a template, in the platform's terms. */
export interface ReviewStep {
  readonly event: string;
  readonly reason: string;
  /** New status of the template. */
  readonly status: string;
  /** Milliseconds after the previous step; `reviewDelayMs` of the behaviour when absent. */
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

/** Returns the review of a template by the ending of its name (docs/chat-platform.md); other templates are approved. */
export function reviewOf(name: string): readonly ReviewStep[] {
  return byEnding.find(([ending]) => name.endsWith(ending))?.[1] ?? [approved];
}
