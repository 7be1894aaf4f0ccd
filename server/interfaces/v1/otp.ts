import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Sql } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import { type BlockRow, blocksOf, type ConversionRow, conversionOf } from '../../otp/reports.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { pageLimit, read, type V1Part } from './door.ts';

const DAY = 86_400_000;
const DAYS_MOST = 31;
const ROWS_MOST = 1_000;

const time = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-12-31T23:59:00Z' })
  .transform((text) => Date.parse(text))
  .optional();
const query = z.object({
  from: time.describe('ISO 8601 with an offset; a day before `to` without it.'),
  to: time.describe(`Now without it; at most ${DAYS_MOST} days after \`from\`.`),
  limit: pageLimit(ROWS_MOST).describe('Rows at most.'),
});

const iso = answered(z.string(), 'ISO 8601.', '2026-03-24T07:31:00.000Z');
const prefix = answered(z.string(), 'The first digits of the numbers.', '9725012');
const blockAnswer = z.object({
  rule: answered(z.string(), 'What stopped them.', 'neighbours'),
  prefix,
  count: answered(z.int(), 'How many.', 120),
  last_phone: answered(z.string(), 'The last of them.', '972501234567'),
  first_at: iso,
  last_at: iso,
});
const conversionAnswer = z.object({
  prefix,
  sent: answered(z.int(), 'Codes that were sent.', 200),
  verified: answered(z.int(), 'Codes that were used.', 181),
  phones: answered(z.int(), 'Numbers that they went to.', 150),
  verified_phones: answered(z.int(), 'Numbers that used one.', 148),
  last_at: iso,
});

/**
 * Reports of one-time codes under /v1, a part of the door. `from` and `to` are ISO 8601 with an offset, 31 days apart at
 * most; by default the last day.
 * - `GET /otp/blocks?from=&to=&limit=`: what was stopped, by hour, rule and prefix, the latest first
 * - `GET /otp/conversion?from=&to=&limit=`: codes sent and used by prefix, those with the most unused first
 */
export function otpPart({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): V1Part {
  function readSpan(value: unknown) {
    const given = read(query, value);
    const to = given.to ?? clock.now();
    const from = given.from ?? to - DAY;
    if (from > to) throw new Refusal('bad-field', 'to: must not be before from');
    if (to - from > DAYS_MOST * DAY)
      throw new Refusal('bad-field', `to: more than ${DAYS_MOST} days after from`);
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
  };
}

function showBlock({ rule, prefix, count, phone, firstAt, lastAt }: BlockRow): z.output<typeof blockAnswer> {
  return {
    rule,
    prefix,
    count,
    last_phone: phone,
    first_at: new Date(firstAt).toISOString(),
    last_at: new Date(lastAt).toISOString(),
  };
}

function showConversion({
  prefix,
  sent,
  verified,
  phones,
  verifiedPhones,
  lastAt,
}: ConversionRow): z.output<typeof conversionAnswer> {
  return {
    prefix,
    sent,
    verified,
    phones,
    verified_phones: verifiedPhones,
    last_at: new Date(lastAt).toISOString(),
  };
}
