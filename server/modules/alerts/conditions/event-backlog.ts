import { idFloor, timeOfId } from '../../../kit/ids.ts';
import { defineCondition } from '../condition.ts';

const MINUTE_MS = 60_000;

/** Events wait although their endpoints are not down: the service does not keep up. */
export const eventBacklog = defineCondition({
  kind: 'event-backlog',
  of: ['operator'],
  reads: [],
  thresholds: { minutes: 10 },
  forMinutes: 0,
  example: { subject: '', measured: { minutes: 12, events: 3_000 } },
  holds: {
    en: ({ minutes, events }) => `${events} webhook events have been waiting for up to ${minutes} minutes`,
    he: ({ minutes, events }) => `${events} אירועי webhook ממתינים עד ${minutes} דקות`,
  },
  async measure({ sql, clock }, rules) {
    const now = clock.now();
    const latest = Math.max(...rules.map(({ thresholds }) => now - thresholds.minutes! * MINUTE_MS));
    const [row] = await sql<{ oldest: number | null; count: number }[]>`
      SELECT min(batch_id) AS oldest, coalesce(sum(count), 0)::int AS count FROM event_queue
      WHERE batch_id < ${idFloor(latest)}`;
    if (row!.oldest === null) return [];
    const oldest = timeOfId(row!.oldest);
    return rules
      .filter(({ thresholds }) => oldest <= now - thresholds.minutes! * MINUTE_MS)
      .map(({ id }) => ({
        ruleId: id,
        subject: '',
        measured: { minutes: Math.floor((now - oldest) / MINUTE_MS), events: row!.count },
      }));
  },
});
