type Outcome = 'handed_over' | 'delivered' | 'read' | 'failed' | 'cancelled';

/** Recipients with an outcome, as counted last: `messages` of a campaign is ahead of its counts while lists are expanded. */
export function doneOf({
  progress,
}: {
  readonly progress: Readonly<Record<Outcome, number>> | null;
}): number {
  if (!progress) return 0;
  const { handed_over, delivered, read, failed, cancelled } = progress;
  return handed_over + delivered + read + failed + cancelled;
}
