import type { Queryable, Sql } from '../../database/connection.ts';
import { type IdSource, idFloor } from '../../kit/ids.ts';
import { parseAmount, toNumeric } from '../accounts/money.ts';
import { measureRange } from '../fraud-guard/measure.ts';
import {
  DAY,
  type Facts,
  type FraudGuardSettings,
  HOUR,
  type Limits,
  MINUTE,
  prefixOf,
  type Rule,
  stops,
} from '../fraud-guard/rules.ts';
import type { CodeOwner } from './codes.ts';

/** A code before its message is sent. */
interface NewCode extends CodeOwner {
  readonly digest: Buffer;
  readonly tries: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Ten-thousandths of a credit. */
  readonly cost: number;
}

/** Rules for stopping a send. */
export interface Policy {
  readonly limits: Limits;
  readonly fraudGuard: FraudGuardSettings | undefined;
}

/** A valid code, with the data to undo its send. */
export interface Reservation {
  readonly accountId: number;
  /** Id of its row in otp_sends. */
  readonly id: number;
  readonly cost: number;
  /** Beginning of the account's day that was charged. */
  readonly since: number;
}

/** A rule stops the send; nothing was stored. */
export class Stopped extends Error {
  readonly rule: Rule;

  constructor(rule: Rule) {
    super(rule);
    this.rule = rule;
  }
}

/**
 * Counts a send and makes its code valid, in one transaction under the account's lock: sends of one account are counted
 * one after another, so that parallel sends cannot exceed a limit. The windows slide: a send is within a limit if the
 * hour or minute before it had fewer sends. Throws Stopped.
 */
export async function reserve(
  { sql, ids }: { readonly sql: Sql; readonly ids: IdSource },
  code: NewCode,
  policy: Policy,
  now: number,
): Promise<Reservation> {
  return sql.begin(async (tx) => {
    const { accountId, phone, appId, cost } = code;
    const dayAgo = now - DAY;
    const [day] = await tx<{ since: number; spent: string }[]>`
      INSERT INTO otp_spending AS s (account_id, since, spent) VALUES (${accountId}, ${now}, ${toNumeric(cost)}::numeric)
      ON CONFLICT ON CONSTRAINT otp_spending_pkey DO UPDATE SET
        spent = CASE WHEN s.since > ${dayAgo} THEN s.spent + excluded.spent ELSE excluded.spent END,
        since = CASE WHEN s.since > ${dayAgo} THEN s.since ELSE excluded.since END
      RETURNING since, spent`;
    // After the lock, because a statement sees only data committed before it began.
    const facts = await measure(tx, code, policy, now);
    const rule = stops({ ...facts, spent: parseAmount(day!.spent) }, policy.limits, policy.fraudGuard);
    if (rule) throw new Stopped(rule);
    // The id is created under the lock, so that of two parallel sends the later one has the higher id and wins.
    const id = ids.next();
    await tx`
      INSERT INTO otp_sends (account_id, id, phone, prefix, app_id, digest, expires_at, tries_left)
      VALUES (${accountId}, ${id}, ${phone}, ${prefixOf(phone)}, ${appId}, ${code.digest}, ${code.expiresAt},
        ${code.tries})`;
    return { accountId, id, cost, since: day!.since };
  });
}

/** Returns the rule that would stop a send now, or null. Stores nothing. */
export async function wouldStop(
  sql: Sql,
  owner: CodeOwner & { readonly cost: number },
  policy: Policy,
  now: number,
): Promise<Rule | null> {
  const [facts, [day]] = await Promise.all([
    measure(sql, owner, policy, now),
    sql<{ spent: string }[]>`
      SELECT spent FROM otp_spending WHERE account_id = ${owner.accountId} AND since > ${now - DAY}`,
  ]);
  return stops(
    { ...facts, spent: owner.cost + parseAmount(day?.spent ?? '0') },
    policy.limits,
    policy.fraudGuard,
  );
}

/** Undoes a reservation whose message was not accepted: its send is uncounted, and the previous code is valid again. */
export async function release(sql: Sql, { accountId, id, cost, since }: Reservation): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      UPDATE otp_spending SET spent = spent - ${toNumeric(cost)}::numeric
      WHERE account_id = ${accountId} AND since = ${since}`;
    await tx`DELETE FROM otp_sends WHERE account_id = ${accountId} AND id = ${id}`;
  });
}

/** Counts the values that the rules compare, up to their limits. */
async function measure(
  sql: Queryable,
  { accountId, phone }: CodeOwner,
  { limits, fraudGuard }: Policy,
  now: number,
): Promise<Omit<Facts, 'spent'>> {
  const counted = sql<Pick<Facts, 'toPhone' | 'ofAccount'>[]>`
    SELECT
      (SELECT count(*) FROM (SELECT 1 FROM otp_sends WHERE account_id = ${accountId} AND phone = ${phone}
        AND id > ${idFloor(now - HOUR)} LIMIT ${limits.perPhoneHour}) s)::int AS "toPhone",
      (SELECT count(*) FROM (SELECT 1 FROM otp_sends WHERE account_id = ${accountId}
        AND id > ${idFloor(now - MINUTE)} LIMIT ${limits.perAccountMinute}) s)::int AS "ofAccount"
    FROM wallets w WHERE w.account_id = ${accountId}`;
  const range = measureRange(sql, { accountId, kind: 'code', phone }, fraudGuard, now);
  const [[row], facts] = await Promise.all([counted, range]);
  return { ...facts, ...row! };
}
