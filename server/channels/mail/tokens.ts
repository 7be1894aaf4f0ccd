import type { AccountPasswords, AccountSignIn } from '../../accounts/account-passwords.ts';
import type { Account } from '../../accounts/accounts.ts';
import { type TokenGrant, Tokens, type TokensDeps } from '../../accounts/tokens.ts';
import type { Clock } from '../../clock.ts';
import type { Sql } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';

/** How long a token is good that was made with a password (decisions, section 3). */
const SESSION_MS = 12 * 3_600_000;

/** So many of an account at once: programs make one at each start, and none ends theirs. */
const MAX_SESSIONS = 100;

/** How long one that has expired is still told from one that never was. */
const KEEP_MS = 86_400_000;

/** Tokens of the mailing-list API: those that are made in the console, and those that are made with a password. */
export class MailTokens {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #sessions: Tokens;
  /** Those that are made in the console. */
  readonly lasting: Tokens;

  constructor(deps: TokensDeps) {
    this.#sql = deps.sql;
    this.#clock = deps.clock;
    this.lasting = new Tokens(deps, { kind: 'mail' });
    this.#sessions = new Tokens(deps, {
      kind: 'mail-session',
      most: MAX_SESSIONS,
      replaces: true,
    });
  }

  /** What a token stands for, whether expired or not; null when it is unknown or revoked. */
  async find(token: string): Promise<TokenGrant | null> {
    return (await this.lasting.find(token)) ?? this.#sessions.find(token);
  }

  /**
   * Makes a token that is good for 12 hours, for the account whose password was given. Throws Refusal `signed-out` when it
   * is not, or the account does not sign in by password, and what AccountPasswords.signIn throws.
   */
  async signIn(
    passwords: Pick<AccountPasswords, 'signIn'>,
    given: AccountSignIn,
    allows: (account: Account) => boolean,
  ): Promise<{ readonly account: Account; readonly token: string }> {
    const account = await passwords.signIn(given, allows).catch((error: unknown) => {
      const isWrong = error instanceof Refusal && error.code === 'signed-out';
      throw isWrong ? new Refusal('signed-out', 'siteID or password is wrong') : error;
    });
    const expiresAt = this.#clock.now() + SESSION_MS;
    const { token } = await this.#sessions.mint(account.id, { label: 'password', expiresAt });
    return { account, token };
  }

  /** Forgets those made with a password that expired a day ago. */
  async cleanUp(): Promise<void> {
    await this.#sql`
      DELETE FROM tokens WHERE kind = 'mail-session' AND expires_at < ${this.#clock.now() - KEEP_MS}`;
  }
}
