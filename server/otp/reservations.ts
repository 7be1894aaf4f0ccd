import { parseAmount, toNumeric } from '../accounts/money.ts';
import type { Queryable, Sql } from '../database/connection.ts';
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
import { type IdSource, idFloor } from '../ids.ts';
import type { CodeOwner } from './codes.ts';

/** A code that is about to be sent. */
interface NewCode extends CodeOwner {
  readonly digest: Buffer;
  readonly tries: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Ten-thousandths of a credit. */
  readonly cost: number;
}

/** When a send is stopped. */
export interface Policy {
  readonly limits: Limits;
  readonly fraudGuard: FraudGuardSettings | undefined;
}

/** A code that counts, and what it takes to undo that. */
export interface Reservation {
  readonly accountId: number;
  /** Its row in otp_sends. */
  readonly id: number;
  readonly cost: number;
  /** When the account's day began in which it was paid for. */
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
 * Counts a send and lets its code count, in one transaction and under the account's lock: sends of one account are
 * counted one after the other, so that as many at once as there may be pass no limit. The windows move: a send is
 * within a limit when fewer were made in the hour or the minute before it. Throws Stopped.
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
    // Only now that the row is ours: a statement sees what was committed when it began.
    const facts = await measure(tx, code, policy, now);
    const rule = stops({ ...facts, spent: parseAmount(day!.spent) }, policy.limits, policy.fraudGuard);
    if (rule) throw new Stopped(rule);
    // Its id too, so that of two at once the one that came later counts.
    const id = ids.next();
    await tx`
      INSERT INTO otp_sends (account_id, id, phone, prefix, app_id, digest, expires_at, tries_left)
      VALUES (${accountId}, ${id}, ${phone}, ${prefixOf(phone)}, ${appId}, ${code.digest}, ${code.expiresAt},
        ${code.tries})`;
    return { accountId, id, cost, since: day!.since };
  });
}

/** The rule that would stop a send now, or null. Stores nothing. */
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

/** Undoes a reservation whose message was not accepted: nothing is counted, and the code before counts again. */
export async function release(sql: Sql, { accountId, id, cost, since }: Reservation): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      UPDATE otp_spending SET spent = spent - ${toNumeric(cost)}::numeric
      WHERE account_id = ${accountId} AND since = ${since}`;
    await tx`DELETE FROM otp_sends WHERE account_id = ${accountId} AND id = ${id}`;
  });
}

/** Counts what the rules look at; at most as far as their limits. */
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
