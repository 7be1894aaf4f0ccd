import type { Accounts } from '../../accounts/accounts.ts';
import { toNumeric } from '../../accounts/money.ts';
import type { Prices } from '../../accounts/prices.ts';
import { isOverdraft, moveWallet } from '../../accounts/wallets.ts';
import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { Refusal } from '../../errors.ts';
import type { IdSource } from '../../ids.ts';
import {
  CampaignControl,
  type CampaignControlParts,
  type CampaignState,
} from '../../messages/campaign-state.ts';
import { lanes } from '../../messages/lanes.ts';
import { type SendKey, storeSendKey } from '../../send-keys/send-keys.ts';
import { readMailAddress } from './addresses.ts';
import { insertLinks, MAIL_PRICES, type MailCampaignRow } from './campaign-rows.ts';
import { mailChannel } from './channel.ts';
import { compileContent, type GivenContent, type MailContent, readContent } from './content.ts';
import type { MailLists } from './lists.ts';
import type { MailOutbox } from './mail-outbox.ts';
import { fieldsFor, valueIn } from './mail-text.ts';
import { type Compiled, write } from './placeholders.ts';
import type { MailSenders } from './senders.ts';
import type { MailUser, MailUsers } from './users.ts';

const CAMPAIGNS_A_PAGE = 100;
/** Characters of a campaign's name (interface, "Limits"). */
export const CAMPAIGN_NAME_MOST = 50;
/** Lists of a campaign, and addresses of a test, at most. */
export const LISTS_MOST = 100;
export const TESTS_MOST = 20;

export interface MailCampaignsParts extends CampaignControlParts {
  readonly ids: IdSource;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly prices: Prices;
  readonly lists: MailLists;
  readonly users: Pick<MailUsers, 'page'>;
  readonly senders: MailSenders;
  readonly outbox: MailOutbox;
  /** Whether there is a relay. */
  readonly isSetUp: boolean;
  /** The relay's, `mail/<name>`. */
  readonly route: string;
}

/** A mail campaign as an account asks for it. */
export interface MailCampaignRequest {
  readonly accountId: number;
  readonly name: string | null;
  readonly content: GivenContent;
  readonly listIds: readonly number[];
  /** Milliseconds since the epoch; null: at once. One that is over is now. */
  readonly dueAt: number | null;
}

/** A campaign of mails. Its id is that of its shipment. */
export interface MailCampaign {
  readonly id: number;
  readonly name: string | null;
  readonly content: MailContent;
  readonly listIds: readonly number[];
  readonly state: CampaignState;
  /** Different active users that the lists had. */
  readonly total: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** What a campaign would come to. */
export interface MailEstimate {
  readonly recipients: number;
  /** Ten-thousandths of a credit: of one mail, of all, and what the account has. */
  readonly price: number;
  readonly cost: number;
  readonly balance: number;
}

/** What one recipient would get. */
export interface MailPreview {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  /** Names of the fields that stand in it, in lower case. */
  readonly fields: readonly string[];
}

/** Sends to mailing lists: taken at once, their mails are made by the expander. */
export class MailCampaigns {
  readonly #parts: MailCampaignsParts;
  readonly #control: CampaignControl;

  constructor(parts: MailCampaignsParts) {
    this.#parts = parts;
    this.#control = new CampaignControl(parts, 'mail_campaigns');
  }

  /**
   * Accepts a campaign durably, before anyone of its lists is read. The price of a mail to everyone is held until it is
   * through. Throws Refusal `bad-field`, `unknown-list`, `not-verified` for a sender that is not the account's,
   * `no-credit`, `not-allowed` for a suspended account, and `try-again`; then nothing is stored and nothing charged.
   * `sendKey` is stored in its transaction.
   */
  async create(request: MailCampaignRequest, sendKey?: SendKey<MailCampaign>): Promise<MailCampaign> {
    const { sql, ids, clock, wake } = this.#parts;
    const { accountId, listIds } = request;
    const { content, recipients, price } = await this.#check(request);
    if (recipients === 0) throw new Refusal('bad-field', 'nobody in them gets mails', 'lists');
    const now = clock.now();
    const id = ids.next();
    const held = recipients * price;
    const dueAt = Math.max(now, request.dueAt ?? now);
    const isScheduled = dueAt > now;
    const campaign: MailCampaign = {
      id,
      name: request.name,
      content,
      listIds,
      state: isScheduled ? 'scheduled' : 'running',
      total: recipients,
      dueAt,
      createdAt: now,
      finishedAt: null,
    };
    try {
      await sql.begin(async (tx) => {
        await storeSendKey(tx, accountId, sendKey, campaign);
        await this.#store(tx, accountId, campaign, held);
        if (held > 0)
          await moveWallet(tx, ids, now, accountId, [{ kind: 'hold', amount: -held, shipmentId: id }]);
      });
    } catch (error) {
      if (isOverdraft(error)) throw new Refusal('no-credit', 'not enough credit');
      if (!isDatabaseTrouble(error)) throw error;
      throw new Refusal('try-again', 'the service cannot store the request now, try again');
    }
    wake(accountId, lanes.bulk);
    return campaign;
  }

  /** What a campaign would come to, by the same checks. Throws as `create` does. Stores nothing. */
  async estimate(request: MailCampaignRequest): Promise<MailEstimate> {
    const { sql } = this.#parts;
    const [{ recipients, price }, [wallet]] = await Promise.all([
      this.#check(request),
      sql<{ balance: string }[]>`SELECT balance FROM wallets WHERE account_id = ${request.accountId}`,
    ]);
    return {
      recipients,
      price,
      cost: recipients * price,
      balance: Math.round(Number(wallet!.balance) * 10_000),
    };
  }

  /**
   * Sends the mails of a campaign to addresses, with the fields of the first user of its first list. They have no link of
   * removal, and nothing of them is counted. `sendKey` is stored with them. Throws as `create` does.
   */
  async test(
    request: MailCampaignRequest,
    to: readonly string[],
    sendKey?: SendKey<undefined>,
  ): Promise<void> {
    const { sql, outbox } = this.#parts;
    const { accountId, listIds } = request;
    const { content } = await this.#check(request);
    const addresses = to.map((address) => {
      const read = readMailAddress(address);
      if (!read) throw new Refusal('bad-field', 'is not an e-mail address', 'to');
      return read.address;
    });
    const sample = await this.#sample(accountId, listIds);
    await sql.begin(async (tx) => {
      await storeSendKey(tx, accountId, sendKey, undefined);
      await outbox.store(
        tx,
        accountId,
        { ...content, removable: false, links: [] },
        addresses.map((address) => ({
          to: address,
          userId: null,
          fields: (names) => (sample ? fieldsFor(sample, names) : {}),
        })),
      );
    });
    outbox.wake(accountId);
  }

  /** The content as the first user of the first list would get it. Throws Refusal as `create` does. Stores nothing. */
  async preview({ accountId, content: given, listIds }: MailCampaignRequest): Promise<MailPreview> {
    const compiled = compileContent(readContent(given, true));
    const sample = await this.#sample(accountId, listIds);
    const fields = sample ? fieldsFor(sample, compiled.fields) : {};
    const values = (name: string) => valueIn(fields, name);
    const written = (text: Compiled | null) => text && write(text, values);
    return {
      subject: write(compiled.subject, values),
      html: written(compiled.html),
      text: written(compiled.text),
      fields: [...compiled.fields].sort(),
    };
  }

  /** One campaign of the account. */
  async find(accountId: number, id: number): Promise<MailCampaign | undefined> {
    const [row] = await this.#parts.sql<MailCampaignRow[]>`
      SELECT * FROM mail_campaigns WHERE account_id = ${accountId} AND id = ${id} AND kind = 'campaign'`;
    return row && toCampaign(row);
  }

  /** Campaigns of the account, the newest first: those older than `beforeId`, at most `limit`. */
  async list(
    accountId: number,
    beforeId = Number.MAX_SAFE_INTEGER,
    limit = CAMPAIGNS_A_PAGE,
  ): Promise<MailCampaign[]> {
    const rows = await this.#parts.sql<MailCampaignRow[]>`
      SELECT * FROM mail_campaigns WHERE account_id = ${accountId} AND id < ${beforeId} AND kind = 'campaign'
      ORDER BY id DESC LIMIT ${limit}`;
    return rows.map(toCampaign);
  }

  /** As `CampaignControl.pause`; the campaign as it is then. */
  async pause(accountId: number, id: number): Promise<MailCampaign> {
    await this.#control.pause(accountId, id);
    return (await this.find(accountId, id))!;
  }

  /** As `CampaignControl.resume`; the campaign as it is then. */
  async resume(accountId: number, id: number): Promise<MailCampaign> {
    await this.#control.resume(accountId, id);
    return (await this.find(accountId, id))!;
  }

  /** The first user of the first list. */
  async #sample(accountId: number, [listId]: readonly number[]): Promise<MailUser | undefined> {
    const { sql, users } = this.#parts;
    return listId === undefined ? undefined : (await users.page(sql, accountId, listId, 0, 1))[0];
  }

  async #check(
    request: MailCampaignRequest,
  ): Promise<{ content: MailContent; recipients: number; price: number }> {
    const { accounts, prices, senders, isSetUp } = this.#parts;
    const { accountId, name, listIds } = request;
    if (!isSetUp) throw new Refusal('not-allowed', 'no mail is sent here: there is no MAIL_RELAY_URL');
    const account = await accounts.byId(accountId);
    if (!account || account.suspended) throw new Refusal('not-allowed', 'the account is suspended');
    if (name !== null && name.length > CAMPAIGN_NAME_MOST) {
      throw new Refusal('bad-field', `is over ${CAMPAIGN_NAME_MOST} characters`, 'name');
    }
    const content = readContent(request.content, true);
    await senders.check(accountId, content.from.address);
    const [recipients, priceOf] = await Promise.all([
      this.#count(accountId, listIds),
      prices.of(accountId, MAIL_PRICES),
    ]);
    return { content, recipients, price: priceOf('') };
  }

  /** How many different active users are in the lists. Throws Refusal `unknown-list`. */
  async #count(accountId: number, listIds: readonly number[]): Promise<number> {
    const { sql, lists } = this.#parts;
    const found = await lists.find(accountId, listIds);
    const missing = listIds.find((id) => !found.has(id));
    if (missing !== undefined) throw new Refusal('unknown-list', `there is no mailing list ${missing}`);
    // Nobody is in a list twice.
    if (listIds.length <= 1) return [...found.values()][0]?.activeCount ?? 0;
    const [row] = await sql<{ count: number }[]>`
      SELECT count(DISTINCT m.user_id)::int AS count
      FROM mail_members m JOIN mail_users u ON u.account_id = m.account_id AND u.id = m.user_id
      WHERE m.account_id = ${accountId} AND u.account_id = ${accountId} AND u.status = 'active' AND NOT m.pending
        AND m.filling_id IN (
          SELECT filling_id FROM mail_lists
          WHERE account_id = ${accountId} AND id = ANY(${numbers(listIds)}::bigint[]))`;
    return row!.count;
  }

  async #store(tx: TransactionSql, accountId: number, campaign: MailCampaign, held: number): Promise<void> {
    const { ids, validityMs, route } = this.#parts;
    const { id, name, content, listIds, state, total, dueAt, createdAt } = campaign;
    await Promise.all([
      tx`
        INSERT INTO shipments (account_id, id, lane, state, campaign_name, payload, message_count, cost, first_id,
          last_id, due_at, valid_until, channel)
        VALUES (${accountId}, ${id}, ${lanes.bulk}, ${state === 'scheduled' ? 0 : 1}, ${name}, NULL, 0, 0, ${id}, ${id},
          ${dueAt}, ${dueAt + validityMs}, ${mailChannel.id})`,
      tx`
        INSERT INTO mail_campaigns (account_id, id, kind, name, state, route, from_address, content, list_ids, total,
          held, due_at, created_at)
        VALUES (${accountId}, ${id}, 'campaign', ${name}, ${state}, ${route},
          ${content.from.address}, ${tx.json(content as never)}, ${numbers(listIds)}::bigint[], ${total},
          ${toNumeric(held)}, ${dueAt}, ${createdAt})`,
      insertLinks(tx, ids, accountId, id, content.links),
    ]);
  }
}

function toCampaign(row: MailCampaignRow): MailCampaign {
  return {
    id: row.id,
    name: row.name,
    content: row.content,
    listIds: row.list_ids,
    state: row.state,
    total: row.total,
    dueAt: row.due_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}
