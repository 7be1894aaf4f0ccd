import type { Queryable, TransactionSql } from '../database/connection.ts';
import type { PersonRole } from './roles.ts';

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
  /** Signing in asks for a code. */
  readonly secondFactor: boolean;
  readonly hasPassword: boolean;
  readonly suspended: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface PersonRow {
  readonly id: number;
  readonly account_id: number | null;
  readonly username: string;
  readonly name: string;
  readonly role: PersonRole;
  readonly language: Person['language'];
  readonly theme: Person['theme'];
  readonly totp_enabled_at: number | null;
  readonly has_password: boolean;
  readonly suspended: boolean;
  readonly person_created_at: number;
}

/** What `toPerson` needs of the table `people`, which the statement has to call `p`. */
export function columnsOfPeople(sql: Queryable) {
  return sql`p.id, p.account_id, p.username, p.name, p.role, p.language, p.theme, p.totp_enabled_at,
    p.password_hash IS NOT NULL AS has_password, p.suspended, p.created_at AS person_created_at`;
}

export function toPerson(row: PersonRow): Person {
  return {
    id: row.id,
    accountId: row.account_id,
    username: row.username,
    name: row.name,
    role: row.role,
    language: row.language,
    theme: row.theme,
    secondFactor: row.totp_enabled_at !== null,
    hasPassword: row.has_password,
    suspended: row.suspended,
    createdAt: row.person_created_at,
  };
}

/**
 * Locks a person's row until the transaction ends. Every transaction that reads and changes a password, a second factor,
 * recovery codes or links takes this lock first: they wait for one another, and none can deadlock with another one. New
 * sessions, links and recovery codes, which refer to the row, do not wait.
 */
export async function lockPerson(tx: TransactionSql, id: number): Promise<void> {
  await tx`SELECT 1 FROM people WHERE id = ${id} FOR NO KEY UPDATE`;
}
