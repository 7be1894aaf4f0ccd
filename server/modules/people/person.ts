import type { PersonRole } from '../../api/access/roles.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';

export const languages = ['en', 'he'] as const;
export const themes = ['light', 'dark'] as const;

/** A person who uses the console. */
export interface Person {
  readonly id: number;
  /** null: one of the operator's people. */
  readonly accountId: number | null;
  readonly username: string;
  readonly name: string;
  readonly role: PersonRole;
  /** null: the setting of the browser. The same holds for the theme. */
  readonly language: (typeof languages)[number] | null;
  readonly theme: (typeof themes)[number] | null;
  /** Time zone of times in the console; null: that of the account. */
  readonly timeZone: string | null;
  /**
   * The person has a second factor, which a sign-in with a password asks for: an authenticator app (`hasTotp`), or a
   * passkey.
   */
  readonly secondFactor: boolean;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
  readonly hasPassword: boolean;
  /** The person signs in only by this provider; null: by their own credentials. */
  readonly providerId: number | null;
  readonly suspended: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Columns of a `Person` in the table `people` (alias `p`). */
export function columnsOfPeople(sql: Queryable) {
  return sql`p.id, p.account_id AS "accountId", p.username, p.name, p.role, p.language, p.theme, p.time_zone AS "timeZone",
    p.totp_enabled_at IS NOT NULL OR ${hasPasskey(sql)} AS "secondFactor",
    p.totp_enabled_at IS NOT NULL AS "hasTotp", ${hasPasskey(sql)} AS "hasPasskey", p.password_hash IS NOT NULL AS "hasPassword", p.suspended,
    (SELECT i.provider_id FROM person_identities i WHERE i.person_id = p.id) AS "providerId",
    p.created_at AS "createdAt"`;
}

/** Condition: a person of the table `people` (alias `p`) has a passkey. */
export function hasPasskey(sql: Queryable) {
  return sql`EXISTS (SELECT FROM passkeys k WHERE k.person_id = p.id)`;
}

/**
 * Locks a person's row until the transaction ends. Every transaction that reads and changes a password, a second
 * factor, recovery codes or links takes this lock first, so these transactions wait for one another and cannot
 * deadlock. New sessions, links and recovery codes refer to the row without waiting.
 */
export async function lockPerson(tx: TransactionSql, id: number): Promise<void> {
  await tx`SELECT 1 FROM people WHERE id = ${id} FOR NO KEY UPDATE`;
}
