import { DateTime } from 'luxon';
import { z } from 'zod';
import { formatAmount, parseAmount } from '../../accounts/money.ts';
import type { CoreContext } from '../../core.ts';
import { queuesByLane } from '../../dispatch/queues.ts';
import { Refusal } from '../../errors.ts';
import { iso, maybeIso, out } from '../../interfaces/openapi/out.ts';
import { timeSpan, timeZone as zoneName } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { HOUR_MS, type HourRow, hourOf } from '../../messages/hourly-statistics.ts';
import { laneNames } from '../../messages/lanes.ts';
import { type MessageState, messageStates } from '../../messages/states.ts';
import { channelField, channelName } from './fields.ts';

const DAY_MS = 24 * HOUR_MS;
const MAX_HOURS = 31;
const MAX_DAYS = 400;

const query = z.object({
  from: timeSpan.from.describe('ISO 8601 with an offset; a day before `to` without it.'),
  to: timeSpan.to.describe('ISO 8601 with an offset; now without it.'),
  step: z
    .enum(['hour', 'day'])
    .default('hour')
    .describe(`\`hour\`, for at most ${MAX_HOURS} days; \`day\`, for at most ${MAX_DAYS}.`),
  time_zone: zoneName('Whose days are counted; the zone of the account without it').optional(),
});

const sums = {
  channel: channelField,
  accepted: out.count('Messages that were accepted.', 1_200),
  sent: out.count('Of them, those that were submitted.', 1_190),
  waiting: out.count('Not submitted yet.', 0),
  handed_over: out.count('Submitted, without a delivery status yet.', 20),
  delivered: out.count('Delivered, and not known to be read.', 1_150),
  read: out.count('Read.', 0),
  failed: out.count('Failed.', 25),
  cancelled: out.count('Cancelled.', 5),
  parts: out.count('Parts of SMS.', 1_400),
  spent: out.text('Credits, less what was given back.', '345.5'),
};
const overviewAnswer = z.object({
  from: out.time('The beginning of the first hour or day'),
  to: out.time('The end of the last one'),
  rows: z
    .array(z.object({ at: out.time('When the hour or day begins'), ...sums }))
    .describe('Messages by the time when they were accepted; hours and days without any are left out.'),
  totals: z.array(z.object(sums)).describe('The same, for the whole time.'),
  counted_at: out.maybeTime('When the latest hour was counted'),
});

const queueAnswer = z.object({
  lanes: z
    .array(
      z.object({
        lane: out.oneOf(['otp', 'single', 'bulk'], 'The lane.', 'bulk'),
        due: out.count('Messages that may be submitted now; a batch counts whole until it is done.', 1_200),
        oldest_seconds: out.count('How long the oldest of them has been due.', 4),
        later: out.count('Messages whose time is to come, or that are tried again later.', 0),
        paused: out.count('Messages of shipments that are paused.', 0),
      }),
    )
    .describe('Every lane, the most urgent first.'),
});

type Sums = z.output<typeof overviewAnswer>['totals'][number];

type OverviewDeps = Pick<CoreContext, 'sql' | 'clock' | 'hourlyStatistics' | 'defaultZone'>;

const route = resource<OverviewDeps>('reports');

/** What an account sees first: what was sent, delivered, failed and spent, and what waits. */
export const overviewRoutes = [
  route('GET /v1/overview', {
    operationId: 'showOverview',
    title: 'Show the statistics',
    description:
      'Messages by channel and hour or day. Counted in the background, some seconds to minutes behind; a receipt that comes late is counted in the hour of its message.',
    query,
    answer: overviewAnswer,
    handler: async ({ account: { id: accountId, timeZone }, query: given }, deps) => {
      const span = spanOf(deps, given);
      const zone = given.time_zone ?? timeZone ?? deps.defaultZone;
      const beginOf = given.step === 'hour' ? hourBegin : dayBegin(zone);
      const first = hourOf(beginOf(span.from));
      const [rows, countedAt] = await Promise.all([
        deps.hourlyStatistics.between(accountId, first, Math.ceil(span.to / HOUR_MS)),
        deps.hourlyStatistics.countedTo(accountId),
      ]);
      return {
        from: iso(first * HOUR_MS),
        to: iso(Math.ceil(span.to / HOUR_MS) * HOUR_MS),
        rows: grouped(rows, (row) => beginOf(row.hour * HOUR_MS)),
        totals: grouped(rows, () => 0).map(({ at, ...rest }) => rest),
        counted_at: maybeIso(countedAt),
      };
    },
  }),
  route('GET /v1/queue', {
    operationId: 'showQueue',
    title: 'Show the queue',
    description: 'Messages of every channel that wait for a carrier, by lane.',
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
          };
        }),
      };
    },
  }),
];

function spanOf({ clock }: OverviewDeps, given: z.output<typeof query>): { from: number; to: number } {
  const to = given.to ?? clock.now();
  const from = given.from ?? to - DAY_MS;
  const most = given.step === 'hour' ? MAX_HOURS : MAX_DAYS;
  if (from > to) throw new Refusal('bad-field', 'must not be before from', 'to');
  if (to - from > most * DAY_MS) throw new Refusal('bad-field', `more than ${most} days after from`, 'to');
  return { from, to };
}

const hourBegin = (time: number): number => hourOf(time) * HOUR_MS;

/** The beginnings of days of a zone; of a zone whose days begin within an hour, that hour is the day's. */
function dayBegin(zone: string): (time: number) => number {
  return (time) => DateTime.fromMillis(time, { zone }).startOf('day').toMillis();
}

/** Rows of one channel and time as one, in the order of time. */
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
