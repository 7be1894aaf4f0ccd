import type { Sql } from '../../database/connection.ts';
import { idFloor, PER_MILLISECOND, timeOfId } from '../../kit/ids.ts';
import type { WatchedKind } from '../fraud-guard/measure.ts';
import { HOUR, type Rule } from '../fraud-guard/rules.ts';

/** Milliseconds since the epoch, both inclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Sends of one kind to one prefix within an hour that one rule stopped. */
export interface BlockRow {
  readonly kind: WatchedKind;
  readonly rule: Rule;
  readonly prefix: string;
  readonly count: number;
  /** The last phone, E.164 digits. */
  readonly phone: string;
  /** Milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Time when the block of its prefix was last lifted; null: never. */
  readonly liftedAt: number | null;
}

/** Counts of the codes to one prefix. */
interface ConversionRow {
  readonly prefix: string;
  readonly sent: number;
  readonly verified: number;
  /** Numbers of distinct phones that received a code, and that used one. */
  readonly phones: number;
  readonly verifiedPhones: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Counts of the codes of one application. */
interface ApplicationRow extends Omit<ConversionRow, 'prefix'> {
  readonly appId: number;
}

/** Codes of an hour. */
interface HourRow {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sent: number;
  readonly verified: number;
  /** Number of stopped sends. */
  readonly stopped: number;
}

/** Returns the stopped sends of a period, newest first, up to `limit` rows. */
export async function blocksOf(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
  limit: number,
): Promise<BlockRow[]> {
  const rows = await sql<BlockRow[]>`
    SELECT b.kind, b.rule, b.prefix, b.count, b.phone, b.first_at AS "firstAt", b.last_at AS "lastAt",
      l.lifted_at AS "liftedAt"
    FROM otp_blocks b LEFT JOIN otp_lifts l ON l.account_id = b.account_id AND l.prefix = b.prefix
    WHERE b.account_id = ${accountId} AND b.first_at <= ${to} AND b.last_at >= ${from}
    ORDER BY b.last_at DESC, b.rule, b.prefix, b.kind LIMIT ${limit}`;
  return [...rows];
}

/** Counts of a group of codes. */
const countsOf = (sql: Sql) => sql`
  count(*)::int AS sent, count(verified_at)::int AS verified, count(DISTINCT phone)::int AS phones,
  (count(DISTINCT phone) FILTER (WHERE verified_at IS NOT NULL))::int AS "verifiedPhones", max(id) AS "lastId"`;

const withTime = <Row extends { readonly lastId: number }>({ lastId, ...row }: Row) => ({
  ...row,
  lastAt: timeOfId(lastId),
});

/** Returns the codes of a period by prefix, those with most unused codes first, up to `limit` rows. */
export async function conversionOf(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
  limit: number,
): Promise<ConversionRow[]> {
  const rows = await sql<(Omit<ConversionRow, 'lastAt'> & { lastId: number })[]>`
    SELECT prefix, ${countsOf(sql)}
    FROM otp_sends
    WHERE account_id = ${accountId} AND id >= ${idFloor(from)} AND id < ${idFloor(to + 1)}
    GROUP BY prefix
    ORDER BY count(*) - count(verified_at) DESC, prefix LIMIT ${limit}`;
  return rows.map(withTime);
}

/** Returns the codes of a period by application, those with most codes first, up to `limit` rows. */
export async function conversionByApplication(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
  limit: number,
): Promise<ApplicationRow[]> {
  const rows = await sql<(Omit<ApplicationRow, 'lastAt'> & { lastId: number })[]>`
    SELECT app_id AS "appId", ${countsOf(sql)}
    FROM otp_sends
    WHERE account_id = ${accountId} AND id >= ${idFloor(from)} AND id < ${idFloor(to + 1)}
    GROUP BY app_id
    ORDER BY count(*) DESC, app_id LIMIT ${limit}`;
  return rows.map(withTime);
}

/** Returns the codes of a period by the hour of sending or stopping, ordered by time, without empty hours. */
export async function codesByHour(sql: Sql, accountId: number, { from, to }: Span): Promise<HourRow[]> {
  const first = from - (from % HOUR);
  const firstId = idFloor(first);
  const [sent, stopped] = await Promise.all([
    sql<{ hour: number; sent: number; verified: number }[]>`
      SELECT (id - ${firstId}::bigint) / ${HOUR * PER_MILLISECOND}::bigint AS hour, count(*)::int AS sent,
        count(verified_at)::int AS verified
      FROM otp_sends WHERE account_id = ${accountId} AND id >= ${firstId} AND id < ${idFloor(to + 1)}
      GROUP BY 1`,
    sql<{ at: number; stopped: number }[]>`
      SELECT hour AS at, sum(count)::int AS stopped FROM otp_blocks
      WHERE account_id = ${accountId} AND kind = 'code' AND hour >= ${first} AND hour <= ${to} GROUP BY hour`,
  ]);
  const hours = new Map<number, HourRow>();
  for (const { hour, ...counts } of sent) {
    const at = first + hour * HOUR;
    hours.set(at, { at, ...counts, stopped: 0 });
  }
  for (const { at, stopped: count } of stopped) {
    hours.set(at, { sent: 0, verified: 0, ...hours.get(at), at, stopped: count });
  }
  return [...hours.values()].sort((a, b) => a.at - b.at);
}
