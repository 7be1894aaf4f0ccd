import { numbers, texts } from '../../../database/arrays.ts';
import { HOUR, type Rule } from '../../fraud-guard/rules.ts';
import { defineCondition } from '../condition.ts';

/** Blocks by the limits of a phone or an account are not evidence of fraud. */
const fraudRules: readonly Rule[] = ['neighbours', 'conversion', 'spending-cap'];
/** Blocks older than this are not a current attack. */
const RECENT_MS = 30 * 60_000;

/** The fraud guard stops sends of any kind to a range of numbers. */
export const codeFraud = defineCondition({
  kind: 'code-fraud',
  of: ['account'],
  reads: [['GET', '/v1/otp/blocks']],
  thresholds: { count: 10 },
  forMinutes: 0,
  example: { subject: '9725012', measured: { prefix: '9725012', stopped: 25 } },
  firstRule: { name: 'One-time code fraud', thresholds: {} },
  holds: {
    en: ({ prefix, stopped }) => `The fraud guard stopped ${stopped} sends to ${prefix}`,
    he: ({ prefix, stopped }) => `מנגנון ההגנה מהונאות עצר ${stopped} שליחות אל ${prefix}`,
  },
  async measure({ sql, clock }, rules) {
    const now = clock.now();
    const accountIds = numbers(rules.map(({ accountId }) => accountId));
    const rows = await sql<{ rule: number; prefix: string; count: number }[]>`
      SELECT u.rule, b.prefix, sum(b.count)::int AS count
      FROM otp_blocks b, unnest(${numbers(rules.map(({ id }) => id))}::bigint[], ${accountIds}::bigint[],
        ${numbers(rules.map(({ thresholds }) => thresholds.count!))}::integer[]) AS u (rule, account_id, least)
      WHERE b.account_id = u.account_id AND b.account_id = ANY(${accountIds}::bigint[])
        AND b.hour >= ${now - (now % HOUR) - HOUR} AND b.last_at >= ${now - RECENT_MS}
        AND b.rule = ANY(${texts(fraudRules)}::text[])
      GROUP BY u.rule, b.prefix, u.least HAVING sum(b.count) >= u.least`;
    return rows.map(({ rule, prefix, count }) => ({
      ruleId: rule,
      subject: prefix,
      measured: { prefix, stopped: count },
    }));
  },
});
