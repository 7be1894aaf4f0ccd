import { numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { CampaignRemains, CampaignSource } from '../../engine/campaigns/source.ts';
import type { Event } from '../../engine/events/types.ts';
import type { PlannedMessage } from '../../engine/messages/plan.ts';
import { type BlockedDeps, blacklisted } from '../../engine/messages/recipients.ts';
import type { Context } from '../../kit/context.ts';
import { type ChatProblem, Refusal } from '../../kit/errors.ts';
import { status } from '../../kit/statuses.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import { parseAmount } from '../../modules/accounts/money.ts';
import type { PriceFinder, Prices } from '../../modules/accounts/prices.ts';
import type { ContactLists } from '../../modules/audience/contact-lists.ts';
import { admit, CHAT_PRICES } from './admit.ts';
import type { ChatNumber, ChatNumbers } from './business-numbers.ts';
import {
  type ChatCampaign,
  type ChatContent,
  deletePhones,
  placeWithin,
  type RecipientPage,
  readPage,
} from './campaign-recipients.ts';
import { exampleValues, isShared, valuesFor } from './campaign-request.ts';
import { chatChannel } from './channel.ts';
import { chatCodec } from './content.ts';
import { type FillTime, fillTemplate } from './fill.ts';
import { reverseCancelled } from './reversal.ts';
import { chatRoute, chatStatus } from './statuses.ts';
import { openedValues } from './stored-values.ts';
import { isUsable, type Template, type Templates } from './templates.ts';
import { DAY_MS } from './windows.ts';

/** Code for a number on the account's blacklist. */
const BLACKLISTED = 'blacklisted' satisfies ChatProblem;

interface ChatCampaignDeps extends Pick<Context, 'sql' | 'ids' | 'clock'>, BlockedDeps {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly prices: Prices;
  readonly contactLists: ContactLists;
  readonly chatNumbers: Pick<ChatNumbers, 'find'>;
  readonly templates: Pick<Templates, 'byRowId'>;
  /** Time zone of accounts without one. */
  readonly defaultZone: string;
  /**
   * Milliseconds after which unanswered templates are forgotten; 0: they count until the client writes
   * (CHAT_UNANSWERED_DAYS).
   */
  readonly forgetUnansweredMs: number;
  /** Milliseconds for which delivery of a message is attempted. */
  readonly validityMs: number;
}

interface ChatPage extends RecipientPage {
  /** Content of the campaign, with decrypted texts. */
  readonly content: ChatContent;
  readonly number: ChatNumber | undefined;
  readonly template: Template | undefined;
  readonly priceOf: PriceFinder;
  readonly time: FillTime;
}

/** A message without its id. */
type Rendered = Omit<PlannedMessage, 'id'>;

/** Data of chat campaigns that a cancellation removes: single phones without a message, and windows. */
export const chatRemains: CampaignRemains = {
  channel: chatChannel.id,

  async drop(tx, accountId, ids) {
    await tx`
      DELETE FROM chat_campaign_phones
      WHERE account_id = ${accountId} AND campaign_id = ANY(${numbers(ids)}::bigint[])`;
  },

  reverse: reverseCancelled,
};

/**
 * Creates the messages of template campaigns. A recipient who cannot receive the message gets a failed one, with the
 * reason.
 */
export class ChatCampaignSource implements CampaignSource<ChatPage> {
  readonly channel = chatChannel.id;
  readonly finishedAs = 'chat';
  readonly drop = chatRemains.drop!;
  readonly reverse = chatRemains.reverse!;
  readonly validityMs: number;
  readonly #deps: ChatCampaignDeps;

  constructor(deps: ChatCampaignDeps) {
    this.#deps = deps;
    this.validityMs = deps.validityMs;
  }

  async nextPage(campaign: ChatCampaign): Promise<ChatPage> {
    const { clock, accounts, prices, chatNumbers, templates, defaultZone } = this.#deps;
    const { account_id: accountId, sender } = campaign;
    const content = openedValues(campaign.content);
    const [page, account, priceOf, number, template] = await Promise.all([
      readPage(this.#deps, campaign),
      accounts.byId(accountId),
      prices.of(accountId, CHAT_PRICES),
      chatNumbers.find(sender),
      templates.byRowId(accountId, content.templateId),
    ]);
    const time = { now: clock.now(), zone: account?.timeZone ?? defaultZone };
    return { ...page, content, number, template, priceOf, time };
  }

  async render(campaign: ChatCampaign, page: ChatPage): Promise<PlannedMessage[]> {
    const { ids } = this.#deps;
    const { account_id: accountId, id: shipmentId } = campaign;
    const { recipients, content, template, time, priceOf } = page;
    const phones = recipients.map(({ phone }) => phone);
    const blocked = await blacklisted(this.#deps, accountId, phones);
    const shared = isShared(content);
    const general = problemOfAll(page);
    const messages = recipients.map(({ phone, isUsable: isPhone, listIndex, fields }): Rendered => {
      const item = { phone, externalId: null, source: null, text: null };
      const message = { shipmentId, batchId: 0, item, text: null, parts: 1, price: 0, status: status.sent };
      if (!isPhone) return refused(message, 'bad-destination');
      if (blocked.has(phone)) return { ...message, status: status.blockedOnRequest, code: BLACKLISTED };
      if (general) return refused(message, general);
      const price = priceOf(phone);
      if (shared) return { ...message, price };
      try {
        const filled = fillTemplate(template!, valuesFor(content, listIndex ?? 0, fields), time);
        return { ...message, text: chatCodec.encode(filled.content), price };
      } catch (error) {
        return refused(message, problemOf(error));
      }
    });
    const open = await this.#openConversations(campaign, messages, time.now);
    return messages.map((message) => {
      const price = open.has(message.item.phone) ? 0 : message.price;
      return { ...message, price, id: ids.next() };
    });
  }

  /** Checks windows, messaging limit and month, and deletes single phones with their messages. */
  async authorize(
    tx: TransactionSql,
    campaign: ChatCampaign,
    page: ChatPage,
    messages: readonly PlannedMessage[],
    now: number,
  ): Promise<readonly PlannedMessage[]> {
    const { number, priceOf, time } = page;
    const { forgetUnansweredMs } = this.#deps;
    const clients = messages
      .filter((message) => message.status === status.sent)
      .map(({ item }) => item.phone);
    const admissions =
      number && clients.length > 0
        ? await admit(
            tx,
            { priceOf, forgetUnansweredMs },
            { number, clients, kind: 'template', now, zone: time.zone },
          )
        : [];
    if (page.isChunk) await deletePhones(tx, campaign, page, messages.length);
    const admissionOf = new Map(admissions.map((admission) => [admission.client, admission]));
    return messages.map((message) => {
      const admission = message.status === status.sent ? admissionOf.get(message.item.phone) : undefined;
      if (!admission) return message;
      return admission.problem ? refused(message, admission.problem) : { ...message, price: admission.price };
    });
  }

  /** Refused recipients cost nothing. */
  placeAfter(campaign: ChatCampaign, page: ChatPage, count: number) {
    return placeWithin(campaign, page, count);
  }

  unpaid(message: PlannedMessage): PlannedMessage {
    const code = 'no-credit' satisfies ChatProblem;
    return { ...message, text: null, price: 0, status: chatStatus.noCredit, code };
  }

  routeOf({ sender }: ChatCampaign) {
    return chatRoute(sender);
  }

  refused({ id, sender }: ChatCampaign, message: PlannedMessage, now: number): Event {
    const data = {
      message_id: message.id,
      shipment_id: id,
      from: sender,
      to: message.item.phone,
      status: 'failed' as const,
      reason: message.code!,
    };
    return { type: 'chat.status', at: now, data };
  }

  /**
   * Returns the recipients with an open conversation, who cost nothing. Skipped while the held credit suffices for all
   * recipients.
   */
  async #openConversations(
    { account_id: accountId, sender, held }: ChatCampaign,
    messages: readonly Rendered[],
    now: number,
  ): Promise<ReadonlySet<string>> {
    if (messages.reduce((sum, { price }) => sum + price, 0) <= parseAmount(held)) return new Set();
    const clients = messages.filter(({ price }) => price > 0).map(({ item }) => item.phone);
    const rows = await this.#deps.sql<{ client: string }[]>`
      SELECT client FROM chat_windows
      WHERE account_id = ${accountId} AND number = ${sender} AND client = ANY(${texts(clients)}::text[])
        AND conversation_at > ${now - DAY_MS}`;
    return new Set(rows.map(({ client }) => client));
  }
}

function refused<T extends Rendered>(message: T, problem: ChatProblem): T {
  return { ...message, text: null, price: 0, status: chatStatus.refused, code: problem };
}

/** Returns the problem that prevents all messages of a campaign since it was accepted; null for none. */
function problemOfAll({ content, number, template, time }: ChatPage): ChatProblem | null {
  if (!number) return 'unknown-source';
  if (!template) return 'unknown-template';
  if (!isUsable(template, time.now)) return 'template-not-usable';
  try {
    fillTemplate(template, exampleValues(content), time);
    return null;
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): ChatProblem {
  if (error instanceof Refusal) return error.code as ChatProblem;
  throw error;
}
