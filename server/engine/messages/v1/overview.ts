import { DateTime } from 'luxon';
import { z } from 'zod';
import { reads } from '../../../api/access/rules.ts';
import { iso, maybeIso, out } from '../../../api/openapi/out.ts';
import { timeSpan, timeZone as zoneName } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { badField } from '../../../kit/errors.ts';
import { formatAmount, parseAmount } from '../../../modules/accounts/money.ts';
import type { CoreContext } from '../../../run/services.ts';
import { queuesByLane } from '../../dispatch/queues.ts';
import type { HourRow } from '../hourly-statistics.ts';
import { HOUR_MS, hourOf } from '../hours.ts';
import { laneNames } from '../lanes.ts';
import { MAX_PREFIX_SAMPLE, prefixRates } from '../prefix-rates.ts';
import { type MessageState, messageStates } from '../states.ts';
import { channelField, channelName } from './fields.ts';

const DAY_MS = 24 * HOUR_MS;
const MAX_HOURS = 31;
const MAX_DAYS = 400;

/** Query of the hourly statistics. */
export const overviewQuery = z.object({
  from: timeSpan.from.describe('Start of the span, ISO 8601 with an offset; default: a day before `to`.'),
  to: timeSpan.to.describe('End of the span, ISO 8601 with an offset; default: now.'),
  step: z
    .enum(['hour', 'day'])
    .default('hour')
    .describe(
      `Length of a period: \`hour\`, for at most ${MAX_HOURS} days; \`day\`, for at most ${MAX_DAYS}.`,
    ),
  time_zone: zoneName('Time zone of the days; default: the time zone of the account').optional(),
});

/** The counts of a channel. */
export const sums = {
  channel: channelField,
  accepted: out.count('Accepted messages.', 1_200),
  sent: out.count('Submitted messages among them.', 1_190),
  waiting: out.count('Messages that are not submitted yet.', 0),
  submitted: out.count('Submitted messages without a delivery status.', 20),
  delivered: out.count('Messages that are delivered and not reported as read.', 1_150),
  read: out.count('Read.', 0),
  failed: out.count('Failed.', 25),
  cancelled: out.count('Cancelled.', 5),
  parts: out.count('Parts of SMS.', 1_400),
  spent: out.text('Credits less refunds.', '345.5'),
};
const overviewAnswer = z.object({
  from: out.time('Start of the first hour or day'),
  to: out.time('End of the last hour or day'),
  rows: z
    .array(z.object({ at: out.time('Start of the hour or day'), ...sums }))
    .describe('Messages by time of acceptance; hours and days without messages are omitted.'),
  totals: z.array(z.object(sums)).describe('Totals of the whole time.'),
  counted_at: out.maybeTime('Time of the last count of the latest hour'),
});

const prefixesQuery = overviewQuery.pick({ from: true, to: true });
const prefixesAnswer = z.object({
  sample: out.count('Number of latest messages that were examined.', 12_000),
  max_sample: out.count('Maximum of that number.', MAX_PREFIX_SAMPLE),
  rows: z
    .array(
      z.object({
        channel: channelField,
        prefix: out.text('Prefix of the numbers, or `@` and the domain for email.', '052'),
        accepted: out.count('Accepted messages.', 1_200),
        delivered: out.count('Messages that are delivered and not reported as read.', 1_150),
        read: out.count('Read.', 0),
        failed: out.count('Failed.', 25),
      }),
    )
    .describe('Most frequent prefixes first, at most 100.'),
});

const queueAnswer = z.object({
  lanes: z
    .array(
      z.object({
        lane: out.oneOf(['otp', 'single', 'bulk'], 'Priority lane.', 'bulk'),
        due: out.count(
          'Messages that may be submitted now; a batch counts as a whole until it is finished.',
          1_200,
        ),
        oldest_seconds: out.count('Waiting time of the oldest due message in seconds.', 4),
        later: out.count('Messages that are scheduled, or wait for a retry.', 0),
        paused: out.count('Messages of paused shipments.', 0),
        held: out.count('Messages that are held because the account is suspended.', 0),
      }),
    )
    .describe('Priority lanes, most urgent first.'),
});

type Sums = z.output<typeof overviewAnswer>['totals'][number];

type OverviewDeps = Pick<CoreContext, 'sql' | 'clock' | 'hourlyStatistics' | 'defaultZone' | 'numbers'>;

const route = resource<OverviewDeps>('reports');

/** The start page of an account: sent, delivered and failed messages, spending, and waiting messages. */
export const overviewRoutes = [
  route('GET /v1/overview', {
    access: reads('viewer', 'read'),
    operationId: 'showOverview',
    title: 'Show the statistics',
    description:
      'Returns messages by channel and hour or day. The counts are updated in the background, some seconds to minutes late; a late delivery receipt counts in the hour of its message.',
    query: overviewQuery,
    answer: overviewAnswer,
    handler: async ({ account: { id: accountId, timeZone }, query: given }, deps) => {
      const span = readSpan(deps, given, given.time_zone ?? timeZone ?? deps.defaultZone);
      const [rows, countedAt] = await Promise.all([
        deps.hourlyStatistics.between(accountId, span.first, span.end),
        deps.hourlyStatistics.countedTo(accountId),
      ]);
      return {
        from: iso(span.first * HOUR_MS),
        to: iso(span.end * HOUR_MS),
        rows: rowsOf(rows, span),
        totals: totalsOf(rows),
        counted_at: maybeIso(countedAt),
      };
    },
  }),
  route('GET /v1/overview/prefixes', {
    access: reads('viewer', 'read'),
    operationId: 'showPrefixes',
    title: 'Show delivery by prefix',
    description: `Returns the outcomes of the latest messages of a time span by the prefix of the number, or the domain of email: whole hours, at most ${MAX_DAYS} days and ${MAX_PREFIX_SAMPLE.toLocaleString('en')} messages.`,
    query: prefixesQuery,
    answer: prefixesAnswer,
    handler: async ({ accountId, query }, deps) => {
      const { homeCode } = deps.numbers;
      const { first: from, end: to } = readSpan(deps, { ...query, step: 'day' }, 'UTC');
      const { sample, rates } = await prefixRates(deps.sql, accountId, { from, to, homeCode });
      const rows = rates.map((rate) => ({
        ...rate,
        channel: channelName(rate.channel),
        prefix: shownPrefix(rate.prefix, homeCode),
      }));
      return { sample, max_sample: MAX_PREFIX_SAMPLE, rows };
    },
  }),
  route('GET /v1/queue', {
    access: reads('viewer', 'read'),
    operationId: 'showQueue',
    title: 'Show the queue',
    description: 'Returns the messages of every channel that wait for a carrier, by lane.',
    answer: queueAnswer,
    handler: async ({ accountId }, { sql, clock }) => {
      const queues = await queuesByLane(sql, clock.now(), accountId);
      return {
        lanes: (['otp', 'single', 'bulk'] as const).map((lane) => {
          const queue = queues.find((one) => laneNames[one.lane] === lane);
          return {
            lane,
            due: queue?.due ?? 0,
            oldest_seconds: Math.floor((queue?.oldestMs ?? 0) / 1_000),
            later: queue?.later ?? 0,
            paused: queue?.paused ?? 0,
            held: queue?.resting ?? 0,
          };
        }),
      };
    },
  }),
];

/** Formats a prefix for people: local if it is in the home country. */
function shownPrefix(prefix: string, homeCode: string): string {
  if (prefix.startsWith('@')) return prefix;
  return prefix.startsWith(homeCode) ? `0${prefix.slice(homeCode.length)}` : `+${prefix}`;
}

/**
 * Hours since the epoch, from `first` to before `end`, and a function that returns the beginning of a time's
 * hour or day.
 */
interface HourSpan {
  readonly first: number;
  readonly end: number;
  readonly beginOf: (time: number) => number;
}

/** Returns the requested hours: whole hours or days of a zone. Throws Refusal `bad-field` for too many. */
export function readSpan(
  { clock }: Pick<OverviewDeps, 'clock'>,
  given: z.output<typeof overviewQuery>,
  zone: string,
): HourSpan {
  const to = given.to ?? clock.now();
  const from = given.from ?? to - DAY_MS;
  const most = given.step === 'hour' ? MAX_HOURS : MAX_DAYS;
  if (from > to) throw badField('to', 'must not be before from', 'before-from');
  if (to - from > most * DAY_MS)
    throw badField('to', `more than ${most} days after from`, 'span-too-long', { days: most });
  const beginOf = given.step === 'hour' ? hourBegin : dayBegin(zone);
  return { first: hourOf(beginOf(from)), end: Math.ceil(to / HOUR_MS), beginOf };
}

/** Groups hours into rows of the response, by hour or day and channel. */
export const rowsOf = (rows: readonly HourRow[], { beginOf }: HourSpan) =>
  grouped(rows, (row) => beginOf(row.hour * HOUR_MS));

/** Groups hours into one row per channel. */
export const totalsOf = (rows: readonly HourRow[]): Sums[] =>
  grouped(rows, () => 0).map(({ at, ...rest }) => rest);

const hourBegin = (time: number): number => hourOf(time) * HOUR_MS;

/**
 * Returns a function for the beginning of days in a zone. If days of a zone begin within an hour, the whole
 * hour belongs to that day.
 */
function dayBegin(zone: string): (time: number) => number {
  return (time) => DateTime.fromMillis(time, { zone }).startOf('day').toMillis();
}

/** Sums rows of the same channel and time, ordered by time. */
function grouped(rows: readonly HourRow[], timeOf: (row: HourRow) => number): ({ at: string } & Sums)[] {
  const groups = Map.groupBy(rows, (row) => `${timeOf(row)} ${row.channel}`);
  return [...groups.values()].map((group) => {
    const sum = (field: 'parts' | 'taken' | MessageState) =>
      group.reduce((total, row) => total + row[field], 0);
    const states = Object.fromEntries(messageStates.map((state) => [state, sum(state)])) as Record<
      MessageState,
      number
    >;
    return {
      at: iso(timeOf(group[0]!)),
      channel: channelName(group[0]!.channel),
      accepted: messageStates.reduce((total, state) => total + states[state], 0),
      sent: sum('taken'),
      ...states,
      parts: sum('parts'),
      spent: formatAmount(group.reduce((total, row) => total + parseAmount(row.spent), 0)),
    };
  });
}
