import { type SendKey, storeSendKey } from '../../api/send-keys/send-keys.ts';
import { inStatements, numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { isDeadlock } from '../../database/trouble.ts';
import type { Work } from '../../engine/work/work.ts';
import type { Context } from '../../kit/context.ts';
import { firstOfEach } from '../../kit/first-of-each.ts';
import { forEachInSlices, mapInSlices, sortInSlices, TimeSlice } from '../../kit/time-slices.ts';
import type { ExistingChoice } from '../../modules/audience/csv-layout.ts';
import type { Suppressions } from '../../modules/audience/suppressions.ts';
import { askConfirmations } from './confirmation-rows.ts';
import { type LockedList, listsOfUsers, lockMailLists, unknownList } from './list-rows.ts';
import { NumberSource } from './number-source.ts';
import { follows, type UserStatus } from './statuses.ts';
import {
  blank,
  changed,
  type Existing,
  merge,
  namesOf,
  nobody,
  type Storable,
  sameFields,
  storable,
  type UserInput,
} from './user-changes.ts';
import { type MailUser, userColumns } from './user-rows.ts';
import type { MailUsers, StatusMove } from './users.ts';

/** Maximum number of field names that a list stores. */
const MAX_COLUMNS = 100;

/** Users read per statement: each may have 200 KB of fields. */
const KNOWN_A_STATEMENT = 500;

/** Maximum attempts of a transaction that conflicts with others. */
const ATTEMPTS = 5;

/** Users to add, without duplicates, with spare ids for new ones. */
interface PreparedUsers {
  readonly users: ReadonlyMap<string, UserInput>;
  readonly spare: readonly number[];
  readonly existing: ExistingChoice;
}

interface AddedUsers {
  /** By key of the address. */
  readonly ids: ReadonlyMap<string, number>;
  /** Number of users who were not in any of the lists before. */
  readonly added: number;
}

/** A conflict: a user was added or deleted between two reads. The transaction must be repeated. */
class Again extends Error {}

interface MailAdditionsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly users: MailUsers;
  readonly suppressions: Pick<Suppressions, 'has' | 'remove'>;
  readonly work: Pick<Work, 'want'>;
}

/** Adds users to lists (interface, part C). */
export class MailAdditions {
  readonly #deps: MailAdditionsDeps;
  readonly #numbers: NumberSource;

  constructor(deps: MailAdditionsDeps) {
    this.#deps = deps;
    this.#numbers = new NumberSource(deps.sql, 'user');
  }

  /**
   * Adds users to lists, all or nothing, in one transaction. For existing users only the given fields change. Returns
   * their ids, one for each entry of `users`; `sendKey` is stored in that transaction. Throws Refusal `unknown-list`,
   * and `bad-field` for a user who would have more than MAX_USER_FIELDS fields.
   */
  async add(
    accountId: number,
    listIds: readonly number[],
    users: readonly UserInput[],
    sendKey?: SendKey<number[]>,
  ): Promise<number[]> {
    const idsOf = ({ ids }: AddedUsers) => mapInSlices(users, (user) => ids.get(user.address.key)!);
    return idsOf(
      await this.addWith(accountId, listIds, users, async (tx, added) => {
        if (sendKey) await storeSendKey(tx, accountId, sendKey, await idsOf(added));
      }),
    );
  }

  /**
   * As `add`; `also` runs in the same transaction, which may be repeated. With `keep`, users whom the account has already are
   * added to the lists without changes, and the first of several entries for one user is used.
   */
  async addWith(
    accountId: number,
    listIds: readonly number[],
    users: readonly UserInput[],
    also: (tx: TransactionSql, added: AddedUsers) => Promise<void>,
    existing: ExistingChoice = 'update',
  ): Promise<AddedUsers> {
    const merged =
      existing === 'keep' ? firstOfEach(users, ({ address }) => address.key) : await merge(users);
    for (let attempt = 1; ; attempt++) {
      const prepared = { users: merged, spare: await this.#numbersFor(accountId, merged), existing };
      try {
        return await this.#deps.sql.begin(async (tx) => {
          const added = await this.#addWithin(tx, accountId, listIds, prepared);
          await also(tx, added);
          return added;
        });
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof Again || isDeadlock(error))) throw error;
      }
    }
  }

  /** Takes ids for new users before the transaction, which would otherwise wait for a second connection. */
  async #numbersFor(accountId: number, users: ReadonlyMap<string, UserInput>): Promise<number[]> {
    let known = 0;
    for (const some of inStatements([...users.keys()])) {
      const [row] = await this.#deps.sql<{ known: number }[]>`
        SELECT count(*)::int AS known FROM mail_users
        WHERE account_id = ${accountId} AND address_key = ANY(${texts(some)}::text[])`;
      known += row!.known;
    }
    return this.#numbers.take(users.size - known);
  }

  async #addWithin(
    tx: TransactionSql,
    accountId: number,
    listIds: readonly number[],
    { users, spare, existing }: PreparedUsers,
  ): Promise<AddedUsers> {
    const slice = new TimeSlice();
    const keys = await sortInSlices([...users.keys()]);
    const known = await this.#lockKnown(tx, accountId, keys);
    const made = await this.#insert(tx, accountId, keys, users, known, spare);
    if (existing === 'update') await this.#update(tx, accountId, users, known);

    const all = known;
    await forEachInSlices(made, ([key, user]) => all.set(key, user), slice);
    const moves = [...(await movesOf(users, all)), ...(await this.#suppressed(tx, accountId, users, made))];
    const moved: number[] = [];
    for (const move of moves) await forEachInSlices(move.users, ({ id }) => moved.push(id), slice);
    const lists = await lockMailLists(tx, accountId, [
      ...listIds,
      ...(await listsOfUsers(tx, accountId, moved)),
    ]);
    const missing = listIds.find((id) => !lists.has(id));
    if (missing !== undefined) throw unknownList(missing);
    await this.#deps.users.move(tx, accountId, lists, moves);

    const statuses = new Map<number, UserStatus>();
    await forEachInSlices(all.values(), ({ id, status }) => statuses.set(id, status), slice);
    for (const { users: some, to } of moves)
      await forEachInSlices(some, ({ id }) => statuses.set(id, to), slice);
    const names = await namesOf(users.values());
    let added = 0;
    for (const id of new Set(listIds)) {
      added += await this.#join(tx, accountId, lists.get(id)!, statuses, names);
    }
    const ids = new Map<string, number>();
    await forEachInSlices(all, ([key, { id }]) => ids.set(key, id), slice);
    return { ids, added };
  }

  /**
   * Returns new users who had unsubscribed when their data was erased. They are unsubscribed again, unless the account
   * explicitly restores them.
   */
  async #suppressed(
    tx: TransactionSql,
    accountId: number,
    users: ReadonlyMap<string, UserInput>,
    made: ReadonlyMap<string, Existing>,
  ): Promise<StatusMove[]> {
    const { suppressions } = this.#deps;
    const there = await suppressions.has(accountId, [...made.keys()], tx);
    const restored = [...there].filter((key) => users.get(key)!.status === 'active');
    await suppressions.remove(tx, accountId, restored);
    for (const key of restored) there.delete(key);
    const gone = [...made].flatMap(([key, user]) => (there.has(key) ? [user] : []));
    const why = { cause: 'account', reason: 'wanted no mails when their data was erased' } as const;
    return gone.length === 0 ? [] : [{ users: gone, to: 'removed', why }];
  }

  /** Locks existing users, in the same order in all transactions. A user without an existing list counts as deleted. */
  async #lockKnown(
    tx: TransactionSql,
    accountId: number,
    keys: readonly string[],
  ): Promise<Map<string, Existing>> {
    const known = new Map<string, Existing>();
    for (const some of inStatements(keys, KNOWN_A_STATEMENT)) {
      const users = await tx<MailUser[]>`
        SELECT ${userColumns(tx)} FROM mail_users u
        WHERE u.account_id = ${accountId} AND u.address_key = ANY(${texts(some)}::text[])
        ORDER BY u.address_key FOR UPDATE`;
      const gone = await forgotten(tx, accountId, users);
      if (gone.size > 0) {
        await tx`
          UPDATE mail_users SET first_name = '', last_name = '', cellphone = '', send_fields = NULL,
            system_fields = NULL, status = 'active', heard = false, soft_bounces = 0, status_by = '',
            status_reason = '', status_campaign_id = NULL, status_at = NULL
          WHERE account_id = ${accountId} AND id = ANY(${numbers([...gone])}::bigint[])`;
      }
      for (const user of users) known.set(user.key, gone.has(user.id) ? blank(user) : user);
    }
    return known;
  }

  async #insert(
    tx: TransactionSql,
    accountId: number,
    keys: readonly string[],
    users: ReadonlyMap<string, UserInput>,
    known: ReadonlyMap<string, Existing>,
    spare: readonly number[],
  ): Promise<Map<string, Existing>> {
    const made = new Map<string, Existing>();
    await forEachInSlices(keys, (key) => {
      if (known.has(key)) return;
      const input = users.get(key)!;
      made.set(key, changed({ ...nobody, ...input.address, id: spare[made.size] ?? 0 }, input));
    });
    if (made.size > spare.length) throw new Again();
    for await (const fresh of storable(made.values())) await this.#insertSome(tx, accountId, fresh);
    return made;
  }

  async #insertSome(tx: TransactionSql, accountId: number, fresh: readonly Storable[]): Promise<void> {
    const { count } = await tx`
      INSERT INTO mail_users (account_id, id, address, address_key, first_name, last_name, cellphone, send_fields,
        system_fields, created_at)
      SELECT w.account_id, u.id, u.address, u.address_key, u.first_name, u.last_name, u.cellphone,
        u.send_fields::jsonb, u.system_fields::jsonb, ${this.#deps.clock.now()}
      FROM wallets w, unnest(${numbers(fresh.map((user) => user.id))}::bigint[],
        ${texts(fresh.map((user) => user.address))}::text[], ${texts(fresh.map((user) => user.key))}::text[],
        ${fieldsOf(tx, fresh)})
        AS u (id, address, address_key, first_name, last_name, cellphone, send_fields, system_fields)
      WHERE w.account_id = ${accountId}
      ON CONFLICT ON CONSTRAINT mail_users_address_key DO NOTHING`;
    // Another transaction has just added one of them, so a repetition finds them.
    if (count < fresh.length) throw new Again();
  }

  async #update(
    tx: TransactionSql,
    accountId: number,
    users: ReadonlyMap<string, UserInput>,
    known: ReadonlyMap<string, Existing>,
  ): Promise<void> {
    const others: Existing[] = [];
    const slice = new TimeSlice();
    for (const [key, user] of known) {
      const now = changed(user, users.get(key)!);
      if (!sameFields(user, now)) others.push(now);
      if (slice.isOverNow) await slice.rest();
    }
    for await (const some of storable(others)) await this.#updateSome(tx, accountId, some);
  }

  async #updateSome(tx: TransactionSql, accountId: number, others: readonly Storable[]): Promise<void> {
    await tx`
      UPDATE mail_users m SET first_name = u.first_name, last_name = u.last_name, cellphone = u.cellphone,
        send_fields = u.send_fields::jsonb, system_fields = u.system_fields::jsonb
      FROM unnest(${numbers(others.map((user) => user.id))}::bigint[],
        ${fieldsOf(tx, others)})
        AS u (id, first_name, last_name, cellphone, send_fields, system_fields)
      WHERE m.account_id = ${accountId} AND m.id = u.id`;
  }

  /** Makes locked users members of a locked list. Returns the number of new members. */
  async #join(
    tx: TransactionSql,
    accountId: number,
    list: LockedList,
    statuses: ReadonlyMap<number, UserStatus>,
    names: ReadonlySet<string>,
  ): Promise<number> {
    let joined = 0;
    let active = 0;
    for (const some of inStatements([...statuses.keys()])) {
      const rows = await tx<{ user_id: number }[]>`
        INSERT INTO mail_members (account_id, filling_id, user_id, pending)
        SELECT l.account_id, l.filling_id, u.id, l.confirm
        FROM mail_lists l, unnest(${numbers(some)}::bigint[]) AS u (id)
        WHERE l.account_id = ${accountId} AND l.id = ${list.id}
        ON CONFLICT ON CONSTRAINT mail_members_pkey DO NOTHING
        RETURNING user_id`;
      joined += rows.length;
      for (const row of rows) if (statuses.get(row.user_id) === 'active') active++;
    }
    const columns = [...new Set([...list.columns, ...names])].slice(0, MAX_COLUMNS);
    if (joined > 0 || columns.length > list.columns.length) {
      await tx`
        UPDATE mail_lists SET user_count = user_count + ${joined},
          active_count = active_count + ${list.confirm ? 0 : active}, columns = ${texts(columns)}::text[]
        WHERE account_id = ${accountId} AND id = ${list.id}`;
    }
    if (list.confirm) {
      const asked: number[] = [];
      await forEachInSlices(statuses, ([id, status]) => {
        if (status === 'active') asked.push(id);
      });
      const { work, clock } = this.#deps;
      for (const some of inStatements(asked)) {
        await askConfirmations(tx, accountId, list, some, { work, now: clock.now() });
      }
    }
    return joined;
  }
}

/** Names, number and fields of users, as columns for `unnest`. */
const fieldsOf = (tx: TransactionSql, users: readonly Storable[]) => tx`
  ${texts(users.map((user) => user.firstName))}::text[], ${texts(users.map((user) => user.lastName))}::text[],
  ${texts(users.map((user) => user.cellphone))}::text[], ${texts(users.map((user) => user.storedSendFields))}::text[],
  ${texts(users.map((user) => user.storedSystemFields))}::text[]`;

/** Returns those of these users without any list: users of emptied lists who are not deleted yet. */
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

/** Returns the changes of status. */
async function movesOf(
  users: ReadonlyMap<string, UserInput>,
  all: ReadonlyMap<string, Existing>,
): Promise<readonly StatusMove[]> {
  const byStatus = new Map<UserStatus, Existing[]>();
  await forEachInSlices(users, ([key, { status }]) => {
    const user = all.get(key)!;
    if (status === undefined || !follows(user.status, status)) return;
    const some = byStatus.get(status);
    if (some) some.push(user);
    else byStatus.set(status, [user]);
  });
  return [...byStatus].map(([to, some]) => ({ users: some, to, why: { cause: 'account' } }));
}
