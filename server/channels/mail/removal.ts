import type { Context } from '../../context.ts';
import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { readMailAddress } from './addresses.ts';
import type { MailCodes } from './codes.ts';
import { mailRemovals } from './metrics.ts';
import { MailNumbers } from './numbers.ts';
import { isRemoved } from './statuses.ts';
import type { MailUsers } from './users.ts';

/** Where the page of removal is, below the address of the service. */
export const MAIL_REMOVAL_PATH = '/mail/remove/';

/** Who can be removed by the link in a mail, and from whose mails. */
interface MailRemoval {
  readonly accountId: number;
  readonly userId: number;
  /** They are removed also when they are in no list any more: lists are filled again from elsewhere. */
  readonly address: string;
  /** The mail that the link came with; null: none of a campaign. */
  readonly campaignId: number | null;
}

/**
 * Fields of a mail's header that let a mail program remove the recipient (RFC 2369; RFC 8058: by one POST, without a
 * page), each with what it says for the link of the mail. A DKIM signature has to cover both (RFC 8058, 4).
 */
export const removalFields = {
  'List-Unsubscribe': (link: string) => `<${link}>`,
  'List-Unsubscribe-Post': () => 'List-Unsubscribe=One-Click',
} as const;

interface MailRemovalsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly users: MailUsers;
  readonly codes: MailCodes;
  /** What links begin with, without a slash at the end. */
  readonly base: () => string;
}

/** Removal by those who get mails. */
export class MailRemovals {
  readonly #deps: MailRemovalsDeps;
  readonly #numbers: MailNumbers;

  constructor(deps: MailRemovalsDeps) {
    this.#deps = deps;
    this.#numbers = new MailNumbers(deps.sql, 'user');
  }

  /** The link of a mail to its page of removal. Nothing is stored; some microseconds. */
  linkFor({ accountId, userId, address, campaignId }: MailRemoval): string {
    const code = this.#deps.codes.encode('remove', [accountId, userId, campaignId ?? 0, address]);
    return this.#deps.base() + MAIL_REMOVAL_PATH + code;
  }

  /** What a code is for; undefined for one that is not ours. Asks nobody. */
  read(code: string): MailRemoval | undefined {
    const fields = this.#deps.codes.decode('remove', code);
    if (!fields) return undefined;
    const [accountId, userId, campaignId, address] = fields;
    return {
      accountId: Number(accountId),
      userId: Number(userId),
      campaignId: Number(campaignId) || null,
      address: address!,
    };
  }

  /** Whether they are removed already. One indexed look-up. */
  async isRemoved({ accountId, userId }: MailRemoval): Promise<boolean> {
    const user = await this.#deps.users.find(accountId, userId);
    return user !== undefined && isRemoved(user.status);
  }

  /**
   * Removes the user from all mails of the account, with the event `mail.unsubscribed`; once, however often it is
   * asked. Who is in no list any more is remembered as removed.
   */
  async remove(removal: MailRemoval, cause: 'page' | 'one-click'): Promise<void> {
    const { accountId, userId, campaignId } = removal;
    const [spare] = (await this.#deps.users.find(accountId, userId)) ? [] : await this.#numbers.take(1);
    const removed = await this.#deps.sql.begin(async (tx) => {
      const ids = spare === undefined ? [userId] : await this.#remember(tx, removal, spare);
      const changed = await this.#deps.users.changeStatus(tx, accountId, ids, 'removed', {
        cause,
        campaignId,
      });
      return changed.length > 0;
    });
    if (removed) mailRemovals.inc({ by: cause });
  }

  /** The user with the address, who is made when there is none. */
  async #remember(tx: TransactionSql, { accountId, address }: MailRemoval, spare: number): Promise<number[]> {
    const read = readMailAddress(address);
    if (!read) return [];
    await tx`
      INSERT INTO mail_users (account_id, id, address, address_key, created_at)
      SELECT w.account_id, u.id, ${read.address}, ${read.key}, ${this.#deps.clock.now()}
      FROM wallets w, unnest(${numbers([spare])}::bigint[]) AS u (id) WHERE w.account_id = ${accountId}
      ON CONFLICT ON CONSTRAINT mail_users_address_key DO NOTHING`;
    const user = await this.#deps.users.byAddress(accountId, read.key, tx);
    return user ? [user.id] : [];
  }
}
