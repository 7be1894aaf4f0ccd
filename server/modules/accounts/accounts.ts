import {
  type Queryable,
  type Sql,
  type TransactionSql,
  violatedConstraint,
} from '../../database/connection.ts';
import { TableCache } from '../../database/table-cache.ts';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';
import type { IdSource } from '../../kit/ids.ts';
import { parseAmount } from './money.ts';
import { revokeIssuedByPassword } from './tokens.ts';

/** An account, or a subscriber of one (then it has a parent). */
export interface Account {
  readonly id: number;
  readonly parentId: number | null;
  readonly username: string;
  readonly name: string;
  /** The operator suspended it or its parent account, or its parent account suspended it. */
  readonly suspended: boolean;
  /** For a subscriber: its parent account suspended it. */
  readonly suspendedByParent: boolean;
  readonly passwordHash: string | null;
  readonly passwordSignIn: boolean;
  readonly timeZone: string | null;
  /** CIDR blocks of permitted clients; empty permits any address. */
  readonly addresses: readonly string[];
  /** Code of the picture that public pages show with the name; null without one. */
  readonly logo: string | null;
}

export interface NewAccount {
  readonly username: string;
  readonly name: string;
  readonly parentId?: number;
  readonly passwordHash?: string;
  readonly passwordSignIn?: boolean;
  readonly timeZone?: string;
  readonly addresses?: readonly string[];
  /** Default sender, for requests without one (interface, B7 `source`). */
  readonly defaultSource?: string;
  /** Phone that receives the account's own one-time codes, E.164 digits (interface, B7 `otpPhone`). */
  readonly otpPhone?: string;
}

/** Fields of an account that can be changed; undefined keeps the value. */
interface AccountChanges {
  readonly name?: string | undefined;
  readonly timeZone?: string | null | undefined;
  readonly addresses?: readonly string[] | undefined;
  readonly passwordSignIn?: boolean | undefined;
  /** Code of a picture of the account. */
  readonly logo?: string | null | undefined;
}

interface AccountFilter {
  readonly search: string;
  readonly after: number;
  readonly limit: number;
  readonly parentId?: number | undefined;
}

/** An account as the operator or its parent account sees it. */
export interface AccountRow {
  readonly id: number;
  readonly parentId: number | null;
  readonly parentUsername: string | null;
  readonly username: string;
  readonly name: string;
  /** Suspended by the operator or by its parent account. */
  readonly suspended: boolean;
  readonly suspendedByParent: boolean;
  readonly timeZone: string | null;
  readonly addresses: readonly string[];
  readonly passwordSignIn: boolean;
  /** Its password breaks the current rules for new ones. Known only after a sign-in with it. */
  readonly passwordWeak: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Ten-thousandths of a credit. */
  readonly balance: number;
}

/** The user name exists already (names are compared without case). */
export class UsernameTaken extends Refusal {
  constructor(username: string) {
    super('username-taken', 'taken', 'username');
    // The command line shows the message alone, without the name of the field.
    this.message = `the user name "${username}" is taken`;
  }
}

/**
 * Milliseconds until a process sees a change by another one; suspension and revocation take effect within this time.
 */
const CACHE_MS = 2_000;

/** An account as stored. */
interface StoredAccount extends Account {
  /** The operator suspended this account itself, not its parent. */
  readonly isStopped: boolean;
}

interface Known {
  readonly byId: ReadonlyMap<number, Account>;
  readonly byName: ReadonlyMap<string, Account>;
}

/** The accounts of this installation: a small table, kept in memory for two seconds. */
export class Accounts {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  readonly #cache: TableCache<Known>;

  constructor(sql: Sql, ids: IdSource, clock: Clock) {
    this.#sql = sql;
    this.#ids = ids;
    this.#clock = clock;
    this.#cache = new TableCache({ owner: 'accounts', maxAgeMs: CACHE_MS, read: () => readAccounts(sql) });
  }

  /**
   * Creates an account with an empty wallet and runs `also` in the same transaction. Throws UsernameTaken, and errors
   * of `also`.
   */
  async create(
    account: NewAccount,
    also?: (tx: TransactionSql, id: number) => Promise<void>,
  ): Promise<Account> {
    const id = this.#ids.next();
    try {
      await this.#sql.begin(async (tx) => {
        await insertAccount(tx, id, account, this.#clock.now());
        await also?.(tx, id);
      });
    } catch (error) {
      if (violatedConstraint(error) === 'accounts_username_key') {
        throw new UsernameTaken(account.username);
      }
      throw error;
    }
    await this.reload();
    return this.cached(id)!;
  }

  byId(id: number): Promise<Account | undefined> {
    return this.#cache.find(({ byId }) => byId.get(id));
  }

  /** Finds by user name, without case. */
  byUsername(username: string): Promise<Account | undefined> {
    return this.#cache.find(({ byName }) => byName.get(username.toLowerCase()));
  }

  /** As `byUsername`, from memory only: an account created within the last two seconds may be missing. */
  async remembered(username: string): Promise<Account | undefined> {
    return (await this.#cache.fresh()).byName.get(username.toLowerCase());
  }

  async list(): Promise<Account[]> {
    await this.reload();
    return [...this.#cache.known!.byId.values()];
  }

  /** Reads the accounts again if the last read is older than two seconds. `cached` uses the result. */
  async refresh(): Promise<void> {
    await this.#cache.fresh();
  }

  /** Returns an account from memory, for callers that cannot wait; undefined if it is not in memory. */
  cached(id: number): Account | undefined {
    return this.#cache.known?.byId.get(id);
  }

  /** For the operator: suspends an account and its subscribers, or ends the suspension. */
  async suspend(id: number, suspended: boolean): Promise<void> {
    await this.#sql`UPDATE accounts SET suspended = ${suspended} WHERE id = ${id}`;
    await this.reload();
  }

  /** For a parent account: suspends a subscriber, or ends that suspension. The operator's own suspension stays. */
  async suspendSubscriber(id: number, suspended: boolean): Promise<void> {
    await this.#sql`
      UPDATE accounts SET suspended_by_parent = ${suspended} WHERE id = ${id} AND parent_id IS NOT NULL`;
    await this.reload();
  }

  /** Changes settings of an account; undefined keeps the value. */
  async change(id: number, changes: AccountChanges): Promise<void> {
    const { name, timeZone, addresses, passwordSignIn, logo } = changes;
    const columns = {
      ...(name !== undefined && { name }),
      ...(timeZone !== undefined && { time_zone: timeZone }),
      ...(addresses !== undefined && { addresses: [...addresses] }),
      ...(passwordSignIn !== undefined && { password_sign_in: passwordSignIn }),
      ...(logo !== undefined && { logo }),
    };
    if (Object.keys(columns).length === 0) return;
    await this.#sql.begin(async (tx) => {
      await tx`UPDATE accounts SET ${tx(columns)} WHERE id = ${id}`;
      // Tokens that the password created end with it.
      if (passwordSignIn === false) await endPasswordTokens(tx, id, this.#clock.now());
    });
    await this.reload();
  }

  /** Removes the logo of an account if it is the picture with this code. */
  async removeLogo(id: number, code: string): Promise<void> {
    const { count } = await this.#sql`UPDATE accounts SET logo = NULL WHERE id = ${id} AND logo = ${code}`;
    if (count > 0) await this.reload();
  }

  /**
   * Accounts whose user name or name contains `search` (without case; '' is all), those with an id after `after`, with
   * their balances, at most `limit`; with `parentId` only its subscribers.
   */
  async search(filter: AccountFilter, sql: Queryable = this.#sql): Promise<AccountRow[]> {
    const { search, after, limit, parentId } = filter;
    const rows = await sql<(Omit<AccountRow, 'balance'> & { balance: string })[]>`
      SELECT a.id, a.parent_id AS "parentId", p.username AS "parentUsername", a.username, a.name,
        a.suspended OR coalesce(p.suspended, false) AS suspended, a.suspended_by_parent AS "suspendedByParent",
        a.time_zone AS "timeZone", a.addresses, a.password_sign_in AS "passwordSignIn",
        a.password_weak AS "passwordWeak", a.created_at AS "createdAt",
        w.balance
      FROM accounts a JOIN wallets w ON w.account_id = a.id LEFT JOIN accounts p ON p.id = a.parent_id
      WHERE a.id > ${after}
        AND (strpos(lower(a.username), lower(${search})) > 0 OR strpos(lower(a.name), lower(${search})) > 0)
        AND a.parent_id IS NOT DISTINCT FROM coalesce(${parentId ?? null}::bigint, a.parent_id)
      ORDER BY a.id LIMIT ${limit}`;
    return rows.map((row) => ({ ...row, balance: parseAmount(row.balance) }));
  }

  /** As `search`, for the account with this id; undefined if no such account exists. */
  async row(id: number, sql?: Queryable): Promise<AccountRow | undefined> {
    const [row] = await this.search({ search: '', after: id - 1, limit: 1 }, sql);
    return row?.id === id ? row : undefined;
  }

  /** Reads all accounts again. */
  reload(): Promise<void> {
    return this.#cache.reload();
  }
}

async function readAccounts(sql: Queryable): Promise<Known> {
  const rows = await sql<StoredAccount[]>`
    SELECT id, parent_id AS "parentId", username, name, suspended AS "isStopped",
      suspended OR suspended_by_parent AS suspended, suspended_by_parent AS "suspendedByParent",
      password_hash AS "passwordHash", password_sign_in AS "passwordSignIn", time_zone AS "timeZone", addresses,
      logo
    FROM accounts ORDER BY id`;
  const stopped = new Set(rows.filter(({ isStopped }) => isStopped).map(({ id }) => id));
  const accounts = rows.map(({ isStopped, ...account }) => {
    const isParentStopped = account.parentId !== null && stopped.has(account.parentId);
    return { ...account, suspended: account.suspended || isParentStopped };
  });
  return {
    byId: new Map(accounts.map((account) => [account.id, account])),
    byName: new Map(accounts.map((account) => [account.username.toLowerCase(), account])),
  };
}

async function insertAccount(tx: Queryable, id: number, account: NewAccount, now: number): Promise<void> {
  await tx`
    INSERT INTO accounts (id, parent_id, username, name, password_hash, password_sign_in, time_zone, addresses,
      default_source, otp_phone, created_at)
    VALUES (${id}, ${account.parentId ?? null}, ${account.username}, ${account.name}, ${account.passwordHash ?? null},
      ${account.passwordSignIn ?? false}, ${account.timeZone ?? null}, ${[...(account.addresses ?? [])]},
      ${account.defaultSource ?? null}, ${account.otpPhone ?? null}, ${now})`;
  await tx`INSERT INTO wallets (account_id, balance) VALUES (${id}, 0)`;
}

/** Revokes the tokens created with the password of an account: of the mailing-list API, and by `getApiToken`. */
export async function endPasswordTokens(tx: Queryable, accountId: number, now: number): Promise<void> {
  await tx`
    UPDATE tokens SET revoked_at = ${now}
    WHERE account_id = ${accountId} AND kind = 'mail-session' AND revoked_at IS NULL`;
  await revokeIssuedByPassword(tx, accountId, now);
}
