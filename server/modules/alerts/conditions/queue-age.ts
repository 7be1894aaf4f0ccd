import { numbers } from '../../../database/arrays.ts';
import { laneNames } from '../../../engine/messages/lanes.ts';
import {
  type ConditionDeps,
  defineCondition,
  type Finding,
  type MeasuredRule,
  OPERATOR,
} from '../condition.ts';

const MINUTE_MS = 60_000;

interface Waiting {
  readonly lane: number;
  readonly oldest: number;
  readonly count: number;
}

/**
 * Due messages have not been sent for some minutes: messages of the account or, for rules of the operator, of all accounts.
 */
export const queueAge = defineCondition({
  kind: 'queue-age',
  of: ['account', 'operator'],
  reads: [['GET', '/v1/messages']],
  thresholds: { minutes: 15 },
  forMinutes: 0,
  example: { subject: 'bulk', measured: { lane: 'bulk', minutes: 17, messages: 1_200 } },
  holds: {
    en: ({ lane, minutes, messages }) =>
      `${messages} messages have been waiting for up to ${minutes} minutes (lane ${lane})`,
    he: ({ lane, minutes, messages }) => `${messages} הודעות ממתינות עד ${minutes} דקות (נתיב ${lane})`,
  },
  async measure(deps, rules) {
    const own = rules.filter(({ accountId }) => accountId !== OPERATOR);
    const general = rules.filter(({ accountId }) => accountId === OPERATOR);
    return [
      ...(own.length > 0 ? await ofAccounts(deps, own) : []),
      ...(general.length > 0 ? await ofAll(deps, general) : []),
    ];
  },
});

async function ofAccounts(
  { sql, clock }: ConditionDeps,
  rules: readonly MeasuredRule[],
): Promise<readonly Finding[]> {
  const now = clock.now();
  const accountIds = numbers(rules.map(({ accountId }) => accountId));
  const rows = await sql<(Waiting & { rule: number })[]>`
    SELECT u.rule, b.lane, min(b.due_at) AS oldest, sum(b.count)::int AS count
    FROM dispatch_batches b, unnest(${numbers(rules.map(({ id }) => id))}::bigint[], ${accountIds}::bigint[],
      ${numbers(rules.map(({ thresholds }) => now - thresholds.minutes! * MINUTE_MS))}::bigint[])
      AS u (rule, account_id, due_at)
    WHERE b.account_id = u.account_id AND b.account_id = ANY(${accountIds}::bigint[]) AND b.due_at <= u.due_at
    GROUP BY u.rule, b.lane`;
  return rows.map(({ rule, ...row }) => findingOf(rule, row, now));
}

async function ofAll(
  { sql, clock }: ConditionDeps,
  rules: readonly MeasuredRule[],
): Promise<readonly Finding[]> {
  const now = clock.now();
  const latest = Math.max(...rules.map(({ thresholds }) => now - thresholds.minutes! * MINUTE_MS));
  const rows = await sql<Waiting[]>`
    SELECT lane, min(due_at) AS oldest, sum(count)::int AS count FROM dispatch_batches
    WHERE due_at <= ${latest} GROUP BY lane`;
  return rules.flatMap(({ id, thresholds }) =>
    rows
      .filter(({ oldest }) => oldest <= now - thresholds.minutes! * MINUTE_MS)
      .map((row) => findingOf(id, row, now)),
  );
}

function findingOf(ruleId: number, { lane, oldest, count }: Waiting, now: number): Finding {
  const name = laneNames[lane]!;
  const minutes = Math.floor((now - oldest) / MINUTE_MS);
  return { ruleId, subject: name, measured: { lane: name, minutes, messages: count } };
}
