import { inStatements, numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Event } from '../../engine/events/types.ts';
import type { Context } from '../../kit/context.ts';
import { forEachInSlices } from '../../kit/time-slices.ts';
import {
  type ConsentInput,
  type ConsentSource,
  type Consents,
  withdrawal,
} from '../../modules/consents/consents.ts';
import { type MailAddress, readMailAddress } from './addresses.ts';
import { countActive, type LockedList, listsOfUsers, lockMailLists } from './list-rows.ts';
import { follows, type StatusChange, type UserStatus } from './statuses.ts';
import { lastDigits, lastDigitsOf } from './user-phones.ts';
import { type MailField, type MailUser, userColumns } from './user-rows.ts';

export type { MailField, MailUser } from './user-rows.ts';

/** Users with the same last digits that are read, at most. */
const MAX_SAME_DIGITS = 20;

/** A list that a user is in. */
export interface ListOfUser {
  readonly id: number;
  readonly name: string;
  /** The user has not confirmed it yet. */
  readonly pending: boolean;
}

/** A user as a member of one list. */
export interface MailMember extends MailUser {
  /** They have not confirmed the list yet, and get none of its emails. */
  readonly pending: boolean;
}

/** Kind of users of a list (interface, part C, `type`). */
export type UserKind = 'all' | 'deleted' | 'unsubscribed' | 'wrong' | 'active';

const statusesOf: Readonly<Record<UserKind, readonly UserStatus[]>> = {
  all: ['active', 'removed', 'complained', 'bounced', 'deleted'],
  deleted: ['deleted'],
  unsubscribed: ['removed', 'complained'],
  wrong: ['bounced'],
  active: ['active'],
};

/** Locked users, with their new status. */
export interface StatusMove {
  readonly users: readonly Pick<MailUser, 'id' | 'address' | 'status'>[];
  readonly to: UserStatus;
  readonly why: StatusChange;
}

interface MailUsersDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly events: Events;
  readonly consents: Pick<Consents, 'recordWithin'>;
}

/** Users of mailing lists and their statuses. */
export class MailUsers {
  readonly #deps: MailUsersDeps;

  constructor(deps: MailUsersDeps) {
    this.#deps = deps;
  }

  /** Returns a user of the account; undefined if no user has this id. One indexed look-up. */
  async find(accountId: number, id: number, sql: Queryable = this.#deps.sql): Promise<MailUser | undefined> {
    const [user] = await sql<MailUser[]>`
      SELECT ${userColumns(sql)} FROM mail_users u WHERE u.account_id = ${accountId} AND u.id = ${id}`;
    return user;
  }

  /** Returns the addresses of the account's users with these ids, by id. */
  async addresses(accountId: number, ids: readonly number[]): Promise<Map<number, MailAddress>> {
    const found = new Map<number, MailAddress>();
    for (const some of inStatements(ids)) {
      const rows = await this.#deps.sql<{ id: number; address: string; address_key: string }[]>`
        SELECT id, address, address_key FROM mail_users
        WHERE account_id = ${accountId} AND id = ANY(${numbers(some)}::bigint[])`;
      await forEachInSlices(rows, ({ id, address, address_key: key }) => found.set(id, { address, key }));
    }
    return found;
  }

  /** Returns the user with an address, in normalised form. */
  async byAddress(
    accountId: number,
    key: string,
    sql: Queryable = this.#deps.sql,
  ): Promise<MailUser | undefined> {
    const [user] = await sql<MailUser[]>`
      SELECT ${userColumns(sql)} FROM mail_users u WHERE u.account_id = ${accountId} AND u.address_key = ${key}`;
    return user;
  }

  /**
   * Returns up to `limit` active users of a list, ordered by id, after `afterId` (0 for the first page). Fewer mean
   * that this is the last page. Returns an empty page for a list that was emptied or removed in the meantime.
   */
  async page(
    sql: Queryable,
    accountId: number,
    listId: number,
    afterId: number,
    limit: number,
  ): Promise<MailMember[]> {
    return this.members(accountId, listId, 'active', afterId, limit, sql);
  }

  /**
   * As `page`, for users of this kind, filtered by a part of their address (`part`, in lower case). `all` includes users
   * who have not confirmed yet.
   */
  async members(
    accountId: number,
    listId: number,
    kind: UserKind,
    afterId: number,
    limit: number,
    sql: Queryable = this.#deps.sql,
    part = '',
  ): Promise<MailMember[]> {
    const members = await sql<MailMember[]>`
      SELECT ${userColumns(sql)}, m.pending
      FROM mail_members m JOIN mail_users u ON u.account_id = m.account_id AND u.id = m.user_id
      WHERE m.account_id = ${accountId}
        AND m.filling_id = (SELECT filling_id FROM mail_lists WHERE account_id = ${accountId} AND id = ${listId})
        AND m.user_id > ${afterId} AND u.account_id = ${accountId} AND u.id > ${afterId}
        AND u.status = ANY(${[...statusesOf[kind]]}::text[]) AND (${kind !== 'active'} OR NOT m.pending)
        AND strpos(u.address_key, ${part}) > 0
      ORDER BY m.user_id LIMIT ${limit}`;
    return [...members];
  }

  /**
   * Returns users whose phone may be one of these numbers (E.164 digits): its last seven digits are the same. Up to 20 of them for
   * each number, without deleted ones. The index is named by a look-up for each number: with all numbers in one condition the
   * planner preferred to read every user (1 s for 500,000).
   */
  async maybeWithPhones(accountId: number, phones: readonly string[]): Promise<MailUser[]> {
    const { sql } = this.#deps;
    const found: MailUser[] = [];
    for (const some of inStatements([...new Set(phones.map(lastDigits))])) {
      const rows = await sql<MailUser[]>`
        SELECT same.* FROM unnest(${texts(some)}::text[]) AS d (digits) CROSS JOIN LATERAL (
          SELECT ${userColumns(sql)} FROM mail_users u
          WHERE u.account_id = ${accountId} AND u.cellphone <> '' AND ${lastDigitsOf(sql)} = d.digits
            AND u.status <> 'deleted'
          LIMIT ${MAX_SAME_DIGITS}) AS same`;
      found.push(...rows);
    }
    return found;
  }

  /** Returns those of these addresses, in normalised form, that are in a list. */
  async has(accountId: number, listId: number, keys: readonly string[]): Promise<Set<string>> {
    const there = new Set<string>();
    for (const some of inStatements(keys)) {
      const rows = await this.#deps.sql<{ key: string }[]>`
        SELECT u.address_key AS key FROM mail_users u
        JOIN mail_members m ON m.account_id = u.account_id AND m.user_id = u.id
        WHERE u.account_id = ${accountId} AND u.address_key = ANY(${texts(some)}::text[])
          AND m.account_id = ${accountId} AND m.filling_id = (
            SELECT filling_id FROM mail_lists WHERE account_id = ${accountId} AND id = ${listId})`;
      for (const { key } of rows) there.add(key);
    }
    return there;
  }

  /** Returns the lists that users are in, by user, in the order of their ids. */
  async listsOf(accountId: number, userIds: readonly number[]): Promise<Map<number, ListOfUser[]>> {
    const lists = new Map<number, ListOfUser[]>();
    for (const some of inStatements(userIds)) {
      const rows = await this.#deps.sql<(ListOfUser & { user: number })[]>`
        SELECT m.user_id AS "user", l.id, l.name, m.pending FROM mail_members m
        JOIN mail_lists l ON l.account_id = m.account_id AND l.filling_id = m.filling_id
        WHERE m.account_id = ${accountId} AND m.user_id = ANY(${numbers(some)}::bigint[])
          AND l.account_id = ${accountId}
        ORDER BY l.id`;
      for (const { user, ...list } of rows) lists.set(user, [...(lists.get(user) ?? []), list]);
    }
    return lists;
  }

  /**
   * Changes the status of users in the caller's transaction, with the counts of their lists and the events
   * `mail.unsubscribed` or `mail.bounced`. Users whose status cannot change to `to` stay unchanged (statuses.ts).
   * Returns the ids of the changed users.
   */
  async changeStatus(
    tx: TransactionSql,
    accountId: number,
    userIds: readonly number[],
    to: UserStatus,
    why: StatusChange,
  ): Promise<readonly number[]> {
    const users = await this.lock(tx, accountId, userIds);
    const move = { users: users.filter((user) => follows(user.status, to)), to, why };
    const ids = move.users.map((user) => user.id);
    const lists = await lockMailLists(tx, accountId, await listsOfUsers(tx, accountId, ids));
    return this.move(tx, accountId, lists, [move]);
  }

  /** As `changeStatus`, in a separate transaction. Returns the changed users. */
  async setStatus(
    accountId: number,
    userIds: readonly number[],
    to: UserStatus,
    why: StatusChange,
  ): Promise<readonly number[]> {
    return this.#deps.sql.begin((tx) => this.changeStatus(tx, accountId, userIds, to, why));
  }

  /** Locks users until the transaction ends, in the same order in all transactions. */
  async lock(tx: TransactionSql, accountId: number, userIds: readonly number[]): Promise<MailUser[]> {
    if (userIds.length === 0) return [];
    const users = await tx<MailUser[]>`
      SELECT ${userColumns(tx)} FROM mail_users u
      WHERE u.account_id = ${accountId} AND u.id = ANY(${numbers(userIds)}::bigint[])
      ORDER BY u.address_key FOR UPDATE`;
    return [...users];
  }

  /** Sets the statuses of locked users, and returns their ids. `lists` are their lists, locked. */
  async move(
    tx: TransactionSql,
    accountId: number,
    lists: ReadonlyMap<number, LockedList>,
    moves: readonly StatusMove[],
  ): Promise<readonly number[]> {
    const now = this.#deps.clock.now();
    const changed: number[] = [];
    for (const { users, to, why } of moves) {
      for (const some of inStatements(users))
        changed.push(...(await this.#moveSome(tx, accountId, lists, { users: some, to, why }, now)));
    }
    const tells = moves.some(({ to }) => to !== 'active') && changed.length > 0;
    if (tells) await this.#deps.events.record(tx, accountId, eventsOf(moves, now));
    await this.#deps.consents.recordWithin(tx, accountId, withdrawalsOf(moves, new Set(changed)));
    return changed;
  }

  /** As `move`, in one statement. Returns the ids of the users. */
  async #moveSome(
    tx: TransactionSql,
    accountId: number,
    lists: ReadonlyMap<number, LockedList>,
    { users, to, why }: StatusMove,
    now: number,
  ): Promise<readonly number[]> {
    if (users.length === 0) return [];
    const ids = users.map((user) => user.id);
    await tx`
        UPDATE mail_users SET status = ${to}, heard = heard OR ${to !== 'deleted'},
          soft_bounces = CASE WHEN ${to === 'active'} THEN 0 ELSE soft_bounces END,
          status_by = ${why.cause}, status_reason = ${why.reason ?? ''},
          status_campaign_id = ${why.campaignId ?? null}, status_at = ${now}
        WHERE account_id = ${accountId} AND id = ANY(${numbers(ids)}::bigint[])`;
    const were = users.filter((user) => user.status === 'active').map((user) => user.id);
    if (to === 'active') await countActive(tx, accountId, lists, ids, 1);
    else await countActive(tx, accountId, lists, were, -1);
    return ids;
  }

  /** Records that emails reached these users: resets the count of soft bounces, and makes their `StatusEmail` known. */
  async delivered(sql: Queryable, accountId: number, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    await sql`
      UPDATE mail_users SET heard = true, soft_bounces = 0
      WHERE account_id = ${accountId} AND id = ANY(${numbers(userIds)}::bigint[]) AND (NOT heard OR soft_bounces > 0)`;
  }

  /** Counts a soft bounce for each of these users. Returns the number since the last delivered email. */
  async softBounced(
    tx: TransactionSql,
    accountId: number,
    userIds: readonly number[],
  ): Promise<Map<number, number>> {
    await this.lock(tx, accountId, userIds);
    const rows = await tx<{ id: number; soft_bounces: number }[]>`
      UPDATE mail_users SET soft_bounces = least(soft_bounces + 1, 10000)
      WHERE account_id = ${accountId} AND id = ANY(${numbers(userIds)}::bigint[])
      RETURNING id, soft_bounces`;
    return new Map(rows.map((row) => [row.id, row.soft_bounces]));
  }
}

/** Consent sources of changes that are statements of the user. Changes by the account or a bounce are not. */
const withdrawalSources: Readonly<Partial<Record<StatusChange['cause'], ConsentSource>>> = {
  page: 'unsubscribe-link',
  'one-click': 'unsubscribe-link',
  complaint: 'complaint',
};

function withdrawalsOf(moves: readonly StatusMove[], changed: ReadonlySet<number>): ConsentInput[] {
  return moves.flatMap(({ users, to, why: { cause, campaignId } }) => {
    const source = withdrawalSources[cause];
    if (source === undefined || to === 'active') return [];
    const evidence = campaignId ? { form: `mail campaign ${campaignId}` } : {};
    return users.flatMap(({ id, address }) => {
      const key = readMailAddress(address)?.key ?? address;
      return changed.has(id) ? [{ ...withdrawal, subject: key, channel: 'mail', source, evidence }] : [];
    });
  });
}

function* eventsOf(moves: readonly StatusMove[], now: number): Generator<Event> {
  for (const { users, to, why } of moves) {
    if (to === 'active') continue;
    for (const user of users) yield eventOf(user, to, why, now);
  }
}

function eventOf(
  user: Pick<MailUser, 'id' | 'address'>,
  to: Exclude<UserStatus, 'active'>,
  { cause, reason = '', campaignId = null }: StatusChange,
  at: number,
): Event {
  const data = { user_id: user.id, email: user.address, campaign_id: campaignId };
  return to === 'bounced'
    ? { type: 'mail.bounced', at, data: { ...data, reason } }
    : { type: 'mail.unsubscribed', at, data: { ...data, cause } };
}

/** Returns the fields of a user by name, those for sending before the system's. */
export const fieldsOf = (user: MailUser): readonly MailField[] => [...user.sendFields, ...user.systemFields];

/**
 * Returns a user's values for fields with these names (lower case). Standard fields precede the user's own, and those
 * for sending precede the system's.
 */
export function fieldsFor(user: MailUser, names: ReadonlySet<string>): Record<string, string> {
  const values = new Map<string, string>();
  const take = (name: string, value: string) => {
    const key = name.toLowerCase();
    if (value !== '' && names.has(key) && !values.has(key)) values.set(key, value);
  };
  take('emailaddress', user.address);
  take('email', user.address);
  take('firstname', user.firstName);
  take('lastname', user.lastName);
  take('cellphone', user.cellphone);
  for (const [name, value] of fieldsOf(user)) take(name, value);
  return Object.fromEntries(values);
}
