import { numbers } from '../../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Context } from '../../kit/context.ts';
import { lockMailLists, unknownList } from './list-rows.ts';
import { NumberSource } from './number-source.ts';

const LISTS_A_PAGE = 500;

/** A mailing list without its users. */
export interface MailList {
  readonly accountId: number;
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Whether new users must confirm it first (double opt-in). */
  readonly confirm: boolean;
  /** Whether opens and clicks of emails to it are counted. */
  readonly track: boolean;
  /** Names of all fields that its users have ever had, unordered. */
  readonly columns: readonly string[];
  /** Number of its users, and of those who get emails. */
  readonly userCount: number;
  readonly activeCount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Settings of a list. */
interface MailListSettings {
  readonly name: string;
  readonly description: string;
  readonly confirm: boolean;
  readonly track: boolean;
}

/** The columns of a MailList. */
const columns = (
  sql: Queryable,
) => sql`account_id AS "accountId", id, name, description, confirm, track, columns,
  user_count AS "userCount", active_count AS "activeCount", created_at AS "createdAt"`;

/**
 * Mailing lists (interface, part C). Counts are stored: each change of members or of a user's status updates them in
 * its transaction. A list is emptied by giving it a new generation, which takes the same time for any number of users.
 */
export class MailLists {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #listNumbers: NumberSource;
  readonly #generationNumbers: NumberSource;

  constructor({ sql, clock }: Pick<Context, 'sql' | 'clock'>) {
    this.#sql = sql;
    this.#clock = clock;
    this.#listNumbers = new NumberSource(sql, 'list');
    this.#generationNumbers = new NumberSource(sql, 'filling');
  }

  /** Returns the lists of the account with these ids; other ids are not in the map. */
  async find(accountId: number, ids: readonly number[], sql: Queryable = this.#sql) {
    const lists = await sql<MailList[]>`
      SELECT ${columns(sql)} FROM mail_lists
      WHERE account_id = ${accountId} AND id = ANY(${numbers(ids)}::bigint[])`;
    return new Map(lists.map((list) => [list.id, list]));
  }

  /** Returns a list of the account. Throws Refusal `unknown-list`. */
  async get(accountId: number, id: number, sql: Queryable = this.#sql): Promise<MailList> {
    const list = (await this.find(accountId, [id], sql)).get(id);
    if (!list) throw unknownList(id);
    return list;
  }

  /** Returns up to `limit` lists of the account, ordered by id, after `afterId`. */
  async list(accountId: number, afterId = 0, limit = LISTS_A_PAGE, search = ''): Promise<MailList[]> {
    const sql = this.#sql;
    const lists = await sql<MailList[]>`
      SELECT ${columns(sql)} FROM mail_lists
      WHERE account_id = ${accountId} AND id > ${afterId}
        ${search === '' ? sql`` : sql`AND strpos(lower(name), lower(${search})) > 0`}
      ORDER BY id LIMIT ${limit}`;
    return [...lists];
  }

  /** Yields every list of the account, in pages. */
  async *all(accountId: number): AsyncGenerator<MailList[]> {
    for (let afterId = 0; ; ) {
      const lists = await this.list(accountId, afterId);
      if (lists.length > 0) yield lists;
      if (lists.length < LISTS_A_PAGE) return;
      afterId = lists.at(-1)!.id;
    }
  }

  /** Creates a list without users. Names need not be unique. */
  async create(
    accountId: number,
    list: Pick<MailListSettings, 'name'> & Partial<MailListSettings>,
  ): Promise<MailList> {
    const [id] = await this.#listNumbers.take(1);
    const [generation] = await this.#generationNumbers.take(1);
    const [made] = await this.#sql<MailList[]>`
      INSERT INTO mail_lists (account_id, id, name, description, confirm, track, filling_id, created_at)
      VALUES (${accountId}, ${id!}, ${list.name}, ${list.description ?? ''}, ${list.confirm ?? false},
        ${list.track ?? true}, ${generation!}, ${this.#clock.now()})
      RETURNING ${columns(this.#sql)}`;
    return made!;
  }

  /** Updates the given settings of a list. Throws Refusal `unknown-list`. */
  async change(accountId: number, id: number, settings: Partial<MailListSettings>): Promise<MailList> {
    const [changed] = await this.#sql<MailList[]>`
      UPDATE mail_lists SET name = coalesce(${settings.name ?? null}, name),
        description = coalesce(${settings.description ?? null}, description),
        confirm = coalesce(${settings.confirm ?? null}, confirm), track = coalesce(${settings.track ?? null}, track)
      WHERE account_id = ${accountId} AND id = ${id} RETURNING ${columns(this.#sql)}`;
    if (!changed) throw unknownList(id);
    return changed;
  }

  /**
   * Empties lists, all or none. They immediately have no users; a background task deletes users who are in no other
   * list. Throws Refusal `unknown-list` for a list that the account does not have.
   */
  async empty(accountId: number, ids: readonly number[]): Promise<void> {
    const wanted = [...new Set(ids)];
    const generations = await this.#generationNumbers.take(wanted.length);
    await this.#sql.begin(async (tx) => {
      await this.#discard(tx, accountId, wanted);
      await tx`
        UPDATE mail_lists l SET filling_id = u.filling_id, user_count = 0, active_count = 0, columns = '{}'
        FROM unnest(${numbers(wanted)}::bigint[], ${numbers(generations)}::bigint[]) AS u (id, filling_id)
        WHERE l.account_id = ${accountId} AND l.id = u.id`;
    });
  }

  /** Removes a list, with its users as in `empty`. Throws Refusal `unknown-list`. */
  async remove(accountId: number, id: number): Promise<void> {
    await this.#sql.begin(async (tx) => {
      await this.#discard(tx, accountId, [id]);
      await tx`DELETE FROM mail_lists WHERE account_id = ${accountId} AND id = ${id}`;
    });
  }

  async #discard(tx: TransactionSql, accountId: number, ids: readonly number[]): Promise<void> {
    const lists = await lockMailLists(tx, accountId, ids);
    const missing = ids.find((id) => !lists.has(id));
    if (missing !== undefined) throw unknownList(missing);
    for (const { generation } of lists.values()) {
      await tx`
        INSERT INTO mail_discarded (account_id, filling_id, at)
        VALUES (${accountId}, ${generation}, ${this.#clock.now()})`;
    }
  }
}
