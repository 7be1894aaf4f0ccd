import { type Check, ok, skip, warn } from '../../run/doctor/check.ts';

/** Webhook endpoints that get nothing. */
export const webhooksCheck: Check = {
  name: 'webhooks',
  title: 'Webhooks',
  about: 'Check endpoints that are disabled or failing, and replay the events that they missed.',
  async run({ appContext: { database } }) {
    const rows = await database.sql<{ username: string; off: number; failing: number; total: number }[]>`
      SELECT a.username, count(*) FILTER (WHERE e.state = 'off')::int AS off,
        count(*) FILTER (WHERE e.state <> 'off' AND e.failing_since IS NOT NULL)::int AS failing, count(*)::int AS total
      FROM event_endpoints e JOIN accounts a ON a.id = e.account_id GROUP BY a.username ORDER BY a.username`;
    if (rows.length === 0) return [skip('no account has a webhook')];
    const findings = rows.flatMap(({ username, off, failing }) => [
      ...(off > 0
        ? [
            warn(
              `disabled endpoints of ${username}: ${off}`,
              'Repair them, enable them, and replay their events.',
            ),
          ]
        : []),
      ...(failing > 0
        ? [warn(`failing endpoints of ${username}: ${failing}`, 'See their deliveries in the console.')]
        : []),
    ]);
    return findings.length > 0 ? findings : [ok('all endpoints accept their events')];
  },
};
