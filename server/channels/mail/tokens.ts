import type { Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';
import type { AccountPasswords, AccountSignIn } from '../../modules/accounts/account-passwords.ts';
import type { Account } from '../../modules/accounts/accounts.ts';
import { type TokenGrant, Tokens, type TokensDeps } from '../../modules/accounts/tokens.ts';

/** Milliseconds that a token created with a password is valid (decisions, section 3). */
const SESSION_MS = 12 * 3_600_000;

/** Maximum number of such tokens of an account: programs create one at each start, and never revoke theirs. */
const MAX_SESSIONS = 100;

/** Milliseconds that an expired token is still distinguished from an unknown one. */
const KEEP_MS = 86_400_000;

/** Tokens of the mailing-list API: those created in the console, and those created with a password. */
export class MailTokens {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #sessions: Tokens;
  /** Tokens created in the console. */
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

  /** Returns the grant of a token, also of an expired one; null if it is unknown or revoked. */
  async find(token: string): Promise<TokenGrant | null> {
    return (await this.lasting.find(token)) ?? this.#sessions.find(token);
  }

  /**
   * Creates a token for 12 hours, for the account with this password. Throws Refusal `signed-out` for wrong
   * credentials, or an account without sign-in by password, and errors of AccountPasswords.signIn.
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

  /** Deletes tokens created with a password that expired a day ago. */
  async cleanUp(): Promise<void> {
    await this.#sql`
      DELETE FROM tokens WHERE kind = 'mail-session' AND expires_at < ${this.#clock.now() - KEEP_MS}`;
  }
}
