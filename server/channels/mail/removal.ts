import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { findCampaign } from '../../engine/campaigns/rows.ts';
import type { Context } from '../../kit/context.ts';
import { type Consents, undoneWithdrawal } from '../../modules/consents/consents.ts';
import { readMailAddress } from './addresses.ts';
import type { MailTarget } from './campaign-source.ts';
import { mailChannel } from './channel.ts';
import type { MailCodes } from './codes.ts';
import { mailRemovals } from './metrics.ts';
import { NumberSource } from './number-source.ts';
import { isRemoved } from './statuses.ts';
import type { MailUsers } from './users.ts';

/** Path of the unsubscribe page, below the address of the service. */
export const MAIL_REMOVAL_PATH = '/mail/remove/';

/** The user whom the link in an email unsubscribes, and the account. */
export interface MailRemoval {
  readonly accountId: number;
  readonly userId: number;
  /** Users can unsubscribe even if they are in no list: accounts fill lists again from elsewhere. */
  readonly address: string;
  /** The campaign of the email with the link; null: not from a campaign. */
  readonly campaignId: number | null;
}

/**
 * Header fields that let an email client unsubscribe the recipient (RFC 2369; RFC 8058: by one POST, without a page),
 * each with its value for the link of the email. A DKIM signature must cover both (RFC 8058, 4).
 */
export const removalFields = {
  'List-Unsubscribe': (link: string) => `<${link}>`,
  'List-Unsubscribe-Post': () => 'List-Unsubscribe=One-Click',
} as const;

interface MailRemovalsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly users: MailUsers;
  readonly codes: MailCodes;
  readonly consents: Pick<Consents, 'list' | 'record'>;
  /** Beginning of links, without a slash at the end. */
  readonly base: () => string;
}

/** Unsubscription by recipients of emails. */
export class MailRemovals {
  readonly #deps: MailRemovalsDeps;
  readonly #numbers: NumberSource;

  constructor(deps: MailRemovalsDeps) {
    this.#deps = deps;
    this.#numbers = new NumberSource(deps.sql, 'user');
  }

  /** Returns an email's link to its unsubscribe page. Stores nothing; takes some microseconds. */
  linkFor({ accountId, userId, address, campaignId }: MailRemoval): string {
    const code = this.#deps.codes.encode('remove', [accountId, userId, campaignId ?? 0, address]);
    return this.#deps.base() + MAIL_REMOVAL_PATH + code;
  }

  /** Returns the content of a code; undefined for an invalid one. Does not query the database. */
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

  /** Whether the user is unsubscribed already. One indexed look-up. */
  async isRemoved({ accountId, userId }: MailRemoval): Promise<boolean> {
    const user = await this.#deps.users.find(accountId, userId);
    return user !== undefined && isRemoved(user.status);
  }

  /**
   * Unsubscribes the user from all emails of the account and records the event `mail.unsubscribed`; repetitions have no
   * effect. A user who is in no list is stored as unsubscribed.
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

  /**
   * Undoes an unsubscription: the user gets emails again, and has the consent again that they had before. Complaints are not
   * undone. Returns whether the user is active.
   */
  async restore({ accountId, userId, campaignId }: MailRemoval): Promise<boolean> {
    const { users, consents } = this.#deps;
    const user = await users.find(accountId, userId);
    if (user?.status !== 'removed') return user?.status === 'active';
    const changed = await users.setStatus(accountId, [userId], 'active', { cause: 'page', campaignId });
    if (changed.length === 0) return false;
    const subject = readMailAddress(user.address)?.key ?? user.address;
    await consents.record(
      accountId,
      await undoneWithdrawal(consents, accountId, subject, 'unsubscribe-link'),
    );
    return true;
  }

  /** Returns the names of the lists of the campaign whose email had the link; none without a campaign. */
  async listsOf({ accountId, campaignId }: MailRemoval): Promise<readonly string[]> {
    if (campaignId === null) return [];
    const { sql } = this.#deps;
    const campaign = await findCampaign<MailTarget>(sql, accountId, mailChannel.id, campaignId);
    if (!campaign) return [];
    const lists = await sql<{ name: string }[]>`
      SELECT name FROM mail_lists
      WHERE account_id = ${accountId} AND id = ANY(${numbers(campaign.content.listIds)}::bigint[]) ORDER BY id`;
    return lists.map(({ name }) => name);
  }

  /** Returns the id of the user with the address, and creates the user if necessary. */
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
