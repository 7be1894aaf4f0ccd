import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import type { Clock } from '../kit/clock.ts';
import type { IdSource } from '../kit/ids.ts';
import { CREDIT } from '../modules/accounts/money.ts';
import { moveWallet } from '../modules/accounts/wallets.ts';
import type { AuditLog, Details } from '../modules/people/audit.ts';
import { DEMO_CREDITS_NOTE, DEMO_USERNAME, OPERATOR_USERNAME } from './demo.ts';

/*
 * Credentials that a sandbox has published: the tokens and the password of the demo account, and in earlier versions an
 * operator with the same password. Anybody who saw the terminal, a script or a screenshot has them, so they must not be
 * valid on a system with a real carrier.
 */

const KEY = 'sandbox.demo';

/** `never`: the database never belonged to a sandbox. */
type DemoState = 'active' | 'retired' | 'never';

/** Returns whether demo credentials are valid on a database. */
export async function readDemoState(sql: Queryable): Promise<DemoState> {
  const [row] = await sql<{ value: DemoState }[]>`SELECT value FROM state WHERE key = ${KEY}`;
  if (row) return row.value;
  // Sandboxes of earlier versions stored no state, but ledger entries are never deleted.
  const made = await sql`
    SELECT FROM accounts a JOIN ledger l ON l.account_id = a.id
    WHERE lower(a.username) = ${DEMO_USERNAME} AND a.parent_id IS NULL AND l.kind <> 'charge'
      AND l.note = ${DEMO_CREDITS_NOTE}
    LIMIT 1`;
  return made.length > 0 ? 'active' : 'never';
}

/** Stores whether demo credentials are valid. */
export async function keepDemoState(sql: Queryable, state: Exclude<DemoState, 'never'>): Promise<void> {
  await sql`
    INSERT INTO state (key, value) VALUES (${KEY}, to_jsonb(${state}::text))
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}

/** Whether a database has been used without a sandbox, so that no sandbox is started on it by accident. */
export async function isProductive(sql: Queryable): Promise<boolean> {
  const state = await readDemoState(sql);
  if (state !== 'never') return state === 'retired';
  return (await sql`SELECT FROM messages LIMIT 1`).length > 0;
}

/** Counts of what `retireDemo` has ended; all 0 when nothing was left. */
export interface Retired {
  /** Tokens of the APIs and of the mailing-list API, including those created there with a password. */
  readonly tokens: number;
  readonly passwords: number;
  readonly people: number;
  readonly sessions: number;
  readonly links: number;
  /** Credits removed from the demo account. */
  readonly credits: number;
  /** Whether the operator still had the demo account's password, and must choose a new one. */
  readonly operator: boolean;
}

interface RetireDeps {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

/**
 * Ends all credentials of the sandbox in one transaction: tokens, passwords, people, sessions and invitations of the
 * demo account and its subscribers, the operator's password if it is the printed one, and the remaining demo credits.
 * The account stays, suspended, with its history. May be called repeatedly. Returns undefined when the database never
 * belonged to a sandbox.
 */
export async function retireDemo({ sql, ids, clock, audit }: RetireDeps): Promise<Retired | undefined> {
  return sql.begin(async (tx) => {
    if ((await readDemoState(tx)) === 'never') return undefined;
    const accounts = await tx<{ id: number; parent_id: number | null; password_hash: string | null }[]>`
      SELECT a.id, a.parent_id, a.password_hash FROM accounts a LEFT JOIN accounts p ON p.id = a.parent_id
      WHERE lower(coalesce(p.username, a.username)) = ${DEMO_USERNAME} ORDER BY a.id FOR UPDATE OF a`;
    const demo = accounts.find((account) => account.parent_id === null);
    if (!demo) return undefined;
    const accountIds = accounts.map(({ id }) => id);
    const operator = await endPrintedOperator(tx, demo.password_hash);
    const tokens = await tx`
      UPDATE tokens SET revoked_at = ${clock.now()}
      WHERE account_id = ANY(${accountIds}::bigint[]) AND revoked_at IS NULL`;
    const passwords = await tx`
      UPDATE accounts SET password_hash = NULL, password_sign_in = false
      WHERE id = ANY(${accountIds}::bigint[]) AND (password_hash IS NOT NULL OR password_sign_in)`;
    await tx`UPDATE accounts SET suspended = true WHERE id = ${demo.id}`;
    const ofPeople = tx`SELECT id FROM people WHERE account_id = ANY(${accountIds}::bigint[])`;
    const sessions = await tx`DELETE FROM sessions WHERE person_id IN (${ofPeople})`;
    const links = await tx`DELETE FROM person_links WHERE person_id IN (${ofPeople})`;
    const people = await tx`
      UPDATE people SET password_hash = NULL, suspended = true
      WHERE account_id = ANY(${accountIds}::bigint[]) AND (password_hash IS NOT NULL OR NOT suspended)`;
    const retired = {
      tokens: tokens.count,
      passwords: passwords.count,
      people: people.count,
      sessions: sessions.count + operator.sessions,
      links: links.count,
      credits: await takeCredits(tx, ids, clock.now(), demo.id),
      operator: operator.had,
    };
    await keepDemoState(tx, 'retired');
    const entry = { ...retirementDetails(retired), action: 'sandbox retire', status: 200 };
    await audit.write({ ...entry, accountId: demo.id }, tx);
    return retired;
  });
}

/** Earlier versions gave the operator the hash of the demo account's password. */
async function endPrintedOperator(
  tx: TransactionSql,
  printed: string | null,
): Promise<{ had: boolean; sessions: number }> {
  const [operator] = await tx<{ id: number }[]>`
    UPDATE people SET password_hash = NULL
    WHERE account_id IS NULL AND username = ${OPERATOR_USERNAME} AND password_hash = ${printed} RETURNING id`;
  if (!operator) return { had: false, sessions: 0 };
  const ended = await tx`DELETE FROM sessions WHERE person_id = ${operator.id}`;
  await tx`DELETE FROM person_links WHERE person_id = ${operator.id}`;
  return { had: true, sessions: ended.count };
}

/** Removes unpaid credits, which would send real messages. */
async function takeCredits(
  tx: TransactionSql,
  ids: IdSource,
  now: number,
  accountId: number,
): Promise<number> {
  const [wallet] = await tx<{ units: number }[]>`
    SELECT (balance * ${CREDIT})::bigint AS units FROM wallets WHERE account_id = ${accountId} FOR UPDATE`;
  const units = wallet?.units ?? 0;
  if (units > 0) {
    await moveWallet(tx, ids, now, accountId, [
      { kind: 'topup', amount: -units, note: 'demo credits retired' },
    ]);
  }
  return units / CREDIT;
}

/** Returns the changes of a retirement for the audit log. */
export function retirementDetails(retired: Retired): Details {
  const { tokens, passwords, people, sessions, links, credits, operator } = retired;
  // Names like "tokens" and "passwords" would be masked as secrets.
  const after = { ended_keys: tokens, ended_sign_ins: passwords, people, sessions, links, credits };
  return { kind: 'sandbox', id: DEMO_USERNAME, after: { ...after, operator_signed_out: operator } };
}
