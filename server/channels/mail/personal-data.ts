import { numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Suppressions } from '../../modules/audience/suppressions.ts';
import { replaceInJson } from '../../modules/personal-data/mentions.ts';
import type { Erasure, ExportedRow, PersonalDataPart, Search } from '../../modules/personal-data/part.ts';
import {
  countNamed,
  eraseNamed,
  isoOf,
  type NamedTable,
  partOfMentions,
  rowsNamed,
} from '../../modules/personal-data/table-parts.ts';
import { countActive, listsOfUsers, lockMailLists } from './list-rows.ts';
import { isRemoved } from './statuses.ts';
import { type MailUser, userColumns } from './user-rows.ts';

const incoming: NamedTable = {
  table: 'mail_incoming',
  kind: 'incoming-mail',
  by: { client: ['addresses'], from_address: ['addresses'] },
  key: ['id'],
  shown: [
    'id',
    'sender',
    'client',
    'from_address',
    'from_name',
    'subject',
    'text',
    'html',
    'attachments',
    'raw',
  ],
};

/** Users with another address whose other fields identify the person, for example by a phone. */
const mentioning = partOfMentions([
  {
    table: 'mail_users',
    kind: 'mailing-list-users',
    key: 'id',
    columns: {
      cellphone: (text, mentions) => mentions.replace(text, () => ''),
      send_fields: (json, mentions) => replaceInJson(json, mentions, () => ''),
      system_fields: (json, mentions) => replaceInJson(json, mentions, () => ''),
      status_reason: (text, mentions, by) => mentions.replace(text, by),
    },
    json: ['send_fields', 'system_fields'],
  },
]);

interface MailPartDeps {
  readonly suppressions: Pick<Suppressions, 'add'>;
}

/**
 * Email: users of mailing lists, replies, bounces, and contents of single emails. Erased people who had unsubscribed
 * still get no emails: a keyed digest replaces the address.
 */
export const mailPart = ({ suppressions }: MailPartDeps): PersonalDataPart => ({
  tables: [
    'mail_users',
    'mail_members',
    'mail_confirmations',
    'mail_returns',
    'mail_contents',
    incoming.table,
  ],

  async complete({ sql, accountId, subject }) {
    const rows = await sql<{ address: string }[]>`
      SELECT address FROM mail_users
      WHERE account_id = ${accountId} AND address_key = ANY(${texts(subject.addresses)}::text[])`;
    return { addresses: rows.map(({ address }) => address) };
  },

  async count(search) {
    const { sql, accountId } = search;
    const users = await usersOf(search);
    const [returns] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM mail_returns
      WHERE account_id = ${accountId} AND user_id = ANY(${numbers(users.map(({ id }) => id))}::bigint[])`;
    const elsewhere = (await mentioning.count(search))['mailing-list-users'] ?? 0;
    return {
      ...(await countNamed(search, [incoming])),
      'mailing-list-users': users.length + elsewhere,
      bounces: returns!.count,
    };
  },

  async *rows(search) {
    for (const user of await usersOf(search)) yield* userRows(search, user);
    for await (const { kind, row } of rowsNamed(search, [incoming])) yield { kind, row };
    yield* mentioning.rows(search);
  },

  async erase(erasure) {
    let [users, bounces] = [0, 0];
    for (const address of erasure.subject.addresses) {
      const erased = await eraseUser(erasure, address, suppressions);
      users += erased.users;
      bounces += erased.bounces;
    }
    const elsewhere = (await mentioning.erase(erasure))['mailing-list-users'] ?? 0;
    return { ...(await eraseNamed(erasure, [incoming])), 'mailing-list-users': users + elsewhere, bounces };
  },

  async emptyShipments(tx, accountId, shipmentIds) {
    await tx`
      DELETE FROM mail_contents WHERE account_id = ${accountId} AND id = ANY(${numbers(shipmentIds)}::bigint[])`;
  },
});

async function usersOf({ sql, accountId, subject, keepLease }: Search): Promise<readonly MailUser[]> {
  if (subject.addresses.length === 0) return [];
  await keepLease();
  return sql<MailUser[]>`
    SELECT ${userColumns(sql)} FROM mail_users u
    WHERE u.account_id = ${accountId} AND u.address_key = ANY(${texts(subject.addresses)}::text[]) ORDER BY u.id`;
}

/** Yields a user with their lists, and the bounces and complaints of their emails. */
async function* userRows({ sql, accountId }: Search, user: MailUser): AsyncGenerator<ExportedRow> {
  const lists = await sql<{ name: string }[]>`
    SELECT l.name FROM mail_members m
    JOIN mail_lists l ON l.account_id = m.account_id AND l.filling_id = m.filling_id
    WHERE m.account_id = ${accountId} AND m.user_id = ${user.id} AND l.account_id = ${accountId} ORDER BY l.id`;
  yield {
    kind: 'mailing-list-users',
    row: {
      id: String(user.id),
      address: user.address,
      first_name: user.firstName,
      last_name: user.lastName,
      cellphone: user.cellphone,
      fields: Object.fromEntries([...user.sendFields, ...user.systemFields]),
      status: user.status,
      status_by: user.statusBy,
      status_reason: user.statusReason,
      status_at: user.statusAt && isoOf(user.statusAt),
      created_at: isoOf(user.createdAt),
      lists: lists.map(({ name }) => name),
    },
  };
  const returns = await sql<{ message_id: number; kind: string; code: string; at: number }[]>`
    SELECT message_id, kind, code, at FROM mail_returns
    WHERE account_id = ${accountId} AND user_id = ${user.id} ORDER BY at`;
  for (const { message_id, kind, code, at } of returns) {
    yield { kind: 'bounces', row: { message_id: String(message_id), what: kind, code, at: isoOf(at) } };
  }
}

async function eraseUser(
  { sql, accountId, requestId, keepLease }: Erasure,
  address: string,
  suppressions: Pick<Suppressions, 'add'>,
) {
  await keepLease();
  return sql.begin(async (tx) => {
    const [user] = await tx<MailUser[]>`
      SELECT ${userColumns(tx)} FROM mail_users u
      WHERE u.account_id = ${accountId} AND u.address_key = ${address} FOR UPDATE`;
    if (!user) return { users: 0, bounces: 0 };
    if (isRemoved(user.status)) await suppressions.add(tx, accountId, [address], requestId);
    await leaveLists(tx, accountId, user);
    // The number of bounces stays with the campaigns.
    const { count } = await tx`
      UPDATE mail_returns SET user_id = NULL WHERE account_id = ${accountId} AND user_id = ${user.id}`;
    await tx`DELETE FROM mail_users WHERE account_id = ${accountId} AND id = ${user.id}`;
    return { users: 1, bounces: count };
  });
}

/** Removes a locked user from all lists and updates the counts. */
async function leaveLists(tx: TransactionSql, accountId: number, user: MailUser): Promise<void> {
  const lists = await lockMailLists(tx, accountId, await listsOfUsers(tx, accountId, [user.id]));
  if (user.status === 'active') await countActive(tx, accountId, lists, [user.id], -1);
  await tx`
    UPDATE mail_lists l SET user_count = user_count - 1
    WHERE l.account_id = ${accountId} AND l.id = ANY(${numbers([...lists.keys()])}::bigint[])`;
  await tx`DELETE FROM mail_members WHERE account_id = ${accountId} AND user_id = ${user.id}`;
  await tx`DELETE FROM mail_confirmations WHERE account_id = ${accountId} AND user_id = ${user.id}`;
}
