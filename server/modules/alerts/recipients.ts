import { texts } from '../../database/arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import { type AlertLanguage, OPERATOR } from './condition.ts';
import type { Addressee } from './notifications.ts';
import type { AlertRule } from './rules.ts';

/** Whether a user name is an email address. */
const isAddress = (username: string): boolean => /^[^\s@]{1,64}@[^\s@]{3,190}$/.test(username);

interface Named {
  readonly username: string;
  readonly language: AlertLanguage | null;
}

/** Owners of an account, or all people of the operator, who have an email address as their user name. */
export async function ownersOf(
  sql: Queryable,
  accountId: number,
  otherwise: AlertLanguage = 'en',
): Promise<readonly Addressee[]> {
  const people = await sql<Named[]>`
    SELECT username, language FROM people
    WHERE NOT suspended AND ${accountId === OPERATOR ? sql`account_id IS NULL` : sql`account_id = ${accountId} AND role = 'owner'`}
    ORDER BY id`;
  return people
    .filter(({ username }) => isAddress(username))
    .map(({ username, language }) => ({
      means: 'mail',
      recipient: username,
      language: language ?? otherwise,
    }));
}

/** Email recipients of a rule, each with their chosen language. */
export async function mailRecipientsOf(
  sql: Queryable,
  { accountId, recipients: { owners, mails, language } }: Pick<AlertRule, 'accountId' | 'recipients'>,
): Promise<readonly Addressee[]> {
  const chosen = owners ? await ownersOf(sql, accountId, language) : [];
  const known = await sql<Named[]>`
    SELECT username, language FROM people
    WHERE lower(username) = ANY(${texts(mails.map((mail) => mail.toLowerCase()))}::text[])
      AND account_id IS NOT DISTINCT FROM ${accountId === OPERATOR ? null : accountId}::bigint`;
  const languageOf = new Map(known.map((person) => [person.username.toLowerCase(), person.language]));
  const named = mails.map(
    (recipient): Addressee => ({
      means: 'mail',
      recipient,
      language: languageOf.get(recipient.toLowerCase()) ?? language,
    }),
  );
  const all = [...chosen, ...named];
  return all.filter(
    ({ recipient }, index) =>
      all.findIndex((other) => other.recipient.toLowerCase() === recipient.toLowerCase()) === index,
  );
}
