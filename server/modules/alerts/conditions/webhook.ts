import { numbers } from '../../../database/arrays.ts';
import { defineCondition, OPERATOR } from '../condition.ts';

const MINUTE_MS = 60_000;

/**
 * A webhook endpoint or push address was disabled, or has failed for some minutes: one of the account or, in rules of the
 * operator, any.
 */
export const webhook = defineCondition({
  kind: 'webhook',
  of: ['account', 'operator'],
  reads: [['GET', '/v1/webhooks']],
  thresholds: { minutes: 15 },
  forMinutes: 0,
  example: {
    subject: '1774337460000001',
    measured: { host: 'example.com', state: 'failing', since: 1_774_337_460_000 },
  },
  firstRule: { name: 'Webhook down', thresholds: {} },
  holds: {
    en: ({ host, state, account }) =>
      `The webhook to ${host}${account ? ` of the account ${account}` : ''} ${state === 'off' ? 'was switched off' : 'is failing'}`,
    he: ({ host, state, account }) =>
      `ה-webhook אל ${host}${account ? ` של החשבון ${account}` : ''} ${state === 'off' ? 'כובה' : 'נכשל'}`,
  },
  async measure({ sql, clock }, rules) {
    const now = clock.now();
    const rows = await sql<
      {
        rule: number;
        id: number;
        url: string;
        state: 'active' | 'off';
        since: number | null;
        account: string | null;
      }[]
    >`
      SELECT u.rule, e.id, e.url, e.state, coalesce(e.off_at, e.failing_since) AS since,
        CASE WHEN u.account_id = ${OPERATOR} THEN a.username END AS account
      FROM event_endpoints e JOIN accounts a ON a.id = e.account_id, unnest(${numbers(rules.map(({ id }) => id))}::bigint[],
        ${numbers(rules.map(({ accountId }) => accountId))}::bigint[],
        ${numbers(rules.map(({ thresholds }) => now - thresholds.minutes! * MINUTE_MS))}::bigint[])
        AS u (rule, account_id, failing_since)
      WHERE u.account_id IN (${OPERATOR}, e.account_id) AND (e.state = 'off' OR e.failing_since <= u.failing_since)`;
    return rows.map(({ rule, id, url, state, since, account }) => ({
      ruleId: rule,
      subject: String(id),
      measured: {
        // Only the host, because path and query often contain the receiver's key.
        host: new URL(url).host,
        state: state === 'off' ? 'off' : 'failing',
        since: since ?? now,
        ...(account !== null && { account }),
      },
    }));
  },
});
