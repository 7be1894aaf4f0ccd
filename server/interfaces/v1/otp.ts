import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Sql } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import { liftPrefix } from '../../otp/lifts.ts';
import {
  type ApplicationRow,
  type BlockRow,
  blocksOf,
  type ConversionRow,
  codesByHour,
  conversionByApplication,
  conversionOf,
} from '../../otp/reports.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails } from './audited.ts';
import { pageLimit, read, type V1Part } from './door.ts';
import { done, doneAnswer } from './fields.ts';
import { withBody } from './json-body.ts';

const DAY = 86_400_000;
const DAYS_MOST = 31;
const ROWS_MOST = 1_000;

const time = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-12-31T23:59:00Z' })
  .transform((text) => Date.parse(text))
  .optional();
const span = z.object({
  from: time.describe('ISO 8601 with an offset; a day before `to` without it.'),
  to: time.describe(`Now without it; at most ${DAYS_MOST} days after \`from\`.`),
});
const query = span.extend({ limit: pageLimit(ROWS_MOST).describe('Rows at most.') });

const iso = answered(z.string(), 'ISO 8601.', '2026-03-24T07:31:00.000Z');
const prefix = answered(z.string(), 'The first digits of the numbers.', '9725012');
const blockAnswer = z.object({
  rule: answered(z.string(), 'What stopped them.', 'neighbours'),
  prefix,
  count: answered(z.int(), 'How many.', 120),
  last_phone: answered(z.string(), 'The last of them.', '972501234567'),
  first_at: iso,
  last_at: iso,
  lifted_at: answered(z.string().nullable(), 'When the prefix was lifted last, ISO 8601; null: never.', null),
});
const counts = {
  sent: answered(z.int(), 'Codes that were sent.', 200),
  verified: answered(z.int(), 'Codes that were used.', 181),
  phones: answered(z.int(), 'Numbers that they went to.', 150),
  verified_phones: answered(z.int(), 'Numbers that used one.', 148),
  last_at: iso,
};
const conversionAnswer = z.object({ prefix, ...counts });
const applicationAnswer = z.object({ app_id: answered(z.int(), '`app_id` of the sends.', 1), ...counts });
const hourAnswer = z.object({
  at: answered(z.string(), 'When the hour begins, ISO 8601.', '2026-03-24T07:00:00.000Z'),
  sent: answered(z.int(), 'Codes that were sent.', 40),
  verified: answered(z.int(), 'Of them, those that were used.', 36),
  stopped: answered(z.int(), 'Sends that were stopped.', 3),
});
const toLift = z.object({
  prefix: z
    .string('must be a text')
    .regex(/^\d{1,15}$/, 'must be digits')
    .meta({ description: 'A prefix of `/v1/otp/blocks`.', examples: ['9725012'] }),
});

/**
 * Reports of one-time codes under /v1, a part of the door. `from` and `to` are ISO 8601 with an offset, 31 days apart at
 * most; by default the last day.
 * - `GET /otp/blocks?from=&to=&limit=`: what was stopped, by hour, rule and prefix, the latest first
 * - `GET /otp/conversion?from=&to=&limit=`: codes sent and used by prefix, those with the most unused first
 * - `GET /otp/applications?from=&to=&limit=`, `GET /otp/hours?from=&to=`: the same by application and by hour
 * - `POST /otp/lift`: what was sent to a prefix is not held against it any more
 */
export function otpPart({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): V1Part {
  function readSpan(value: unknown) {
    const given = read(query, value);
    const to = given.to ?? clock.now();
    const from = given.from ?? to - DAY;
    if (from > to) throw new Refusal('bad-field', 'must not be before from', 'to');
    if (to - from > DAYS_MOST * DAY)
      throw new Refusal('bad-field', `more than ${DAYS_MOST} days after from`, 'to');
    return { from, to, limit: given.limit };
  }

  return (app, accountOf) => {
    app.get(
      '/otp/blocks',
      described({
        chapter: 'codes',
        id: 'listBlockedCodes',
        title: 'Codes that were not sent',
        description:
          'What limits and the brake against traffic pumping stopped, by hour, rule and prefix, the latest first.',
        query,
        answer: z.object({ blocks: z.array(blockAnswer) }),
      }),
      async (request) => {
        const span = readSpan(request.query);
        return { blocks: (await blocksOf(sql, accountOf(request).id, span, span.limit)).map(showBlock) };
      },
    );

    app.get(
      '/otp/conversion',
      described({
        chapter: 'codes',
        id: 'listConversion',
        title: 'Codes that were used',
        description: 'Codes that were sent and used, by prefix; those with the most unused first.',
        query,
        answer: z.object({ prefixes: z.array(conversionAnswer) }),
      }),
      async (request) => {
        const span = readSpan(request.query);
        const rows = await conversionOf(sql, accountOf(request).id, span, span.limit);
        return { prefixes: rows.map(showConversion) };
      },
    );

    app.get(
      '/otp/applications',
      described({
        chapter: 'codes',
        id: 'listCodeApplications',
        title: 'Codes by application',
        description: 'Codes that were sent and used, by `app_id`; those with the most first.',
        query,
        answer: z.object({ applications: z.array(applicationAnswer) }),
      }),
      async (request) => {
        const span = readSpan(request.query);
        const rows = await conversionByApplication(sql, accountOf(request).id, span, span.limit);
        return { applications: rows.map((row) => ({ app_id: row.appId, ...showCounts(row) })) };
      },
    );

    app.get(
      '/otp/hours',
      described({
        chapter: 'codes',
        id: 'listCodeHours',
        title: 'Codes by hour',
        description:
          'Codes that were sent, used and stopped, from the beginning of the hour of `from` on; hours without any are left out.',
        query: span,
        answer: z.object({ hours: z.array(hourAnswer) }),
      }),
      async (request) => {
        const rows = await codesByHour(sql, accountOf(request).id, readSpan(request.query));
        return { hours: rows.map(({ at, ...row }) => ({ at: new Date(at).toISOString(), ...row })) };
      },
    );

    app.post(
      '/otp/lift',
      withBody(
        described({
          chapter: 'codes',
          id: 'liftPrefix',
          title: 'Let codes to a prefix through again',
          description:
            'What was sent to its numbers until now is not held against them by the rules `neighbours` and `conversion` any more; what is sent from now on is. Limits and the spending cap stay.',
          answer: doneAnswer,
        }),
        toLift,
      ),
      async (request) => {
        const { prefix } = read(toLift, request.body);
        const { id } = accountOf(request);
        await liftPrefix(sql, id, prefix, clock.now());
        addDetails(request, { kind: 'accounts', id: String(id), after: { prefix } });
        return done;
      },
    );
  };
}

function showBlock({
  rule,
  prefix,
  count,
  phone,
  firstAt,
  lastAt,
  liftedAt,
}: BlockRow): z.output<typeof blockAnswer> {
  return {
    rule,
    prefix,
    count,
    last_phone: phone,
    first_at: new Date(firstAt).toISOString(),
    last_at: new Date(lastAt).toISOString(),
    lifted_at: liftedAt === null ? null : new Date(liftedAt).toISOString(),
  };
}

function showConversion(row: ConversionRow): z.output<typeof conversionAnswer> {
  return { prefix: row.prefix, ...showCounts(row) };
}

function showCounts({ sent, verified, phones, verifiedPhones, lastAt }: Omit<ApplicationRow, 'appId'>) {
  return {
    sent,
    verified,
    phones,
    verified_phones: verifiedPhones,
    last_at: new Date(lastAt).toISOString(),
  };
}
