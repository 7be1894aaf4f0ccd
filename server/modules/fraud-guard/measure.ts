import type { Queryable } from '../../database/connection.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { type Facts, type FraudGuardSettings, HOUR, KNOWN, NEAR, prefixOf, RIPE } from './rules.ts';

/** Kinds of sends that the guard watches, without one-time codes. */
export const guardedKinds = ['automatic-reply', 'alert-contact', 'verification'] as const;
export type GuardedKind = (typeof guardedKinds)[number];
/** Kinds of sends that outsiders can cause: each kind is judged by its own sends. */
export const watchedKinds = ['code', ...guardedKinds] as const;
export type WatchedKind = (typeof watchedKinds)[number];

/** Facts about the range of a phone. */
export type RangeFacts = Pick<Facts, 'known' | 'neighbours' | 'judged' | 'used' | 'sincePrefix'>;

/** A send that is judged. */
interface Judged {
  readonly accountId: number;
  readonly kind: WatchedKind;
  /** E.164 digits. */
  readonly phone: string;
}

/**
 * Counts what the rules look at in the range of a phone, by the sends of one kind within the last hour; at most as far as the
 * settings need it. `now` is in milliseconds since the epoch. Throws Error for an account without a wallet.
 */
export async function measureRange(
  sql: Queryable,
  { accountId, kind, phone }: Judged,
  fraudGuard: FraudGuardSettings | undefined,
  now: number,
): Promise<RangeFacts> {
  const sends = kind === 'code' ? sql`otp_sends` : sql`guarded_sends`;
  const ofKind = kind === 'code' ? sql`` : sql`AND kind = ${kind}`;
  const [row] = await sql<(Omit<RangeFacts, 'sincePrefix'> & { lastId: number | null })[]>`
    WITH recent AS (
      SELECT phone, bool_or(verified_at IS NOT NULL) AS used, min(id) AS first_id, max(id) AS last_id FROM ${sends}
      WHERE account_id = ${accountId} AND prefix = ${fraudGuard ? prefixOf(phone) : ''} AND id > ${idFloor(now - HOUR)}
        ${ofKind} AND id >= (SELECT coalesce(max(since_id), 0) FROM otp_lifts
          WHERE account_id = ${accountId} AND prefix = ${prefixOf(phone)})
      GROUP BY phone
    ), judged AS (
      SELECT used FROM recent
      WHERE phone <> ${phone} AND (used OR first_id < ${idFloor(now - RIPE)})
      ORDER BY last_id DESC LIMIT ${fraudGuard?.judged ?? 0}
    )
    SELECT
      EXISTS (SELECT 1 FROM ${sends} WHERE account_id = ${accountId} AND phone = ${phone} ${ofKind}
        AND id > ${idFloor(now - KNOWN)} AND verified_at IS NOT NULL) AS known,
      (SELECT count(*) FROM recent WHERE NOT used AND phone <> ${phone}
        AND abs(phone::bigint - ${Number(phone)}::bigint) <= ${NEAR})::int AS neighbours,
      (SELECT count(*) FROM judged)::int AS judged,
      (SELECT count(*) FROM judged WHERE used)::int AS used,
      (SELECT max(last_id) FROM recent) AS "lastId"
    FROM wallets w WHERE w.account_id = ${accountId}`;
  if (!row) throw new Error(`account ${accountId} has no wallet`);
  const { lastId, ...facts } = row;
  return { ...facts, sincePrefix: lastId === null ? Number.POSITIVE_INFINITY : now - timeOfId(lastId) };
}
