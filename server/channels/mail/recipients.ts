import type { Query, Row, Sql } from '../../database/connection.ts';
import type { ListUser, ListUsers, ListUsersQuery } from '../../modules/audience/list-users.ts';
import { digitsOf, LAST_DIGITS, lastDigits, lastDigitsOf } from './user-phones.ts';
import { type MailUser, userColumns } from './user-rows.ts';
import type { MailUsers } from './users.ts';

interface MailRecipientsDeps {
  readonly sql: Sql;
  readonly users: Pick<MailUsers, 'maybeWithPhones' | 'has' | 'listsOf'>;
}

const toRecipient = ({ id, key, address, firstName, lastName, cellphone }: MailUser): ListUser => ({
  ...{ id, key, address },
  name: `${firstName} ${lastName}`.trim(),
  phone: cellphone,
});

/** Condition that a user (alias `u`) matches a search. */
function matches(sql: Sql, { text, digits }: ListUsersQuery): Query<Row[]> {
  if (digits.length >= LAST_DIGITS)
    return sql`u.cellphone <> '' AND ${lastDigitsOf(sql)} = ${lastDigits(digits)}`;
  if (digits !== '') return sql`strpos(${digitsOf(sql)}, ${digits}) > 0`;
  if (text === '') return sql`true`;
  return sql`(strpos(u.address_key, ${text}) > 0 OR strpos(lower(u.first_name || ' ' || u.last_name), ${text}) > 0)`;
}

/** Users of mailing lists, for pages that show them together with contacts. */
export const mailRecipients = ({ sql, users }: MailRecipientsDeps): ListUsers => ({
  async browse(accountId, query) {
    const rows = await sql<MailUser[]>`
      SELECT ${userColumns(sql)} FROM mail_users u
      WHERE u.account_id = ${accountId} AND u.address_key > ${query.after} AND u.status <> 'deleted'
        AND ${matches(sql, query)}
      ORDER BY u.address_key LIMIT ${query.limit}`;
    return rows.map(toRecipient);
  },
  async maybeWithPhones(accountId, phones) {
    return (await users.maybeWithPhones(accountId, phones)).map(toRecipient);
  },
  has: (accountId, listId, keys) => users.has(accountId, listId, keys),
  listsOf: (accountId, ids) => users.listsOf(accountId, ids),
});
