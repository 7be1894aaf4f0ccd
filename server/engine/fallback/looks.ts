import type { OpenMessages } from './rows.ts';

/** Milliseconds after the start of a send before the first look for messages to replace. */
export const FIRST_LOOK_MS = 5_000;
/** Milliseconds between two looks at a send that has not started: it may start earlier than it was to. */
export const SCHEDULED_LOOK_MS = 300_000;
/** Shortest and longest pause between two looks at a send, in milliseconds. */
const MIN_PAUSE_MS = 5_000;
const MIN_PAUSE_OF_CAMPAIGN_MS = 60_000;
const MAX_PAUSE_MS = 60_000;
/** Shares of the time after which messages are replaced: the pauses between two looks at most, and at least for campaigns. */
const MAX_SHARE = 3;
const MIN_SHARE_OF_CAMPAIGN = 10;

/** A send, for the time of the next look. Times are milliseconds since the epoch. */
interface LookedAt {
  readonly isCampaign: boolean;
  readonly dueAt: number;
  readonly afterMs: number;
}

/**
 * Returns when to look next for messages to replace. The older a send is, the later, since most failures are reported early;
 * not later than a message is overdue. Each look at a campaign may make a shipment, so these are rarer.
 */
export function nextLook(
  { isCampaign, dueAt, afterMs }: LookedAt,
  { submitted_at: submittedAt }: OpenMessages,
  now: number,
): number {
  const shortest = isCampaign
    ? Math.max(MIN_PAUSE_OF_CAMPAIGN_MS, afterMs / MIN_SHARE_OF_CAMPAIGN)
    : MIN_PAUSE_MS;
  const longest = Math.max(MAX_PAUSE_MS, afterMs / MAX_SHARE);
  const look = now + Math.min(Math.max((now - dueAt) / 2, shortest), longest);
  const overdue = submittedAt === null ? look : submittedAt + afterMs;
  return Math.ceil(Math.max(Math.min(look, overdue), now + (isCampaign ? shortest : 0)));
}
