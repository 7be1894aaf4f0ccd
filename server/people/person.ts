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
  /** Signing in asks for a code. */
  readonly secondFactor: boolean;
  readonly hasPassword: boolean;
  readonly suspended: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** The fields of a `Person`, of the table `people`, which the statement has to call `p`. */
export function columnsOfPeople(sql: Queryable) {
  return sql`p.id, p.account_id AS "accountId", p.username, p.name, p.role, p.language, p.theme, p.time_zone AS "timeZone",
    p.totp_enabled_at IS NOT NULL AS "secondFactor", p.password_hash IS NOT NULL AS "hasPassword", p.suspended,
    p.created_at AS "createdAt"`;
}

/**
 * Locks a person's row until the transaction ends. Every transaction that reads and changes a password, a second factor,
 * recovery codes or links takes this lock first: they wait for one another, and none can deadlock with another one. New
 * sessions, links and recovery codes, which refer to the row, do not wait.
 */
export async function lockPerson(tx: TransactionSql, id: number): Promise<void> {
  await tx`SELECT 1 FROM people WHERE id = ${id} FOR NO KEY UPDATE`;
}
