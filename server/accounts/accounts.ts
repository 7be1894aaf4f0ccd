import type { Clock } from '../clock.ts';
import { type Queryable, type Sql, type TransactionSql, violatedConstraint } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';

/** An account, or a subscriber of one (then it has a parent). */
export interface Account {
  readonly id: number;
  readonly parentId: number | null;
  readonly username: string;
  readonly name: string;
  /** The operator stopped it, or its parent. */
  readonly suspended: boolean;
  readonly passwordHash: string | null;
  readonly passwordSignIn: boolean;
  readonly timeZone: string | null;
  /** CIDR blocks that calls may come from; empty is anywhere. */
  readonly addresses: readonly string[];
}

export interface NewAccount {
  readonly username: string;
  readonly name: string;
  readonly parentId?: number;
  readonly passwordHash?: string;
  readonly passwordSignIn?: boolean;
  readonly timeZone?: string;
  readonly addresses?: readonly string[];
  /** The sender that it means when it does not say (interface, B7 `source`). */
  readonly defaultSource?: string;
  /** Where one-time codes of its own go, E.164 digits (interface, B7 `otpPhone`). */
  readonly otpPhone?: string;
}

/** The user name is taken (names are compared without case). */
export class UsernameTaken extends Error {}

/** How long a change by another process may stay unseen: suspension and revocation take effect within it. */
const CACHE_MS = 2_000;
const LOOK_AGAIN_MS = 100;

const columns = [
  'id',
  'parent_id',
  'username',
  'name',
  'suspended',
  'password_hash',
  'password_sign_in',
  'time_zone',
  'addresses',
] as const;

interface Row {
  id: number;
  parent_id: number | null;
  username: string;
  name: string;
  suspended: boolean;
  password_hash: string | null;
  password_sign_in: boolean;
  time_zone: string | null;
  addresses: string[];
}

const toAccount = (row: Row, stopped: ReadonlySet<number>): Account => ({
  id: row.id,
  parentId: row.parent_id,
  username: row.username,
  name: row.name,
  suspended: row.suspended || (row.parent_id !== null && stopped.has(row.parent_id)),
  passwordHash: row.password_hash,
  passwordSignIn: row.password_sign_in,
  timeZone: row.time_zone,
  addresses: row.addresses,
});

/** The accounts of this installation: a small table, kept in memory for two seconds. */
export class Accounts {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  #byId = new Map<number, Account>();
  #byName = new Map<string, Account>();
  #loadedAt = 0;
  #turn = 0;
  #shown = 0;
  #loading: Promise<void> | undefined;

  constructor(sql: Sql, ids: IdSource, clock: Clock) {
    this.#sql = sql;
    this.#ids = ids;
    this.#clock = clock;
  }

  /**
   * Creates an account with an empty wallet; `also` is done in the same transaction. Throws UsernameTaken, and what
   * `also` throws.
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
        throw new UsernameTaken(`the user name "${account.username}" is taken`);
      }
      throw error;
    }
    await this.reload();
    return this.#byId.get(id)!;
  }

  async byId(id: number): Promise<Account | undefined> {
    await this.#fresh();
    if (!this.#byId.has(id)) await this.#lookAgain();
    return this.#byId.get(id);
  }

  /** Finds by user name, without case. */
  async byUsername(username: string): Promise<Account | undefined> {
    await this.#fresh();
    if (!this.#byName.has(username.toLowerCase())) await this.#lookAgain();
    return this.#byName.get(username.toLowerCase());
  }

  async list(): Promise<Account[]> {
    await this.reload();
    return [...this.#byId.values()];
  }

  /** What is in memory about an account, for paths that cannot wait: its time zone, say. */
  cached(id: number): Account | undefined {
    return this.#byId.get(id);
  }

  /** Stops an account and its subscribers from sending, or lets it again. */
  async suspend(id: number, suspended: boolean): Promise<void> {
    await this.#sql`UPDATE accounts SET suspended = ${suspended} WHERE id = ${id}`;
    await this.reload();
  }

  /** Reads all accounts again. */
  async reload(): Promise<void> {
    const turn = ++this.#turn;
    const rows = await this.#sql<Row[]>`SELECT ${this.#sql(columns)} FROM accounts ORDER BY id`;
    // A later look may have come back first.
    if (turn < this.#shown) return;
    this.#shown = turn;
    const stopped = new Set(rows.filter((row) => row.suspended).map((row) => row.id));
    this.#byId = new Map(rows.map((row) => [row.id, toAccount(row, stopped)]));
    this.#byName = new Map(
      [...this.#byId.values()].map((account) => [account.username.toLowerCase(), account]),
    );
    this.#loadedAt = performance.now();
  }

  /** For an account that another process has just made; not more often than guessing would make expensive. */
  async #lookAgain(): Promise<void> {
    if (performance.now() - this.#loadedAt < LOOK_AGAIN_MS) return;
    this.#loading ??= this.reload().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  async #fresh(): Promise<void> {
    if (this.#loadedAt !== 0 && performance.now() - this.#loadedAt < CACHE_MS) return;
    this.#loading ??= this.reload().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }
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
