import { defineRetention } from '../../kit/define-retention.ts';

/** Days in which deliveries can be replayed (docs/events.md). */
const EVENT_DAYS = 30;

/** An event is tried for a day. */
export const eventsKept = defineRetention({
  kind: 'events',
  meaning: 'Events, and their deliveries to webhooks and push addresses; never longer than texts.',
  leastDays: 2,
  days: () => EVENT_DAYS,
});
