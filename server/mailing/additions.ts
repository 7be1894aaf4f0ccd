import type { Clock } from '../clock.ts';
import { numbers, texts } from '../database/arrays.ts';
import type { Sql, TransactionSql } from '../database/connection.ts';
import { isDeadlock } from '../database/trouble.ts';
import type { Pending } from '../events/events.ts';
import { type SendKey, storeSendKey } from '../send-keys/send-keys.ts';
import type { MailAddress } from './addresses.ts';
import { askConfirmations } from './confirmation-rows.ts';
import { type LockedList, listsOfUsers, lockMailLists, unknownList } from './list-rows.ts';
import { MailNumbers } from './numbers.ts';
import { follows, type UserStatus } from './statuses.ts';
import { type MailField, type MailUser, type MailUserRow, toUser, userColumns } from './user-rows.ts';
import type { MailUsers, StatusMove } from './users.ts';

/** How many names of fields a list remembers. */
export const COLUMNS_MOST = 100;

/** Attempts of a transaction that others were in the way of. */
const ATTEMPTS = 5;

/** A user to be added, or what is to be changed about one. What is undefined stays as it is. */
export interface GivenUser {
  readonly address: MailAddress;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly cellphone?: string | undefined;
  /** Fields that are not named stay as they are. */
  readonly sendFields?: readonly MailField[] | undefined;
  readonly systemFields?: readonly MailField[] | undefined;
  /** What he is to be from now on; `active` has him back, whatever he was. */
  readonly status?: 'active' | 'removed' | 'deleted' | undefined;
}

/** Users to be added, each once, with numbers for those who are new. */
export interface PreparedUsers {
  readonly users: ReadonlyMap<string, GivenUser>;
  readonly spare: readonly number[];
}

export interface AddedUsers {
  /** By key of the address. */
  readonly ids: ReadonlyMap<string, number>;
  /** How many were in none of the lists before. */
  readonly added: number;
  readonly events: Pending | undefined;
}

/** Others were in the way: a user came or went between two looks. The transaction is to be made anew. */
class Again extends Error {}

type Existing = Pick<
  MailUser,
  'id' | 'address' | 'key' | 'firstName' | 'lastName' | 'cellphone' | 'sendFields' | 'systemFields' | 'status'
>;

/** Adds users to lists (interface, part C). */
export class MailAdditions {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #users: MailUsers;
  readonly #numbers: MailNumbers;

  constructor(parts: { sql: Sql; clock: Clock; users: MailUsers }) {
    this.#sql = parts.sql;
    this.#clock = parts.clock;
    this.#users = parts.users;
    this.#numbers = new MailNumbers(parts.sql, 'user');
  }

  /**
   * Adds users to lists, all or nothing, in one transaction. Of those who are known only the fields that are given change.
   * Returns their ids, one for each entry of `users`; `sendKey` is stored in that transaction. Throws Refusal
   * `unknown-list`.
   */
  async add(
    accountId: number,
    listIds: readonly number[],
    users: readonly GivenUser[],
    sendKey?: SendKey<number[]>,
  ): Promise<number[]> {
    const idsOf = ({ ids }: AddedUsers) => users.map((user) => ids.get(user.address.key)!);
    return idsOf(
      await this.addWith(accountId, listIds, users, async (tx, added) => {
        if (sendKey) await storeSendKey(tx, accountId, sendKey, idsOf(added));
      }),
    );
  }

  /** As `add`; `also` is done in the same transaction, which may be made more than once. */
  async addWith(
    accountId: number,
    listIds: readonly number[],
    users: readonly GivenUser[],
    also: (tx: TransactionSql, added: AddedUsers) => Promise<void>,
  ): Promise<AddedUsers> {
    const merged = merge(users);
    for (let attempt = 1; ; attempt++) {
      const prepared = { users: merged, spare: await this.#numbersFor(accountId, merged) };
      try {
        const added = await this.#sql.begin(async (tx) => {
          const done = await this.#addWithin(tx, accountId, listIds, prepared);
          await also(tx, done);
          return done;
        });
        added.events?.committed();
        return added;
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof Again || isDeadlock(error))) throw error;
      }
    }
  }

  /** Numbers for those who are new, taken before the transaction: it would wait for a connection beside its own. */
  async #numbersFor(accountId: number, users: ReadonlyMap<string, GivenUser>): Promise<number[]> {
    const [row] = await this.#sql<{ known: number }[]>`
      SELECT count(*)::int AS known FROM mail_users
      WHERE account_id = ${accountId} AND address_key = ANY(${texts([...users.keys()])}::text[])`;
    return this.#numbers.take(users.size - row!.known);
  }

  async #addWithin(
    tx: TransactionSql,
    accountId: number,
    listIds: readonly number[],
    { users, spare }: PreparedUsers,
  ): Promise<AddedUsers> {
    const known = await this.#lockKnown(tx, accountId, [...users.keys()].sort());
    const made = await this.#insert(tx, accountId, users, known, spare);
    await this.#update(tx, accountId, users, known);

    const all = new Map([...known, ...made]);
    const moves = movesOf(users, all);
    const moved = moves.flatMap((move) => move.users.map((user) => user.id));
    const lists = await lockMailLists(tx, accountId, [
      ...listIds,
      ...(await listsOfUsers(tx, accountId, moved)),
    ]);
    const missing = listIds.find((id) => !lists.has(id));
    if (missing !== undefined) throw unknownList(missing);
    const { events } = await this.#users.move(tx, accountId, lists, moves);

    const statuses = new Map<number, UserStatus>([...all.values()].map((user) => [user.id, user.status]));
    for (const move of moves) for (const user of move.users) statuses.set(user.id, move.to);
    const names = namesOf(users.values());
    let added = 0;
    for (const id of new Set(listIds)) {
      added += await this.#join(tx, accountId, lists.get(id)!, statuses, names);
    }
    return { ids: new Map([...all].map(([key, user]) => [key, user.id])), added, events };
  }

  /** Locks those who are known, in one order for all; who is in no list that there is any more counts as deleted. */
  async #lockKnown(
    tx: TransactionSql,
    accountId: number,
    keys: readonly string[],
  ): Promise<Map<string, Existing>> {
    const rows = await tx<MailUserRow[]>`
      SELECT ${tx(userColumns)} FROM mail_users
      WHERE account_id = ${accountId} AND address_key = ANY(${texts(keys)}::text[])
      ORDER BY address_key FOR UPDATE`;
    const users = rows.map(toUser);
    const gone = await forgotten(tx, accountId, users);
    if (gone.size > 0) {
      await tx`
        UPDATE mail_users SET first_name = '', last_name = '', cellphone = '', send_fields = NULL, system_fields = NULL,
          status = 'active', heard = false, soft_bounces = 0, status_by = '', status_reason = '',
          status_campaign_id = NULL, status_at = NULL
        WHERE account_id = ${accountId} AND id = ANY(${numbers([...gone])}::bigint[])`;
    }
    return new Map(users.map((user) => [user.key, gone.has(user.id) ? blank(user) : user]));
  }

  async #insert(
    tx: TransactionSql,
    accountId: number,
    users: ReadonlyMap<string, GivenUser>,
    known: ReadonlyMap<string, Existing>,
    spare: readonly number[],
  ): Promise<Map<string, Existing>> {
    const fresh = [...users.values()]
      .filter((user) => !known.has(user.address.key))
      .sort((one, other) => (one.address.key < other.address.key ? -1 : 1))
      .map((given, index) => changed({ ...nobody, ...given.address, id: spare[index] ?? 0 }, given));
    if (fresh.length === 0) return new Map();
    if (fresh.length > spare.length) throw new Again();
    const { count } = await tx`
      INSERT INTO mail_users (account_id, id, address, address_key, first_name, last_name, cellphone, send_fields,
        system_fields, created_at)
      SELECT w.account_id, u.id, u.address, u.address_key, u.first_name, u.last_name, u.cellphone,
        u.send_fields::jsonb, u.system_fields::jsonb, ${this.#clock.now()}
      FROM wallets w, unnest(${numbers(fresh.map((user) => user.id))}::bigint[],
        ${texts(fresh.map((user) => user.address))}::text[], ${texts(fresh.map((user) => user.key))}::text[],
        ${texts(fresh.map((user) => user.firstName))}::text[], ${texts(fresh.map((user) => user.lastName))}::text[],
        ${texts(fresh.map((user) => user.cellphone))}::text[], ${texts(fresh.map((user) => stored(user.sendFields)))}::text[],
        ${texts(fresh.map((user) => stored(user.systemFields)))}::text[])
        AS u (id, address, address_key, first_name, last_name, cellphone, send_fields, system_fields)
      WHERE w.account_id = ${accountId}
      ON CONFLICT ON CONSTRAINT mail_users_address_key DO NOTHING`;
    // Somebody else has just added one of them, who is known from now on.
    if (count < fresh.length) throw new Again();
    return new Map(fresh.map((user) => [user.key, user]));
  }

  async #update(
    tx: TransactionSql,
    accountId: number,
    users: ReadonlyMap<string, GivenUser>,
    known: ReadonlyMap<string, Existing>,
  ): Promise<void> {
    const others: Existing[] = [];
    for (const [key, user] of known) {
      const now = changed(user, users.get(key)!);
      if (!sameFields(user, now)) others.push(now);
    }
    if (others.length === 0) return;
    await tx`
      UPDATE mail_users m SET first_name = u.first_name, last_name = u.last_name, cellphone = u.cellphone,
        send_fields = u.send_fields::jsonb, system_fields = u.system_fields::jsonb
      FROM unnest(${numbers(others.map((user) => user.id))}::bigint[],
        ${texts(others.map((user) => user.firstName))}::text[], ${texts(others.map((user) => user.lastName))}::text[],
        ${texts(others.map((user) => user.cellphone))}::text[], ${texts(others.map((user) => stored(user.sendFields)))}::text[],
        ${texts(others.map((user) => stored(user.systemFields)))}::text[])
        AS u (id, first_name, last_name, cellphone, send_fields, system_fields)
      WHERE m.account_id = ${accountId} AND m.id = u.id`;
  }

  /** Makes locked users members of a locked list. Returns how many were not. */
  async #join(
    tx: TransactionSql,
    accountId: number,
    list: LockedList,
    statuses: ReadonlyMap<number, UserStatus>,
    names: ReadonlySet<string>,
  ): Promise<number> {
    const rows = await tx<{ user_id: number }[]>`
      INSERT INTO mail_members (account_id, filling_id, user_id, pending)
      SELECT l.account_id, l.filling_id, u.id, l.confirm
      FROM mail_lists l, unnest(${numbers([...statuses.keys()])}::bigint[]) AS u (id)
      WHERE l.account_id = ${accountId} AND l.id = ${list.id}
      ON CONFLICT ON CONSTRAINT mail_members_pkey DO NOTHING
      RETURNING user_id`;
    const active = rows.filter((row) => statuses.get(row.user_id) === 'active').length;
    const columns = [...new Set([...list.columns, ...names])].slice(0, COLUMNS_MOST);
    if (rows.length > 0 || columns.length > list.columns.length) {
      await tx`
        UPDATE mail_lists SET user_count = user_count + ${rows.length},
          active_count = active_count + ${list.confirm ? 0 : active}, columns = ${texts(columns)}::text[]
        WHERE account_id = ${accountId} AND id = ${list.id}`;
    }
    if (list.confirm) {
      const asked = [...statuses].filter(([, status]) => status === 'active').map(([id]) => id);
      await askConfirmations(tx, accountId, list, asked, this.#clock.now());
    }
    return rows.length;
  }
}

/** Which of these users have no list any more: those of lists that were emptied, who are not deleted yet. */
async function forgotten(
  tx: TransactionSql,
  accountId: number,
  users: readonly MailUser[],
): Promise<Set<number>> {
  const some = users.filter((user) => user.status === 'active' || user.status === 'deleted');
  if (some.length === 0) return new Set();
  const [discarded] = await tx`SELECT 1 FROM mail_discarded WHERE account_id = ${accountId} LIMIT 1`;
  if (!discarded) return new Set();
  const rows = await tx<{ id: number }[]>`
    SELECT u.id FROM mail_users u
    WHERE u.account_id = ${accountId} AND u.id = ANY(${numbers(some.map((user) => user.id))}::bigint[])
      AND NOT EXISTS (
        SELECT 1 FROM mail_members m JOIN mail_lists l ON l.account_id = m.account_id AND l.filling_id = m.filling_id
        WHERE m.account_id = ${accountId} AND m.user_id = u.id AND l.account_id = ${accountId})`;
  return new Set(rows.map((row) => row.id));
}

const nobody = {
  firstName: '',
  lastName: '',
  cellphone: '',
  sendFields: [],
  systemFields: [],
  status: 'active',
} as const;

const blank = ({ id, address, key }: Existing): Existing => ({ ...nobody, id, address, key });

/** A user with what is given of him. */
const changed = (user: Existing, given: GivenUser): Existing => ({
  ...user,
  firstName: given.firstName ?? user.firstName,
  lastName: given.lastName ?? user.lastName,
  cellphone: given.cellphone ?? user.cellphone,
  sendFields: mergeFields(user.sendFields, given.sendFields),
  systemFields: mergeFields(user.systemFields, given.systemFields),
});

function mergeFields(
  fields: readonly MailField[],
  given: readonly MailField[] | undefined,
): readonly MailField[] {
  if (!given || given.length === 0) return fields;
  return [...new Map([...fields, ...given])];
}

const stored = (fields: readonly MailField[]) => (fields.length === 0 ? null : JSON.stringify(fields));

const sameFields = (one: Existing, other: Existing) =>
  one.firstName === other.firstName &&
  one.lastName === other.lastName &&
  one.cellphone === other.cellphone &&
  stored(one.sendFields) === stored(other.sendFields) &&
  stored(one.systemFields) === stored(other.systemFields);

/** Who is to have another status. */
function movesOf(
  users: ReadonlyMap<string, GivenUser>,
  all: ReadonlyMap<string, Existing>,
): readonly StatusMove[] {
  const byStatus = new Map<UserStatus, Existing[]>();
  for (const [key, { status }] of users) {
    const user = all.get(key)!;
    if (status === undefined || !follows(user.status, status)) continue;
    const some = byStatus.get(status);
    if (some) some.push(user);
    else byStatus.set(status, [user]);
  }
  return [...byStatus].map(([to, some]) => ({ users: some, to, why: { cause: 'account' } }));
}

/** One entry for each address; what is given last holds. */
function merge(users: readonly GivenUser[]): Map<string, GivenUser> {
  const merged = new Map<string, GivenUser>();
  for (const user of users) {
    const before = merged.get(user.address.key);
    merged.set(user.address.key, before ? together(before, user) : user);
  }
  return merged;
}

const together = (one: GivenUser, other: GivenUser): GivenUser => ({
  address: one.address,
  firstName: other.firstName ?? one.firstName,
  lastName: other.lastName ?? one.lastName,
  cellphone: other.cellphone ?? one.cellphone,
  sendFields: mergeFields(one.sendFields ?? [], other.sendFields),
  systemFields: mergeFields(one.systemFields ?? [], other.systemFields),
  status: other.status ?? one.status,
});

function namesOf(users: Iterable<GivenUser>): Set<string> {
  const names = new Set<string>();
  for (const { sendFields = [], systemFields = [] } of users) {
    for (const [name] of sendFields) names.add(name);
    for (const [name] of systemFields) names.add(name);
  }
  return names;
}
