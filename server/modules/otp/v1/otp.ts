import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, pageLimit, rowsAnswer, text, timeSpan } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { Clock } from '../../../kit/clock.ts';
import { badField } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { liftPrefix } from '../../fraud-guard/lifts.ts';
import { watchedKinds } from '../../fraud-guard/measure.ts';
import { type BlockRow, blocksOf, codesByHour, conversionByApplication, conversionOf } from '../reports.ts';

const DAY = 86_400_000;
const MAX_DAYS = 31;
const MAX_ROWS = 1_000;

const span = z.object({
  from: timeSpan.from.describe('Start of the span, ISO 8601 with an offset; default: a day before `to`.'),
  to: timeSpan.to.describe(`End of the span; default: now; at most ${MAX_DAYS} days after \`from\`.`),
});
const query = span.extend({ limit: pageLimit(MAX_ROWS, 'Maximum rows per page.') });

const time = out.instant('Time of creation, ISO 8601.');
const prefix = out.text('Prefix of the numbers.', '9725012');
const blockAnswer = z.object({
  kind: out.oneOf(
    watchedKinds,
    'Kind of the sends: one-time codes, automatic replies, requests to recipients of alerts for confirmation, verifications of senders.',
    'code',
  ),
  rule: out.text('Rule that stopped them.', 'neighbours'),
  prefix,
  count: out.count('Number of stopped sends.', 120),
  last_phone: out.text('Recipient of the last stopped send.', '972501234567'),
  first_at: time,
  last_at: time,
  lifted_at: out.maybeInstant('Time at which the prefix was unblocked last, ISO 8601; null: never.', null),
});
const counts = {
  sent: out.count('Sent codes.', 200),
  verified: out.count('Used codes.', 181),
  phones: out.count('Recipients of codes.', 150),
  verified_phones: out.count('Recipients who used a code.', 148),
  last_at: time,
};
const conversionAnswer = z.object({ prefix, ...counts });
const applicationAnswer = z.object({ app_id: out.count('`app_id` of the sends.', 1), ...counts });
const hourAnswer = z.object({
  at: out.instant('Start of the hour, ISO 8601.', '2026-03-24T07:00:00.000Z'),
  sent: out.count('Sent codes.', 40),
  verified: out.count('Used codes among the sent ones.', 36),
  stopped: out.count('Stopped sends.', 3),
});
const showBlock = serializer(blockAnswer, ({ phone }: BlockRow) => ({ last_phone: phone }));
const showConversion = serializer(conversionAnswer);
const showApplication = serializer(applicationAnswer);
const showHour = serializer(hourAnswer);
const toLift = z.object({
  prefix: field(text.regex(/^\d{1,15}$/, 'must be digits'), 'Prefix from `/v1/otp/blocks`.', '9725012'),
});

type OtpDeps = Pick<CoreContext, 'sql' | 'clock'>;

const route = resource<OtpDeps>('codes');

/** Reports of one-time codes, by default for the last day. */
export const otpRoutes = [
  route('GET /v1/otp/blocks', {
    access: reads('viewer', 'codes', 'read'),
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
    access: reads('viewer', 'codes', 'read'),
    operationId: 'listConversion',
    title: 'Show the conversion of one-time codes',
    description: 'Returns sent and used codes by prefix, most unused codes first.',
    query,
    answer: rowsAnswer('prefixes', conversionAnswer),
    handler: async ({ accountId, query: { limit, ...given } }, { sql, clock }) => {
      const rows = await conversionOf(sql, accountId, spanOf(given, clock), limit);
      return { prefixes: rows.map(showConversion) };
    },
  }),
  route('GET /v1/otp/applications', {
    access: reads('viewer', 'codes', 'read'),
    operationId: 'listCodeApplications',
    title: 'Count one-time codes by application',
    description: 'Returns sent and used codes by `app_id`, most codes first.',
    query,
    answer: rowsAnswer('applications', applicationAnswer),
    handler: async ({ accountId, query: { limit, ...given } }, { sql, clock }) => {
      const rows = await conversionByApplication(sql, accountId, spanOf(given, clock), limit);
      return { applications: rows.map(showApplication) };
    },
  }),
  route('GET /v1/otp/hours', {
    access: reads('viewer', 'codes', 'read'),
    operationId: 'listCodeHours',
    title: 'Count one-time codes by hour',
    description:
      'Returns sent, used and stopped codes by hour, from the hour of `from`; hours without codes are omitted.',
    query: span,
    answer: rowsAnswer('hours', hourAnswer),
    handler: async ({ accountId, query: given }, { sql, clock }) => {
      const rows = await codesByHour(sql, accountId, spanOf(given, clock));
      return { hours: rows.map(showHour) };
    },
  }),
  route('POST /v1/otp/lift', {
    access: dailyWork(changes('owner')),
    operationId: 'liftPrefix',
    title: 'Unblock a prefix',
    description:
      'Lets the rules `neighbours` and `conversion` ignore earlier sends to the prefix. Later sends count again. Limits and the spending cap still apply.',
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
  if (from > to) throw badField('to', 'must not be before from', 'before-from');
  if (to - from > MAX_DAYS * DAY)
    throw badField('to', `more than ${MAX_DAYS} days after from`, 'span-too-long', { days: MAX_DAYS });
  return { from, to };
}
