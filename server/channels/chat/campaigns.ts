import { type SendKey, storeSendKey } from '../../api/send-keys/send-keys.ts';
import { inStatements, numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import {
  findCampaign,
  listCampaigns,
  type Campaign as StoredCampaign,
  storeCampaign,
} from '../../engine/campaigns/rows.ts';
import { type CampaignList, type RepeatedRequest, STEP, textRemoved } from '../../engine/campaigns/source.ts';
import type { Gate, Pass } from '../../engine/gate/gate.ts';
import type { ChatView } from '../../engine/messages/message-content.ts';
import { storeRequest } from '../../engine/messages/store-request.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { forEachInSlices } from '../../kit/time-slices.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import type { PriceFinder, Prices } from '../../modules/accounts/prices.ts';
import { type ContactList, type ContactLists, readListId } from '../../modules/audience/contact-lists.ts';
import type { TemplateFields } from '../../modules/conversations/reply-channel.ts';
import type { SendingGate } from '../../modules/sending-policy/gate.ts';
import type { OwnHours, Transactional } from '../../modules/sending-policy/policy.ts';
import { CHAT_PRICES } from './admit.ts';
import type { ChatNumber, ChatNumbers } from './business-numbers.ts';
import { type ChatContent, type ChatPlace, singlePhones } from './campaign-recipients.ts';
import {
  type CampaignMessage,
  type CampaignRequest,
  exampleValues,
  isShared,
  isUsable,
  readMessage,
  readName,
  readPhones,
  readSchedule,
  valuesFor,
} from './campaign-request.ts';
import { chatChannel } from './channel.ts';
import { chatCodec } from './content.ts';
import { countVariables, fillTemplate, fillTemplateAndCheck, type MediaCheck } from './fill.ts';
import { viewOfTemplate } from './rendered.ts';
import { lacksValues, openedValues, storedValues } from './stored-values.ts';
import { isUsable as isUsableTemplate, type Template, type Templates } from './templates.ts';

/** Contacts of each list that are sampled to estimate the price of a conversation. */
const SAMPLE = 500;

interface ChatCampaignsDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  /** Milliseconds for which delivery of a message is attempted. */
  readonly validityMs: number;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly prices: Prices;
  readonly numbers: NumberReader;
  readonly contactLists: ContactLists;
  readonly chatNumbers: Pick<ChatNumbers, 'find'>;
  readonly templates: Pick<Templates, 'find'>;
  readonly sendingGate: Pick<SendingGate, 'countWithoutConsent'>;
  readonly gate: Pick<Gate, 'campaign'>;
  /** Checks the link of a template's media header. */
  readonly checkMedia: MediaCheck;
  /** Time zone of accounts without one. */
  readonly defaultZone: string;
}

/** A template campaign. Its id is that of its shipment. */
export interface Campaign extends Omit<StoredCampaign, 'sender' | 'content'> {
  /** The business number. */
  readonly source: string;
  /** Id in the interface; null if the template was removed. */
  readonly templateId: string | null;
}

/** An accepted campaign; `sum` is the number of distinct recipients. */
export interface AcceptedCampaign {
  readonly id: number;
  readonly sum: number;
}

/** A campaign that passed all checks. */
interface CheckedCampaign {
  readonly number: ChatNumber;
  /** The body, with 1 in place of every field. */
  readonly body: string;
  /** As the first contact of the first list sees it; with 1 in place of every field without a value. */
  readonly preview: ChatView;
  /** Number of distinct recipients. */
  readonly sum: number;
  /** Recipients without consent to marketing messages, as far as known; null: no consent is needed. */
  readonly withoutConsent: number | null;
  /** Cost if every message opens a conversation, in ten-thousandths of a credit. */
  readonly cost: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

/** A campaign that passed all checks, with its stored values. */
interface Planned {
  readonly id: number;
  readonly name: string | null;
  readonly number: ChatNumber;
  readonly template: Template;
  readonly phones: readonly string[];
  readonly lists: readonly ContactList[];
  readonly message: CampaignMessage;
  /** Common text of all messages; null: each has its own. */
  readonly text: string | null;
  /** The body, with 1 in place of every field. */
  readonly body: string;
  readonly dueAt: number;
  readonly isScheduled: boolean;
  readonly rule: OwnHours | Transactional | null;
  readonly pass: Pass;
  readonly fallbackOf: number | undefined;
  readonly total: number;
  /** Ten-thousandths of a credit. */
  readonly held: number;
}

/**
 * Template campaigns (interface, A3). A campaign is accepted immediately, and the expander creates its messages later.
 */
export class Campaigns {
  readonly #deps: ChatCampaignsDeps;

  constructor(deps: ChatCampaignsDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a campaign durably, before its lists are read. `sum` is the number of distinct recipients. The price of a
   * conversation with each of them is held until the campaign ends. Throws Refusal `bad-field` for an invalid name or
   * time, and Refusal `try-again`; then nothing is stored or charged. `sendKey` is stored in its transaction.
   */
  async create(request: CampaignRequest, sendKey?: SendKey<AcceptedCampaign>): Promise<AcceptedCampaign> {
    const { sql, clock } = this.#deps;
    const { accountId } = request;
    const planned = await this.#plan(request);
    const accepted = { id: planned.id, sum: planned.total };
    const now = clock.now();
    return storeRequest(sql, async (tx) => {
      await request.within?.(tx, planned.id);
      await storeSendKey(tx, accountId, sendKey, accepted);
      await this.#store(tx, accountId, planned, now);
      return accepted;
    });
  }

  /**
   * Checks the number and the template of a campaign to phones whose recipients are not known yet. Throws as `create` does.
   */
  async checkTemplate(request: CampaignRequest): Promise<void> {
    const { clock, defaultZone: zone, checkMedia } = this.#deps;
    const now = clock.now();
    const template = await this.#findTemplate(request, await this.#findNumber(request), now);
    const variableCount = countVariables(template.content);
    const message = readMessage(request, [], { variableCount, chunks: 1, zone });
    await fillTemplateAndCheck(template, exampleValues(message), { now, zone }, checkMedia);
  }

  /** Runs the checks of `create`, stores nothing, and returns the estimate. Throws as `create` does. */
  async check(request: CampaignRequest): Promise<CheckedCampaign> {
    const { number, body, total, held, dueAt, ...planned } = await this.#plan(request);
    const { accountId } = request;
    const [preview, withoutConsent] = await Promise.all([
      this.#preview(accountId, { dueAt, ...planned }),
      this.#countWithoutConsent(accountId, planned),
    ]);
    return { number, body, preview, sum: total, withoutConsent, cost: held, dueAt };
  }

  #countWithoutConsent(
    accountId: number,
    { phones, lists, rule }: Pick<Planned, 'phones' | 'lists' | 'rule'>,
  ): Promise<number | null> {
    const { sql, contactLists, sendingGate } = this.#deps;
    return sendingGate.countWithoutConsent(
      { accountId, isCampaign: true, rule },
      {
        recipients: phones.filter(isUsable),
        lists: lists.map(({ id, count }) => ({
          count,
          first: async (limit) =>
            (await contactLists.page(sql, accountId, id, '', limit)).map(({ phone }) => phone),
        })),
        channelsOf: () => [chatChannel.id],
      },
    );
  }

  async #preview(
    accountId: number,
    { message, template, lists, dueAt }: Pick<Planned, 'message' | 'template' | 'lists' | 'dueAt'>,
  ): Promise<ChatView> {
    const { sql, contactLists, defaultZone } = this.#deps;
    const [list] = lists;
    const [contact] = list ? await contactLists.page(sql, accountId, list.id, '', 1) : [];
    const time = { now: dueAt, zone: defaultZone };
    const of = (values: TemplateFields) =>
      viewOfTemplate(template.content, fillTemplate(template, values, time).content.values);
    try {
      return of(contact ? valuesFor(message, 0, contact.fields) : exampleValues(message));
    } catch (error) {
      // A contact without a required value fails alone, when the campaign runs.
      if (error instanceof Refusal) return of(exampleValues(message));
      throw error;
    }
  }

  /** Returns a campaign of the account. */
  async find(accountId: number, id: number): Promise<Campaign | undefined> {
    const found = await findCampaign<ChatContent>(this.#deps.sql, accountId, chatChannel.id, id);
    return found && (await this.#show(accountId, [found]))[0];
  }

  /** Returns up to `limit` campaigns of the account older than `beforeId`, newest first. */
  async list(accountId: number, beforeId?: number, limit?: number): Promise<Campaign[]> {
    const found = await listCampaigns<ChatContent>(
      this.#deps.sql,
      accountId,
      chatChannel.id,
      beforeId,
      limit,
    );
    return this.#show(accountId, found);
  }

  /**
   * Returns the request that would send a campaign again (`requestOf` of ChannelModule). Throws Refusal `not-now` if
   * its texts were removed.
   */
  async requestOf(accountId: number, id: number): Promise<RepeatedRequest | undefined> {
    const { sql } = this.#deps;
    const stored = await findCampaign<ChatContent>(sql, accountId, chatChannel.id, id);
    if (!stored) return undefined;
    const [{ templateId, source, name }] = (await this.#show(accountId, [stored])) as [Campaign];
    const content = openedValues(stored.content);
    if (lacksValues(content)) throw textRemoved();
    const { variables, headerLink, coupon, couponExpiresAt, websites, listIds } = content;
    const [website, website2] = websites;
    const field = (number: number | null | undefined) => (number == null ? undefined : number + 1);
    const body = {
      source,
      template_id: templateId ?? undefined,
      phones: await singlePhones(sql, accountId, id, content),
      lists: listIds.map(String),
      name: name ?? undefined,
      fields: Object.fromEntries(Object.entries(variables).map(([key, [first]]) => [key, `df${first! + 1}`])),
      header_link: headerLink ?? undefined,
      coupon_code: coupon && 'code' in coupon ? coupon.code : undefined,
      coupon_field: coupon && 'field' in coupon ? field(coupon.field) : undefined,
      coupon_expires_at: couponExpiresAt === null ? undefined : new Date(couponExpiresAt).toISOString(),
      website_field: field(website),
      website_field2: field(website2),
    };
    return { path: '/v1/chat/campaigns', body };
  }

  /** Returns the contact lists of a campaign (`listsOf` of ChannelModule). */
  async listsOf(accountId: number, id: number): Promise<readonly CampaignList[]> {
    const { sql, contactLists } = this.#deps;
    const stored = await findCampaign<ChatContent>(sql, accountId, chatChannel.id, id);
    return [...(await contactLists.find(accountId, stored?.content.listIds ?? [])).values()];
  }

  /** Adds the templates' ids of the interface. */
  async #show(accountId: number, campaigns: readonly StoredCampaign<ChatContent>[]): Promise<Campaign[]> {
    const rowIds = [...new Set(campaigns.map(({ content }) => content.templateId))];
    const rows = await this.#deps.sql<{ id: number; template_id: string }[]>`
      SELECT id, template_id FROM chat_templates
      WHERE account_id = ${accountId} AND id = ANY(${numbers(rowIds)}::bigint[])`;
    const templateIds = new Map(rows.map(({ id, template_id }) => [id, template_id]));
    return campaigns.map(({ sender, content, ...campaign }) => {
      return { ...campaign, source: sender, templateId: templateIds.get(content.templateId) ?? null };
    });
  }

  /** Runs all checks, in the order of the request's fields. */
  async #plan(request: CampaignRequest): Promise<Planned> {
    const { ids, clock, accounts, defaultZone, checkMedia, gate } = this.#deps;
    const { accountId } = request;
    const now = clock.now();
    const account = await accounts.byId(accountId);
    if (!account || account.suspended) throw new Refusal('suspended', 'the account is suspended');
    const zone = account.timeZone ?? defaultZone;
    const number = await this.#findNumber(request);
    const phones = await readPhones(request.phones, this.#deps.numbers);
    const lists = await this.#findLists(request);
    const total = await this.#count(accountId, phones, lists);
    if (lists.length === 0 && !phones.some(isUsable)) {
      throw new Refusal('bad-destination', 'no phone number and no contact list', 'phones');
    }
    if (total === 0) throw new Refusal('bad-destination', 'the contact lists are empty', 'lists');
    const template = await this.#findTemplate(request, number, now);
    const name = readName(request);
    const message = readMessage(request, lists, {
      variableCount: countVariables(template.content),
      chunks: Math.ceil(phones.length / STEP),
      zone,
    });
    const dueAt = readSchedule(request, now, zone);
    const { rule = null } = request;
    const pass = await gate.campaign({ accountId, rule }, dueAt ?? now, 'suspended');
    const { content, body } = await fillTemplateAndCheck(
      template,
      exampleValues(message),
      { now: dueAt ?? now, zone },
      checkMedia,
    );
    return {
      id: ids.next(),
      name,
      number,
      template,
      phones,
      lists,
      message,
      text: isShared(message) ? chatCodec.encode(content) : null,
      body,
      dueAt: dueAt ?? now,
      isScheduled: dueAt !== null,
      rule,
      pass,
      fallbackOf: request.fallbackOf,
      total,
      held: await this.#estimate(accountId, phones, lists, total),
    };
  }

  async #findNumber({ accountId, source }: CampaignRequest): Promise<ChatNumber> {
    const digits = this.#deps.numbers.parse(source)?.digits;
    const number = digits === undefined ? undefined : await this.#deps.chatNumbers.find(digits);
    if (number?.accountId !== accountId) {
      throw new Refusal('unknown-source', 'no business number of the account', 'source');
    }
    return number;
  }

  /** Returns the lists of a request, without duplicates, in its order. */
  async #findLists({ accountId, lists }: CampaignRequest): Promise<ContactList[]> {
    const wanted = new Map(lists.map((text) => [readListId(text), text]));
    const known = [...wanted.keys()].filter((id) => id !== null);
    const found = known.length === 0 ? new Map() : await this.#deps.contactLists.find(accountId, known);
    return [...wanted].map(([id, text]) => {
      const list = id === null ? undefined : found.get(id);
      if (!list) throw new Refusal('bad-destination', `there is no contact list ${text}`, 'lists');
      return list;
    });
  }

  async #findTemplate(
    { accountId, templateId }: CampaignRequest,
    number: ChatNumber,
    now: number,
  ): Promise<Template> {
    const template = await this.#deps.templates.find(accountId, templateId);
    if (template?.phone !== number.phone) {
      throw new Refusal('unknown-template', 'no template of the business number', 'templateId');
    }
    if (!isUsableTemplate(template, now)) {
      throw new Refusal('template-not-usable', `the template has status ${template.status}`, 'templateId');
    }
    return template;
  }

  /** Counts the distinct recipients. */
  async #count(accountId: number, phones: readonly string[], lists: readonly ContactList[]): Promise<number> {
    if (lists.length === 0) return phones.length;
    // A list does not contain a phone twice.
    if (lists.length === 1 && phones.length === 0) return lists[0]!.count;
    const [row] = await this.#deps.sql<{ count: number }[]>`
      SELECT count(DISTINCT phone)::int AS count FROM (
        SELECT phone FROM contacts
        WHERE account_id = ${accountId} AND list_id = ANY(${numbers(lists.map(({ id }) => id))}::bigint[])
        UNION ALL
        SELECT u.phone FROM wallets w, unnest(${texts(phones)}::text[]) AS u (phone)
        WHERE w.account_id = ${accountId}
      ) every`;
    return row!.count;
  }

  /** Returns the cost if every message opens a conversation: exact for phones, estimated by a sample for lists. */
  async #estimate(
    accountId: number,
    phones: readonly string[],
    lists: readonly ContactList[],
    total: number,
  ): Promise<number> {
    const priceOf = await this.#deps.prices.of(accountId, CHAT_PRICES);
    let single = 0;
    await forEachInSlices(phones, (phone) => {
      if (isUsable(phone)) single += priceOf(phone);
    });
    const others = total - phones.length;
    return others === 0 ? single : single + Math.ceil(others * (await this.#averagePrice(lists, priceOf)));
  }

  async #averagePrice(lists: readonly ContactList[], priceOf: PriceFinder): Promise<number> {
    const { sql, contactLists } = this.#deps;
    let sum = 0;
    let count = 0;
    for (const list of lists) {
      const sample = await contactLists.page(sql, list.accountId, list.id, '', SAMPLE);
      if (sample.length === 0) continue;
      const average = sample.reduce((more, { phone }) => more + priceOf(phone), 0) / sample.length;
      sum += average * list.count;
      count += list.count;
    }
    return count === 0 ? 0 : sum / count;
  }

  async #store(tx: TransactionSql, accountId: number, planned: Planned, now: number): Promise<void> {
    const { ids, validityMs } = this.#deps;
    const { number, template, phones, lists, message, text: payload, rule: _rule, ...campaign } = planned;
    const { id } = campaign;
    const content: ChatContent = {
      ...storedValues(tx, accountId, message),
      templateId: template.id,
      listIds: lists.map((list) => list.id),
      phones: phones.length,
    };
    const place: ChatPlace = { chunk: 0, listIndex: 0, afterPhone: '' };
    const of = { channel: chatChannel.id, sender: number.phone };
    await storeCampaign(tx, ids, accountId, { ...campaign, ...of, content, place, payload, validityMs }, now);
    // Sequentially, so that each chunk is written in a separate slice.
    let chunk = 0;
    for (const some of inStatements(phones, STEP)) {
      if (some.length === 0) continue;
      await tx`
        INSERT INTO chat_campaign_phones (account_id, campaign_id, chunk, phones)
        VALUES (${accountId}, ${id}, ${chunk++}, ${texts(some)}::text[])`;
    }
  }
}
