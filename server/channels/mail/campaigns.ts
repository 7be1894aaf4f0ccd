import { type SendKey, storeSendKey } from '../../api/send-keys/send-keys.ts';
import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import {
  findCampaign,
  listCampaigns,
  type Campaign as StoredCampaign,
  storeCampaign,
} from '../../engine/campaigns/rows.ts';
import { type CampaignList, type RepeatedRequest, textRemoved } from '../../engine/campaigns/source.ts';
import type { Gate, Pass } from '../../engine/gate/gate.ts';
import { type Lane, lanes } from '../../engine/messages/lanes.ts';
import { MAX_CAMPAIGN_NAME } from '../../engine/messages/send-request.ts';
import { storeRequest } from '../../engine/messages/store-request.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import type { Prices } from '../../modules/accounts/prices.ts';
import type { BudgetBook } from '../../modules/budgets/budgets.ts';
import type { SendingGate } from '../../modules/sending-policy/gate.ts';
import type { OwnHours, Transactional } from '../../modules/sending-policy/policy.ts';
import { readMailAddress } from './addresses.ts';
import type { MailPlace, MailTarget } from './campaign-source.ts';
import { mailChannel } from './channel.ts';
import {
  type ContentInput,
  compileContent,
  type MailContent,
  readContent,
  removedContent,
} from './content.ts';
import type { Contents } from './contents.ts';
import type { MailLists } from './lists.ts';
import type { MailGate } from './mail-gate.ts';
import type { MailOutbox } from './mail-outbox.ts';
import { viewOfMail } from './mail-template.ts';
import { valueIn } from './mail-text.ts';
import { insertLinks, MAIL_PRICES } from './planned-mails.ts';
import type { MailSenders } from './senders.ts';
import { fieldsFor, type MailUser, type MailUsers } from './users.ts';

/** Maximum number of lists of a campaign, and of addresses of a test. */
export const MAX_LISTS = 100;
export const MAX_TESTS = 20;

export interface MailCampaignsDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly contents: Pick<Contents, 'store' | 'shownOf'>;
  /** Milliseconds for which delivery of an email is attempted. */
  readonly validityMs: number;
  /** Called after the commit for an account with new work. Only a hint: it may be lost. */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly prices: Prices;
  readonly budgets: Pick<BudgetBook, 'take'>;
  readonly lists: MailLists;
  readonly users: Pick<MailUsers, 'page'>;
  readonly senders: MailSenders;
  readonly sendingGate: Pick<SendingGate, 'countWithoutConsent'>;
  readonly gate: Pick<Gate, 'check'>;
  readonly mailGate: MailGate;
  readonly outbox: MailOutbox;
  /** Whether a relay is configured. */
  readonly isSetUp: boolean;
  /** The route of the relay, `mail/<name>`. */
  readonly route: string;
}

/** Input of an email campaign. */
export interface MailCampaignRequest {
  readonly accountId: number;
  readonly name: string | null;
  readonly content: ContentInput;
  readonly listIds: readonly number[];
  /** Milliseconds since the epoch; null: immediately. Past times mean immediately. */
  readonly dueAt: number | null;
  /** Rule of the campaign for the sending policy of the account, if any. */
  readonly rule?: OwnHours | Transactional | null;
}

/** An email campaign. Its id is that of its shipment. */
export interface MailCampaign extends Omit<StoredCampaign, 'sender' | 'content'> {
  readonly content: MailContent;
  readonly listIds: readonly number[];
}

/** Estimate of a campaign. */
export interface MailEstimate {
  readonly recipients: number;
  /** Recipients without consent to marketing emails, as far as known; null: no consent is needed. */
  readonly withoutConsent: number | null;
  /** Ten-thousandths of a credit: price of an email, total cost, and balance of the account. */
  readonly price: number;
  readonly cost: number;
  readonly balance: number;
}

/** Email as one recipient would get it. */
export interface MailPreview {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  /** Names of its fields, in lower case. */
  readonly fields: readonly string[];
  /** Address of the user; null without one. */
  readonly address: string | null;
  /** Id of the user if another one follows. */
  readonly next: number | null;
}

/** Sends to mailing lists. A campaign is accepted immediately, and the expander creates its emails later. */
export class MailCampaigns {
  readonly #deps: MailCampaignsDeps;

  constructor(deps: MailCampaignsDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a campaign durably, before its lists are read. The price of an email to every recipient is held until the
   * campaign ends. Throws Refusal `bad-field`, `unknown-list`, `not-verified` for a sender that is not the account's,
   * `no-credit`, `not-allowed` for a suspended account, `not-now` at an hour that is not permitted, and `try-again`;
   * then nothing is stored or charged. `sendKey` is stored in its transaction.
   */
  async create(request: MailCampaignRequest, sendKey?: SendKey<MailCampaign>): Promise<MailCampaign> {
    const { sql, ids, clock, mailGate, notifyDispatcher } = this.#deps;
    const { accountId, listIds } = request;
    const { content, recipients, price } = await this.#check(request);
    if (recipients === 0) throw badField('lists', 'these lists have no active users', 'nobody');
    const now = clock.now();
    const id = ids.next();
    const held = recipients * price;
    const dueAt = Math.max(now, request.dueAt ?? now);
    const { rule = null } = request;
    const pass = await mailGate.campaign(
      { accountId, rule, from: content.from.address },
      dueAt,
      'not-allowed',
    );
    const isScheduled = dueAt > now;
    const campaign: MailCampaign = {
      id,
      name: request.name,
      content,
      listIds,
      state: isScheduled ? 'scheduled' : 'running',
      total: recipients,
      dueAt,
      createdAt: timeOfId(id),
      finishedAt: null,
    };
    await storeRequest(sql, async (tx) => {
      await storeSendKey(tx, accountId, sendKey, campaign);
      await this.#store(tx, accountId, campaign, { held, pass });
    });
    notifyDispatcher(accountId, lanes.bulk);
    return campaign;
  }

  /** Estimates a campaign, with the same checks. Throws as `create` does. Stores nothing. */
  async estimate(request: MailCampaignRequest): Promise<MailEstimate> {
    const { sql } = this.#deps;
    const [{ recipients, price }, [wallet]] = await Promise.all([
      this.#check(request),
      sql<{ balance: string }[]>`SELECT balance FROM wallets WHERE account_id = ${request.accountId}`,
    ]);
    return {
      recipients,
      withoutConsent: await this.#countWithoutConsent(request, recipients),
      price,
      cost: recipients * price,
      balance: Math.round(Number(wallet!.balance) * 10_000),
    };
  }

  async #countWithoutConsent(
    { accountId, listIds, rule = null }: MailCampaignRequest,
    recipients: number,
  ): Promise<number | null> {
    const { sql, lists, users, sendingGate } = this.#deps;
    const found = await lists.find(accountId, listIds);
    const count = await sendingGate.countWithoutConsent(
      { accountId, isCampaign: true, rule },
      {
        recipients: [],
        lists: [...found.values()].map(({ id, activeCount }) => ({
          count: activeCount,
          first: async (limit) =>
            (await users.page(sql, accountId, id, 0, limit)).map(({ address }) => address),
        })),
        channelsOf: () => [mailChannel.id],
      },
    );
    // Users in several lists were counted several times.
    return count === null ? null : Math.min(count, recipients);
  }

  /**
   * Sends emails of a campaign to test addresses, with the fields of the first user of its first list. They have no
   * unsubscribe link, and their opens and clicks are not counted. `sendKey` is stored with them. Throws as `create`
   * does.
   */
  async test(
    request: MailCampaignRequest,
    to: readonly string[],
    sendKey?: SendKey<undefined>,
  ): Promise<void> {
    const { sql, outbox, mailGate } = this.#deps;
    const { accountId, listIds } = request;
    const { content } = await this.#check(request);
    const addresses = to.map((address) => {
      const read = readMailAddress(address);
      if (!read) throw badField('to', 'is not an e-mail address', 'not-an-address');
      return read.address;
    });
    const [sample] = await this.#sample(accountId, listIds);
    const pass = await mailGate.open(
      { accountId, rule: { claims: 'test' }, recipients: addresses, from: content.from.address },
      'not-allowed',
    );
    await sql.begin(async (tx) => {
      await storeSendKey(tx, accountId, sendKey, undefined);
      await this.#deps.budgets.take(tx, accountId, 'tests', { count: addresses.length });
      await outbox.store(
        tx,
        pass,
        { ...content, removable: false, links: [] },
        addresses.map((address) => ({
          to: address,
          userId: null,
          fields: (names) => (sample ? fieldsFor(sample, names) : {}),
        })),
      );
    });
    outbox.notifyDispatcher(accountId);
  }

  /**
   * Returns the content as a user of the first list would get it: the first one with an id after `after`. Throws Refusal as
   * `create` does. Stores nothing.
   */
  async preview(
    { accountId, content: input, listIds }: MailCampaignRequest,
    after = 0,
  ): Promise<MailPreview> {
    const compiled = compileContent(readContent(input, true));
    const [user, following] = await this.#sample(accountId, listIds, after, 2);
    const fields = user ? fieldsFor(user, compiled.fields) : {};
    const view = viewOfMail(compiled, true, (name) => valueIn(fields, name));
    return {
      ...view,
      fields: [...compiled.fields].sort(),
      address: user?.address ?? null,
      next: user && following ? user.id : null,
    };
  }

  /** Returns a campaign of the account. */
  async find(accountId: number, id: number): Promise<MailCampaign | undefined> {
    const found = await findCampaign<MailTarget>(this.#deps.sql, accountId, mailChannel.id, id);
    return found && (await this.#show(accountId, [found]))[0];
  }

  /** Returns up to `limit` campaigns of the account older than `beforeId`, newest first. */
  async list(accountId: number, beforeId?: number, limit?: number): Promise<MailCampaign[]> {
    const { sql } = this.#deps;
    return this.#show(
      accountId,
      await listCampaigns<MailTarget>(sql, accountId, mailChannel.id, beforeId, limit),
    );
  }

  /** Returns the request that would send a campaign again (`requestOf` of ChannelModule). */
  async requestOf(accountId: number, id: number): Promise<RepeatedRequest | undefined> {
    const found = await this.find(accountId, id);
    if (!found) return undefined;
    const { name, content, listIds } = found;
    if (content.isRemoved) throw textRemoved();
    const { from, replyTo, subject, html, text } = content;
    const body = { name, from: { ...from }, reply_to: replyTo, subject, html, text, lists: [...listIds] };
    return { path: '/v1/mail/campaigns', body };
  }

  /** Returns the mailing lists of a campaign (`listsOf` of ChannelModule). */
  async listsOf(accountId: number, id: number): Promise<readonly CampaignList[]> {
    const found = await this.find(accountId, id);
    return [...(await this.#deps.lists.find(accountId, found?.listIds ?? [])).values()];
  }

  /** Returns the first users of the first list with ids after `after`. */
  async #sample(
    accountId: number,
    [listId]: readonly number[],
    after = 0,
    limit = 1,
  ): Promise<readonly MailUser[]> {
    const { sql, users } = this.#deps;
    return listId === undefined ? [] : users.page(sql, accountId, listId, after, limit);
  }

  async #check(
    request: MailCampaignRequest,
  ): Promise<{ content: MailContent; recipients: number; price: number }> {
    const { gate, prices, senders, isSetUp } = this.#deps;
    const { accountId, name, listIds } = request;
    if (!isSetUp) throw new Refusal('not-allowed', 'no mail relay is set up (MAIL_RELAY_URL)');
    await gate.check(accountId, 'not-allowed');
    if (name !== null && name.length > MAX_CAMPAIGN_NAME) {
      throw badField('name', `is over ${MAX_CAMPAIGN_NAME} characters`, 'too-long', {
        max: MAX_CAMPAIGN_NAME,
      });
    }
    const content = readContent(request.content, true);
    await senders.check(accountId, content.from.address);
    const [recipients, priceOf] = await Promise.all([
      this.#count(accountId, listIds),
      prices.of(accountId, MAIL_PRICES),
    ]);
    return { content, recipients, price: priceOf('') };
  }

  /** Counts the distinct active users of the lists. Throws Refusal `unknown-list`. */
  async #count(accountId: number, listIds: readonly number[]): Promise<number> {
    const { sql, lists } = this.#deps;
    const found = await lists.find(accountId, listIds);
    const missing = listIds.find((id) => !found.has(id));
    if (missing !== undefined) throw new Refusal('unknown-list', `there is no mailing list ${missing}`);
    // A list does not contain a user twice.
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

  async #show(accountId: number, campaigns: readonly StoredCampaign<MailTarget>[]): Promise<MailCampaign[]> {
    const contents = await this.#deps.contents.shownOf(
      accountId,
      campaigns.map(({ id }) => id),
    );
    return campaigns.map(({ sender, content: { listIds }, ...campaign }) => {
      const content = contents.get(campaign.id) ?? removedContent(sender);
      return { ...campaign, listIds, content };
    });
  }

  async #store(
    tx: TransactionSql,
    accountId: number,
    campaign: MailCampaign,
    { held, pass }: { readonly held: number; readonly pass: Pass },
  ): Promise<void> {
    const { ids, contents, validityMs, route } = this.#deps;
    const { id, name, content: mail, listIds, state, total, dueAt, createdAt } = campaign;
    const content: MailTarget = { route, listIds };
    const place: MailPlace = { listIndex: 0, afterUser: 0 };
    const of = { channel: mailChannel.id, sender: mail.from.address, content, place, payload: null };
    const isScheduled = state === 'scheduled';
    await Promise.all([
      contents.store(tx, accountId, id, mail),
      insertLinks(tx, ids, accountId, id, mail.links),
      storeCampaign(
        tx,
        ids,
        accountId,
        { ...of, id, name, isScheduled, total, held, dueAt, validityMs, pass },
        createdAt,
      ),
    ]);
  }
}
