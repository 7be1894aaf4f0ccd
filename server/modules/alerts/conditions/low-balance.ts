import { numbers, texts } from '../../../database/arrays.ts';
import { HOUR_MS, hourOf } from '../../../engine/messages/hours.ts';
import { formatAmount, parseAmount } from '../../accounts/money.ts';
import { defineCondition } from '../condition.ts';

/** An account that sent nothing within this number of hours is not active. */
const ACTIVE_HOURS = 7 * 24;

/** The balance of the account, or of a subscriber, is below an amount. */
export const lowBalance = defineCondition({
  kind: 'low-balance',
  of: ['account'],
  reads: [['GET', '/v1/wallet']],
  thresholds: { below: 1_000_000, subscribers: true, active_only: false },
  forMinutes: 0,
  example: { subject: '', measured: { account: 'shop', balance: '42.5', below: '100' } },
  firstRule: { name: 'Low balance', thresholds: { active_only: true } },
  holds: {
    en: ({ account, balance, below }) =>
      `The balance of ${account} is ${balance} credits (threshold ${below})`,
    he: ({ account, balance, below }) => `היתרה של ${account} היא ${balance} קרדיטים (סף ${below})`,
  },
  async measure({ sql, clock }, rules) {
    const since = hourOf(clock.now() - ACTIVE_HOURS * HOUR_MS);
    const accountIds = numbers(rules.map(({ accountId }) => accountId));
    // In a distributed database, accounts are on the coordinator and wallets are not, so this needs two statements.
    const accounts = await sql<{ id: number; parentId: number | null; username: string }[]>`
      SELECT id, parent_id AS "parentId", username FROM accounts
      WHERE id = ANY(${accountIds}::bigint[]) OR parent_id = ANY(${accountIds}::bigint[])`;
    const known = new Map(accounts.map((account) => [account.id, account]));
    const children = Map.groupBy(accounts, ({ parentId }) => parentId);
    const wanted = rules.flatMap((rule) => {
      const subscribers = rule.thresholds.subscribers ? (children.get(rule.accountId) ?? []) : [];
      return [rule.accountId, ...subscribers.map(({ id }) => id)].map((accountId) => ({ rule, accountId }));
    });
    const rows = await sql<{ rule: number; account: number; balance: string }[]>`
      SELECT u.rule, w.account_id AS account, w.balance
      FROM wallets w, unnest(${numbers(wanted.map(({ rule }) => rule.id))}::bigint[],
        ${numbers(wanted.map(({ accountId }) => accountId))}::bigint[],
        ${numbers(wanted.map(({ rule }) => rule.thresholds.below!))}::bigint[],
        ${texts(wanted.map(({ rule }) => (rule.thresholds.active_only ? 't' : 'f')))}::boolean[])
        AS u (rule, account_id, below, active_only)
      WHERE w.account_id = u.account_id AND w.account_id = ANY(${numbers(wanted.map(({ accountId }) => accountId))}::bigint[])
        AND w.balance * 10000 < u.below
        AND (NOT u.active_only OR EXISTS (
          SELECT FROM message_hours h WHERE h.account_id = w.account_id AND h.hour >= ${since} AND h.spent > 0))`;
    const ruleOf = new Map(rules.map((rule) => [rule.id, rule]));
    return rows.map(({ rule, account, balance }) => ({
      ruleId: rule,
      subject: account === ruleOf.get(rule)!.accountId ? '' : String(account),
      measured: {
        account: known.get(account)!.username,
        balance: formatAmount(parseAmount(balance)),
        below: formatAmount(ruleOf.get(rule)!.thresholds.below!),
      },
    }));
  },
});
