import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { accountSuspended, Refusal } from '../../kit/errors.ts';
import { hashPassword } from '../passwords/hashes.ts';
import type { Account, Accounts } from './accounts.ts';
import { parseAmount } from './money.ts';
import { isOverdraft, NotEnoughCredit, transfer, type Wallets } from './wallets.ts';

/** Input of a new subscriber, as checked by its API. */
interface NewSubscriber {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  /** Its default sender. */
  readonly source: string;
  /** Ten-thousandths of a credit, from the parent's wallet; not negative. */
  readonly amount: number;
  /** Phone for one-time codes, E.164 digits. */
  readonly otpPhone: string | undefined;
}

/*
 * Limits of lengths (interface, B7), in UTF-16 units. The interface has statuses for texts that are too short or too
 * long but no numbers; docs/subscribers.md has them.
 */
export const subscriberName = { least: 2, most: 50 };
export const subscriberUsername = { least: 3, most: 50 };

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Whether the length of a text is within the limits. */
export const isWithin = ({ length }: string, { least, most }: Bounds): boolean =>
  length >= least && length <= most;

/** Whether a text has only characters that are permitted in user names. */
export const isUsername = (text: string): boolean => /^[\w.@-]+$/.test(text);

/** Subscribers cannot have subscribers (decisions). Throws Refusal `not-allowed` for a subscriber. */
export function checkMayHaveSubscribers(account: Account): void {
  if (account.parentId !== null) throw new Refusal('not-allowed', 'a subscriber has no subscribers');
}

/** As `checkMayHaveSubscribers`, for operations that move credit. Also throws `not-now` for a suspended account. */
export function checkMayMoveCredit(account: Account): void {
  checkMayHaveSubscribers(account);
  if (account.suspended) throw accountSuspended();
}

/** Balance of a subscriber. */
interface SubscriberBalance {
  readonly id: number;
  readonly name: string;
  /** Ten-thousandths of a credit. */
  readonly amount: number;
}

interface SubscribersDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly accounts: Accounts;
  readonly wallets: Wallets;
}

/**
 * Subscribers of an account (interface, B7): one level of accounts, and the credit that the parent moves to them from
 * its own wallet.
 */
export class Subscribers {
  readonly #deps: SubscribersDeps;

  constructor(deps: SubscribersDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a subscriber with its wallet and credit, all or nothing. Runs `also` in the same transaction before the
   * credit moves, `after` once it has moved. Throws Refusal `username-taken` or `over-credit`.
   */
  async add(
    parent: Account,
    wanted: NewSubscriber,
    also: (tx: TransactionSql, id: number) => Promise<void>,
    after?: (tx: TransactionSql, id: number) => Promise<void>,
  ): Promise<Account> {
    const { ids, clock, accounts } = this.#deps;
    // Fails early: hashing the password costs 25 ms of a processor. The database checks again.
    await this.checkAdd(parent, wanted);
    const passwordHash = await hashPassword(wanted.password);
    const { name, username, source, amount, otpPhone } = wanted;
    try {
      return await accounts.create(
        {
          username,
          name,
          passwordHash,
          parentId: parent.id,
          defaultSource: source,
          ...(otpPhone !== undefined && { otpPhone }),
        },
        async (tx, id) => {
          await also(tx, id);
          if (amount > 0) await transfer(tx, ids, clock.now(), parent.id, id, amount, 'addSub');
          await after?.(tx, id);
        },
      );
    } catch (error) {
      if (isOverdraft(error)) throw overCredit();
      throw error;
    }
  }

  /** Runs only the checks of `add`. Throws the same Refusals. */
  async checkAdd(parent: Account, { username, amount }: NewSubscriber): Promise<void> {
    const { sql, wallets } = this.#deps;
    const known = await sql`SELECT 1 FROM accounts WHERE lower(username) = lower(${username})`;
    if (known.length > 0) throw taken();
    if ((await wallets.balance(parent.id)) < amount) throw overCredit();
  }

  /**
   * Returns the subscriber of an account with this user name. Throws Refusal `unknown-user` also for a subscriber of
   * another account.
   */
  async find(parent: Account, username: string): Promise<{ id: number }> {
    const [row] = await this.#deps.sql<{ id: number }[]>`
      SELECT id FROM accounts WHERE parent_id = ${parent.id} AND lower(username) = lower(${username})`;
    if (!row) throw new Refusal('unknown-user', 'does not exist or is not under this account', 'username');
    return row;
  }

  /**
   * Moves credit from the parent to a subscriber, or back if the amount is negative; ten-thousandths of a credit.
   * Writes two ledger rows in one transaction, which also runs `also`; does nothing for an amount of 0. Throws Refusal
   * `over-credit` if the paying wallet has too little.
   */
  async give(
    parent: Account,
    subscriberId: number,
    amount: number,
    note: string,
    also?: (tx: Queryable) => Promise<void>,
  ): Promise<void> {
    if (amount === 0) return;
    try {
      await this.#deps.wallets.transfer(parent.id, subscriberId, amount, note, also);
    } catch (error) {
      if (error instanceof NotEnoughCredit) throw amount > 0 ? overCredit() : overSubscriberCredit();
      throw error;
    }
  }

  /** Runs only the checks of `give`. Throws the same Refusals. */
  async checkGive(parent: Account, subscriberId: number, amount: number): Promise<void> {
    const giving = amount > 0 ? parent.id : subscriberId;
    if ((await this.#deps.wallets.balance(giving)) < Math.abs(amount)) {
      throw amount > 0 ? overCredit() : overSubscriberCredit();
    }
  }

  /** The subscribers of an account, the oldest first. */
  async balances(parentId: number): Promise<SubscriberBalance[]> {
    const rows = await this.#deps.sql<{ id: number; name: string; balance: string }[]>`
      SELECT a.id, a.name, w.balance FROM accounts a JOIN wallets w ON w.account_id = a.id
      WHERE a.parent_id = ${parentId} ORDER BY a.id`;
    return rows.map(({ id, name, balance }) => ({ id, name, amount: parseAmount(balance) }));
  }
}

const taken = () => new Refusal('username-taken', 'taken', 'username');
const overCredit = () => new Refusal('over-credit', "more than the account's credit", 'amount');
const overSubscriberCredit = () =>
  new Refusal('over-credit', "takes back more than the subscriber's credit", 'amount');
