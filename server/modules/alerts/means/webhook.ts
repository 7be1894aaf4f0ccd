import type { Sql } from '../../../database/connection.ts';
import type { Events } from '../../../engine/events/events.ts';
import type { Event } from '../../../engine/events/types.ts';
import type { Notification } from '../notifications.ts';
import type { Means } from './means.ts';

interface WebhookDeps {
  readonly sql: Sql;
  readonly events: Pick<Events, 'record'>;
}

/**
 * Notifies by events, recorded in the transaction that stores the outcome, so each is recorded once. The attempt fails with
 * `no-webhook` while no subscribed webhook endpoint is active and working.
 */
export const byWebhook =
  ({ sql, events }: WebhookDeps): Means =>
  async (notification) => {
    const { senderId: accountId } = notification;
    const happened = eventsOf(notification);
    const [{ type }] = happened as [Event];
    const working = await sql`
      SELECT 1 FROM event_endpoints
      WHERE account_id = ${accountId} AND kind = 'webhook' AND state = 'active' AND failing_since IS NULL
        AND (types IS NULL OR ${type} = ANY(types)) LIMIT 1`;
    if (working.length === 0) return { kind: 'later', problem: 'no-webhook' };
    return { kind: 'sent', also: (tx) => events.record(tx, accountId, happened) };
  };

function eventsOf({ phase, ruleId, ruleName, alerts, createdAt }: Notification): readonly Event[] {
  return alerts.map(({ id, kind, subject, measured, beganAt, endedAt, times }): Event => {
    const data = {
      alert_id: id,
      rule_id: ruleId,
      rule: ruleName,
      kind,
      subject,
      measured: measured as Readonly<Record<string, string | number>>,
      began_at: new Date(beganAt).toISOString(),
    };
    if (endedAt === null)
      return { type: 'alert.began', at: createdAt, data: { ...data, times, test: phase === 'test' } };
    return {
      type: 'alert.ended',
      at: createdAt,
      data: { ...data, ended_at: new Date(endedAt).toISOString() },
    };
  });
}
