import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Sql } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import { type BlockRow, blocksOf, type ConversionRow, conversionOf } from '../../otp/reports.ts';
import { read, type V1Part } from './door.ts';

const DAY = 86_400_000;
const DAYS_MOST = 31;
const ROWS_MOST = 1_000;

const time = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-12-31T23:59:00Z' })
  .transform((text) => Date.parse(text))
  .optional();
const query = z.object({
  from: time,
  to: time,
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(ROWS_MOST, `must be ${ROWS_MOST} or less`)
    .default(ROWS_MOST),
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
    app.get('/otp/blocks', async (request) => {
      const span = readSpan(request.query);
      return { blocks: (await blocksOf(sql, accountOf(request).id, span, span.limit)).map(showBlock) };
    });

    app.get('/otp/conversion', async (request) => {
      const span = readSpan(request.query);
      const rows = await conversionOf(sql, accountOf(request).id, span, span.limit);
      return { prefixes: rows.map(showConversion) };
    });
  };
}

function showBlock({ rule, prefix, count, phone, firstAt, lastAt }: BlockRow) {
  return {
    rule,
    prefix,
    count,
    last_phone: phone,
    first_at: new Date(firstAt).toISOString(),
    last_at: new Date(lastAt).toISOString(),
  };
}

function showConversion({ prefix, sent, verified, phones, verifiedPhones, lastAt }: ConversionRow) {
  return {
    prefix,
    sent,
    verified,
    phones,
    verified_phones: verifiedPhones,
    last_at: new Date(lastAt).toISOString(),
  };
}
