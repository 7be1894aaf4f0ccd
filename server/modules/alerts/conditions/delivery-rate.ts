import { numbers, texts } from '../../../database/arrays.ts';
import { hourOf } from '../../../engine/messages/hours.ts';
import {
  type ConditionDeps,
  defineCondition,
  type Finding,
  type MeasuredRule,
  OPERATOR,
  type Thresholds,
} from '../condition.ts';

/*
 * The rate covers the messages accepted in this hour and the one before, and is compared with the rate of the previous week.
 * Small numbers fall by chance: of 50 messages to a network that delivers 90 %, 70 % or less arrive in one of 25,000 such
 * hours. So a rule has a minimum number of messages, and a fall within three standard deviations of the usual rate never
 * counts, whatever the rule's threshold.
 */

/** The current hour and the one before. */
const WINDOW_HOURS = 2;
const BASELINE_HOURS = 7 * 24;
/** The usual rate must be based on at least this multiple of the minimum number of messages. */
const BASELINE_TIMES = 2;
/** A network with a lower usual rate does not report deliveries, or delivers too little to be useful. */
const USUAL_AT_LEAST = 0.3;
const DEVIATIONS = 3;

const defaults = { drop_percent: 20, min_messages: 50 };

/** Messages of a subject in the window or in the week before it. */
interface Rate {
  readonly rule: number;
  readonly subject: string;
  readonly delivered: number;
  readonly total: number;
}

/** The delivery rate of SMS to a prefix fell: for the account or, in rules of the operator, over all accounts. */
export const deliveryRate = defineCondition({
  kind: 'delivery-rate',
  of: ['account', 'operator'],
  reads: [['GET', '/v1/messages']],
  thresholds: { ...defaults, prefix: '' },
  forMinutes: 10,
  example: {
    subject: '97250',
    measured: { subject: '97250', rate: 61.3, usual: 94.8, messages: 212 },
  },
  firstRule: { name: 'Delivery rate', thresholds: {} },
  holds: {
    en: ({ subject, rate, usual, messages, connector }) =>
      `Delivery to ${subject} fell to ${rate} % (usually ${usual} %, ${messages} messages)${connector ? `, mostly over ${connector}` : ''}`,
    he: ({ subject, rate, usual, messages, connector }) =>
      `שיעור המסירה אל ${subject} ירד ל-${rate}% (בדרך כלל ${usual}%, ${messages} הודעות)${connector ? `, בעיקר דרך ${connector}` : ''}`,
  },
  async measure(deps, rules) {
    const own = rules.filter(({ accountId }) => accountId !== OPERATOR);
    const general = rules.filter(({ accountId }) => accountId === OPERATOR);
    return [
      ...(own.length > 0 ? await ofAccounts(deps, own) : []),
      ...(general.length > 0 ? await withConnectors(deps, await ofAll(deps, general, 'prefix')) : []),
    ];
  },
});

/** The delivery rate of SMS over a connector fell, over all accounts. */
export const connectorDeliveryRate = defineCondition({
  kind: 'connector-delivery-rate',
  of: ['operator'],
  reads: [],
  thresholds: defaults,
  forMinutes: 10,
  example: {
    subject: 'carrier',
    measured: { subject: 'carrier', rate: 61.3, usual: 94.8, messages: 2_120 },
  },
  holds: {
    en: ({ subject, rate, usual, messages }) =>
      `Delivery over the connector ${subject} fell to ${rate} % (usually ${usual} %, ${messages} messages)`,
    he: ({ subject, rate, usual, messages }) =>
      `שיעור המסירה דרך החיבור ${subject} ירד ל-${rate}% (בדרך כלל ${usual}%, ${messages} הודעות)`,
  },
  measure: (deps, rules) => ofAll(deps, rules, 'connector'),
});

async function ofAccounts({ sql, clock }: ConditionDeps, rules: readonly MeasuredRule[]) {
  const hour = hourOf(clock.now());
  const from = hour - WINDOW_HOURS + 1;
  const accountIds = numbers(rules.map(({ accountId }) => accountId));
  // A rate so close to 100 % that the fall cannot reach the threshold is excluded here.
  const low = await sql<Rate[]>`
    SELECT u.rule, d.prefix AS subject, sum(d.delivered)::int AS delivered,
      sum(d.delivered + d.failed + d.silent)::int AS total
    FROM delivery_hours d, unnest(${numbers(rules.map(({ id }) => id))}::bigint[], ${accountIds}::bigint[],
      ${numbers(rules.map(({ thresholds }) => thresholds.min_messages!))}::bigint[],
      ${numbers(rules.map(({ thresholds }) => thresholds.drop_percent!))}::bigint[])
      AS u (rule, account_id, least, fall)
    WHERE d.account_id = u.account_id AND d.account_id = ANY(${accountIds}::bigint[])
      AND d.hour >= ${from} AND d.hour <= ${hour}
    GROUP BY u.rule, d.prefix, u.least, u.fall
    HAVING sum(d.delivered + d.failed + d.silent) >= u.least
      AND sum(d.delivered) * 100 <= sum(d.delivered + d.failed + d.silent) * (100 - u.fall)`;
  if (low.length === 0) return [];
  const ruleOf = new Map(rules.map((rule) => [rule.id, rule]));
  const lowAccounts = numbers(low.map(({ rule }) => ruleOf.get(rule)!.accountId));
  const usual = await sql<Rate[]>`
    SELECT u.rule, d.prefix AS subject, sum(d.delivered)::int AS delivered,
      sum(d.delivered + d.failed + d.silent)::int AS total
    FROM delivery_hours d, unnest(${numbers(low.map(({ rule }) => rule))}::bigint[], ${lowAccounts}::bigint[],
      ${texts(low.map(({ subject }) => subject))}::text[]) AS u (rule, account_id, prefix)
    WHERE d.account_id = u.account_id AND d.account_id = ANY(${lowAccounts}::bigint[]) AND d.prefix = u.prefix
      AND d.hour >= ${from - BASELINE_HOURS} AND d.hour < ${from}
    GROUP BY u.rule, d.prefix`;
  return fallen(low, usual, ruleOf);
}

async function ofAll(
  { sql, clock }: ConditionDeps,
  rules: readonly MeasuredRule[],
  by: 'prefix' | 'connector',
): Promise<readonly Finding[]> {
  const hour = hourOf(clock.now());
  const from = hour - WINDOW_HOURS + 1;
  const rates = (first: number, end: number, subjects?: readonly string[]) => sql<Omit<Rate, 'rule'>[]>`
    SELECT d.subject, sum(d.delivered)::int AS delivered, sum(d.total)::int AS total
    FROM wallets w CROSS JOIN LATERAL (
      SELECT ${sql(by)} AS subject, delivered, delivered + failed + silent AS total FROM delivery_hours h
      WHERE h.account_id = w.account_id AND h.hour >= ${first} AND h.hour < ${end}
        ${subjects === undefined ? sql`` : sql`AND ${sql(by)} = ANY(${texts(subjects)}::text[])`}
    ) d GROUP BY d.subject`;
  const now = await rates(from, hour + 1);
  const low = rules.flatMap(({ id, thresholds }) =>
    now.filter((rate) => mayHaveFallen(rate, thresholds)).map((rate) => ({ rule: id, ...rate })),
  );
  if (low.length === 0) return [];
  const week = await rates(from - BASELINE_HOURS, from, [...new Set(low.map(({ subject }) => subject))]);
  const usual = rules.flatMap(({ id }) => week.map((rate) => ({ rule: id, ...rate })));
  return fallen(low, usual, new Map(rules.map((rule) => [rule.id, rule])));
}

/** Adds the connector over which most messages to a prefix were not delivered, for operators. */
async function withConnectors(
  { sql, clock }: ConditionDeps,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  if (findings.length === 0) return findings;
  const hour = hourOf(clock.now());
  const rows = await sql<{ prefix: string; connector: string; lost: number }[]>`
    SELECT d.prefix, d.connector, sum(d.lost)::int AS lost
    FROM wallets w CROSS JOIN LATERAL (
      SELECT h.prefix, h.connector, h.failed + h.silent AS lost FROM delivery_hours h
      WHERE h.account_id = w.account_id AND h.hour > ${hour - WINDOW_HOURS} AND h.hour <= ${hour}
        AND h.prefix = ANY(${texts(findings.map(({ subject }) => subject))}::text[])
    ) d GROUP BY d.prefix, d.connector ORDER BY lost DESC, d.connector`;
  return findings.map((finding) => {
    const worst = rows.find(({ prefix }) => prefix === finding.subject);
    return worst ? { ...finding, measured: { ...finding.measured, connector: worst.connector } } : finding;
  });
}

const mayHaveFallen = (
  { delivered, total }: Omit<Rate, 'rule'>,
  { min_messages: least, drop_percent: fall }: Thresholds,
) => total >= least! && delivered * 100 <= total * (100 - fall!);

function fallen(
  low: readonly Rate[],
  usual: readonly Rate[],
  ruleOf: ReadonlyMap<number, MeasuredRule>,
): Finding[] {
  const before = new Map(usual.map((rate) => [`${rate.rule} ${rate.subject}`, rate]));
  return low.flatMap(({ rule, subject, delivered, total }) => {
    const { drop_percent: fall, min_messages: least, prefix = '' } = ruleOf.get(rule)!.thresholds;
    const week = before.get(`${rule} ${subject}`);
    if (!week || week.total < least! * BASELINE_TIMES || !subject.startsWith(prefix)) return [];
    const usualRate = week.delivered / week.total;
    const rate = delivered / total;
    const chance = DEVIATIONS * Math.sqrt(usualRate * (1 - usualRate) * (1 / total + 1 / week.total));
    const isFallen = usualRate - rate >= Math.max(fall! / 100, chance);
    if (!isFallen || usualRate < USUAL_AT_LEAST) return [];
    const percent = (share: number) => Math.round(share * 1_000) / 10;
    const measured = { subject, rate: percent(rate), usual: percent(usualRate), messages: total };
    return [{ ruleId: rule, subject, measured }];
  });
}
