type Outcome = 'submitted' | 'delivered' | 'read' | 'failed' | 'cancelled';

interface Counted {
  readonly state: string;
  readonly unmade: number;
  readonly progress: Readonly<Record<Outcome, number>> | null;
}

/** Recipients of a campaign that was cancelled before they got something: with a message, or without one. */
export const cancelledOf = ({ state, unmade, progress }: Counted): number =>
  (progress?.cancelled ?? 0) + (state === 'cancelled' ? unmade : 0);

/** Recipients with an outcome, as counted last: `messages` of a campaign is ahead of its counts while lists are expanded. */
export function doneOf(campaign: Counted): number {
  const { progress } = campaign;
  if (!progress) return 0;
  const { submitted, delivered, read, failed } = progress;
  return submitted + delivered + read + failed + cancelledOf(campaign);
}
