import type { Queryable } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { networkOf } from '../../kit/http/addresses.ts';
import type { Subject } from '../login-throttle/attempt.ts';
import type { LoginThrottle } from '../login-throttle/login-throttle.ts';
import { hashPassword, RememberedPasswords, verifyPasswordOf } from '../passwords/hashes.ts';
import {
  checkAccountPassword,
  PASSWORD_LENGTH,
  passwordProblem,
  SUBSCRIBER_PASSWORD_LENGTH,
} from '../passwords/rules.ts';
import { type Account, type Accounts, endPasswordTokens } from './accounts.ts';

interface AccountPasswordsDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly accounts: Accounts;
  readonly throttle: LoginThrottle;
}

/** A sign-in with the password of an account. */
export interface AccountSignIn {
  readonly username: string;
  /** Whether the user name may be the account's id instead. */
  readonly orId?: boolean;
  readonly password: string;
  /** The client's address. */
  readonly address: string;
  /** `POST /api` or the like, for the logs. */
  readonly endpoint: string;
}

/** State of an account's password, as the account sees it. */
interface AccountPasswordState {
  readonly hasPassword: boolean;
  /** Whether the account can sign in with the password in place of a token. */
  readonly passwordSignIn: boolean;
  /** The password breaks the current rules for new ones. Known only after a sign-in with it. */
  readonly passwordWeak: boolean;
}

/** Changes to the password of an account; undefined keeps the value. */
interface AccountPasswordChange {
  /** null: removes the password. */
  readonly password?: string | null | undefined;
  readonly passwordSignIn?: boolean | undefined;
}

/** Writes a change to the audit log, in its transaction. */
type Note = (
  tx: Queryable,
  details: { kind: string; id: number; after: Readonly<Record<string, unknown>> },
) => Promise<void>;

interface Row {
  readonly id: number;
  readonly username: string;
  readonly password_hash: string | null;
  readonly password_sign_in: boolean;
  readonly password_weak: boolean;
}

/** Passwords of accounts, for programs: `user.password` of `POST /api` and the tokens of the mailing-list API. */
export class AccountPasswords {
  readonly #deps: AccountPasswordsDeps;
  readonly #remembered = new RememberedPasswords();

  constructor(deps: AccountPasswordsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the account with this user name and password. `allows` says whether the account may sign in from the
   * client's address. An unknown name, an account without a password, one with `password_sign_in` off, and a forbidden
   * address cost the same work as a wrong password and get the same response. Throws Refusal `signed-out`, `try-again`,
   * LoginThrottled.
   */
  async signIn(given: AccountSignIn, allows: (account: Account) => boolean): Promise<Account> {
    const { accounts, throttle } = this.#deps;
    const { username, password, endpoint } = given;
    const place = { address: networkOf(given.address) };
    const known = await accounts.remembered(username);
    if (known?.passwordSignIn && known.passwordHash !== null && allows(known)) {
      if (this.#remembered.has(password, known.passwordHash, place.address)) return known;
      this.#remembered.forget(known.passwordHash, place.address);
    }
    const row = await this.#find(given);
    const who: Subject | undefined = row && {
      accountId: row.id,
      personId: undefined,
      username: row.username,
    };
    const attempt = { endpoint, among: 'accounts', typed: username, who, place } as const;
    const { value: account } = await throttle.run(attempt, async (priority) => {
      const hash = row?.password_sign_in ? row.password_hash : null;
      const right = await verifyPasswordOf(hash, password, priority);
      const found = right && row ? await accounts.byId(row.id) : undefined;
      if (!found || !allows(found)) throw wrong();
      return { value: found, proven: true };
    });
    await throttle.remember(who!, place, false);
    this.#remembered.add(password, row!.password_hash!, place.address);
    await this.#noteWeak(row!, password);
    return account;
  }

  /** Returns the state of the password of an existing account. */
  async find(accountId: number): Promise<AccountPasswordState> {
    const [row] = await this.#deps.sql<AccountPasswordState[]>`
      SELECT password_hash IS NOT NULL AS "hasPassword", password_sign_in AS "passwordSignIn",
        password_weak AS "passwordWeak"
      FROM accounts WHERE id = ${accountId}`;
    return row!;
  }

  /**
   * Changes the password of an account, or whether the account can sign in with it; undefined keeps the value. Revokes
   * the tokens that the old password created: of the mailing-list API, and by `getApiToken`. Other processes accept the
   * old password for up to two seconds. Throws Refusal `bad-password`.
   */
  async change(
    account: Pick<Account, 'id' | 'username'>,
    { password, passwordSignIn }: AccountPasswordChange,
    note: Note,
  ): Promise<void> {
    const { sql, clock, accounts } = this.#deps;
    if (password != null) checkAccountPassword(password, account.username);
    const hash = password == null ? null : await hashPassword(password);
    const columns = {
      ...(password !== undefined && { password_hash: hash, password_weak: false }),
      ...(passwordSignIn !== undefined && { password_sign_in: passwordSignIn }),
    };
    if (Object.keys(columns).length === 0) return;
    const after = {
      ...(password !== undefined && { password_changed: true, password_removed: password === null }),
      ...(passwordSignIn !== undefined && { password_sign_in: passwordSignIn }),
    };
    await sql.begin(async (tx) => {
      await tx`UPDATE accounts SET ${tx(columns)} WHERE id = ${account.id}`;
      if (password !== undefined || passwordSignIn === false) {
        await endPasswordTokens(tx, account.id, clock.now());
      }
      await note(tx, { kind: 'accounts', id: account.id, after });
    });
    await accounts.reload();
  }

  async #find({ username, orId }: AccountSignIn): Promise<Row | undefined> {
    const { sql } = this.#deps;
    // No user name contains NUL, and PostgreSQL rejects NUL in text.
    const name = username.includes('\0') ? '' : username;
    const id = orId && /^\d{1,15}$/.test(name) ? Number(name) : null;
    const rows = await sql<Row[]>`
      SELECT id, username, password_hash, password_sign_in, password_weak FROM accounts
      WHERE lower(username) = lower(${name}) OR id = ${id} ORDER BY id = ${id} LIMIT 1`;
    return rows[0];
  }

  async #noteWeak(row: Row, password: string): Promise<void> {
    if (row.password_weak) return;
    const problem = passwordProblem(password, row.username, {
      ...PASSWORD_LENGTH,
      least: SUBSCRIBER_PASSWORD_LENGTH.least,
    });
    if (problem === undefined) return;
    const { sql, log } = this.#deps;
    await sql`UPDATE accounts SET password_weak = true WHERE id = ${row.id} AND password_hash = ${row.password_hash}`;
    log.warn({ accountId: row.id, problem }, 'an account signs in with a weak password');
  }
}

const wrong = () => new Refusal('signed-out', 'user name, password or token is wrong');
