import { inStatements, numbers } from '../../database/arrays.ts';
import type { Query, Row, Sql } from '../../database/connection.ts';
import type {
  ListOfRecipient,
  ListUser,
  ListUsers,
  ListUsersQuery,
} from '../../modules/audience/list-users.ts';
import { digitsOf, LAST_DIGITS, lastDigits, lastDigitsOf } from './user-phones.ts';
import { type MailUser, userColumns } from './user-rows.ts';
import type { MailUsers } from './users.ts';

interface MailRecipientsDeps {
  readonly sql: Sql;
  readonly users: Pick<MailUsers, 'maybeWithPhones' | 'has'>;
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
  async listsOf(accountId, ids) {
    const lists = new Map<number, ListOfRecipient[]>();
    for (const some of inStatements(ids)) {
      const rows = await sql<(ListOfRecipient & { user: number })[]>`
        SELECT m.user_id AS "user", l.id, l.name FROM mail_members m
        JOIN mail_lists l ON l.account_id = m.account_id AND l.filling_id = m.filling_id
        WHERE m.account_id = ${accountId} AND m.user_id = ANY(${numbers(some)}::bigint[])
          AND l.account_id = ${accountId}
        ORDER BY l.id`;
      for (const { user, ...list } of rows) lists.set(user, [...(lists.get(user) ?? []), list]);
    }
    return lists;
  },
});
