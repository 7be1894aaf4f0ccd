import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { CoreContext } from '../../core.ts';
import { Refusal } from '../../errors.ts';
import { liftPrefix } from '../../fraud-guard/lifts.ts';
import { watchedKinds } from '../../fraud-guard/measure.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { field, pageLimit, rowsAnswer, text, timeSpan } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import {
  type BlockRow,
  blocksOf,
  codesByHour,
  conversionByApplication,
  conversionOf,
} from '../../otp/reports.ts';

const DAY = 86_400_000;
const MAX_DAYS = 31;
const MAX_ROWS = 1_000;

const span = z.object({
  from: timeSpan.from.describe('ISO 8601 with an offset; a day before `to` without it.'),
  to: timeSpan.to.describe(`Now without it; at most ${MAX_DAYS} days after \`from\`.`),
});
const query = span.extend({ limit: pageLimit(MAX_ROWS, 'Rows at most.') });

const time = out.instant('ISO 8601.');
const prefix = out.text('The first digits of the numbers.', '9725012');
const blockAnswer = z.object({
  kind: out.oneOf(
    watchedKinds,
    'Kind of the sends: one-time codes, automatic replies, questions to recipients of alerts, verifications of senders.',
    'code',
  ),
  rule: out.text('What stopped them.', 'neighbours'),
  prefix,
  count: out.count('How many.', 120),
  last_phone: out.text('The last of them.', '972501234567'),
  first_at: time,
  last_at: time,
  lifted_at: out.maybeInstant('When the prefix was lifted last, ISO 8601; null: never.', null),
});
const counts = {
  sent: out.count('Codes that were sent.', 200),
  verified: out.count('Codes that were used.', 181),
  phones: out.count('Numbers that they went to.', 150),
  verified_phones: out.count('Numbers that used one.', 148),
  last_at: time,
};
const conversionAnswer = z.object({ prefix, ...counts });
const applicationAnswer = z.object({ app_id: out.count('`app_id` of the sends.', 1), ...counts });
const hourAnswer = z.object({
  at: out.instant('When the hour begins, ISO 8601.', '2026-03-24T07:00:00.000Z'),
  sent: out.count('Codes that were sent.', 40),
  verified: out.count('Of them, those that were used.', 36),
  stopped: out.count('Sends that were stopped.', 3),
});
const showBlock = serializer(blockAnswer, ({ phone }: BlockRow) => ({ last_phone: phone }));
const showConversion = serializer(conversionAnswer);
const showApplication = serializer(applicationAnswer);
const showHour = serializer(hourAnswer);
const toLift = z.object({
  prefix: field(text.regex(/^\d{1,15}$/, 'must be digits'), 'A prefix of `/v1/otp/blocks`.', '9725012'),
});

type OtpDeps = Pick<CoreContext, 'sql' | 'clock'>;

const route = resource<OtpDeps>('codes');

/** Reports of one-time codes, by default of the last day. */
export const otpRoutes = [
  route('GET /v1/otp/blocks', {
    operationId: 'listBlockedCodes',
    title: 'List blocked sends',
    description:
      'Returns the sends that limits and the fraud guard stopped, by hour, kind, rule and prefix, newest first.',
    query,
    answer: rowsAnswer('blocks', blockAnswer),
    handler: async ({ accountId, query: { limit, ...given } }, { sql, clock }) => {
      const rows = await blocksOf(sql, accountId, spanOf(given, clock), limit);
      return { blocks: rows.map(showBlock) };
    },
  }),
  route('GET /v1/otp/conversion', {
    operationId: 'listConversion',
    title: 'Show the conversion of one-time codes',
    description: 'Codes that were sent and used, by prefix; those with the most unused first.',
    query,
    answer: rowsAnswer('prefixes', conversionAnswer),
    handler: async ({ accountId, query: { limit, ...given } }, { sql, clock }) => {
      const rows = await conversionOf(sql, accountId, spanOf(given, clock), limit);
      return { prefixes: rows.map(showConversion) };
    },
  }),
  route('GET /v1/otp/applications', {
    operationId: 'listCodeApplications',
    title: 'Count one-time codes by application',
    description: 'Codes that were sent and used, by `app_id`; those with the most first.',
    query,
    answer: rowsAnswer('applications', applicationAnswer),
    handler: async ({ accountId, query: { limit, ...given } }, { sql, clock }) => {
      const rows = await conversionByApplication(sql, accountId, spanOf(given, clock), limit);
      return { applications: rows.map(showApplication) };
    },
  }),
  route('GET /v1/otp/hours', {
    operationId: 'listCodeHours',
    title: 'Count one-time codes by hour',
    description:
      'Codes that were sent, used and stopped, from the beginning of the hour of `from` on; hours without any are left out.',
    query: span,
    answer: rowsAnswer('hours', hourAnswer),
    handler: async ({ accountId, query: given }, { sql, clock }) => {
      const rows = await codesByHour(sql, accountId, spanOf(given, clock));
      return { hours: rows.map(showHour) };
    },
  }),
  route('POST /v1/otp/lift', {
    operationId: 'liftPrefix',
    title: 'Unblock a prefix',
    description:
      'What was sent to its numbers until now is not held against them by the rules `neighbours` and `conversion` any more; what is sent from now on is. Limits and the spending cap stay.',
    body: toLift,
    handler: async ({ accountId: id, body: { prefix }, audit }, { sql, clock }) => {
      await liftPrefix(sql, id, prefix, clock.now());
      audit({ kind: 'accounts', id: String(id), after: { prefix } });
    },
  }),
];

function spanOf(given: z.output<typeof span>, clock: Clock) {
  const to = given.to ?? clock.now();
  const from = given.from ?? to - DAY;
  if (from > to) throw new Refusal('bad-field', 'must not be before from', 'to', { reason: 'before-from' });
  if (to - from > MAX_DAYS * DAY)
    throw new Refusal('bad-field', `more than ${MAX_DAYS} days after from`, 'to', {
      reason: 'span-too-long',
      params: { days: MAX_DAYS },
    });
  return { from, to };
}
