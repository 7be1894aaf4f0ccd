import type { PersonRole } from '../access/roles.ts';
import type { Queryable, TransactionSql } from '../database/connection.ts';

export const languages = ['en', 'he'] as const;
export const themes = ['light', 'dark'] as const;

/** Somebody who uses the console. */
export interface Person {
  readonly id: number;
  /** null: one of the operator's people. */
  readonly accountId: number | null;
  readonly username: string;
  readonly name: string;
  readonly role: PersonRole;
  /** null: as the browser has it; the theme too. */
  readonly language: (typeof languages)[number] | null;
  readonly theme: (typeof themes)[number] | null;
  /** In which they see times in the console; null: as the account has it. */
  readonly timeZone: string | null;
  /** There is a second factor, which signing in with a password asks for: codes of a phone (`hasTotp`), or a passkey. */
  readonly secondFactor: boolean;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
  readonly hasPassword: boolean;
  /** They sign in by this provider, and by nothing else; null: by what they have here. */
  readonly providerId: number | null;
  readonly suspended: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** The fields of a `Person`, of the table `people`, which the statement has to call `p`. */
export function columnsOfPeople(sql: Queryable) {
  return sql`p.id, p.account_id AS "accountId", p.username, p.name, p.role, p.language, p.theme, p.time_zone AS "timeZone",
    p.totp_enabled_at IS NOT NULL OR ${hasPasskey(sql)} AS "secondFactor",
    p.totp_enabled_at IS NOT NULL AS "hasTotp", ${hasPasskey(sql)} AS "hasPasskey", p.password_hash IS NOT NULL AS "hasPassword", p.suspended,
    (SELECT i.provider_id FROM person_identities i WHERE i.person_id = p.id) AS "providerId",
    p.created_at AS "createdAt"`;
}

/** Whether somebody of the table `people` has a passkey; the statement has to call it `p`. */
export function hasPasskey(sql: Queryable) {
  return sql`EXISTS (SELECT FROM passkeys k WHERE k.person_id = p.id)`;
}

/**
 * Locks a person's row until the transaction ends. Every transaction that reads and changes a password, a second factor,
 * recovery codes or links takes this lock first: they wait for one another, and none can deadlock with another one. New
 * sessions, links and recovery codes, which refer to the row, do not wait.
 */
export async function lockPerson(tx: TransactionSql, id: number): Promise<void> {
  await tx`SELECT 1 FROM people WHERE id = ${id} FOR NO KEY UPDATE`;
}
