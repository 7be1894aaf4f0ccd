import { numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { type NewCampaign, storeCampaigns } from '../../engine/campaigns/rows.ts';
import {
  type CampaignPage,
  type CampaignRemains,
  type CampaignRow,
  type CampaignSource,
  STEP,
} from '../../engine/campaigns/source.ts';
import type { RoutedMessage } from '../../engine/carriers/route-conditions.ts';
import type { Routing } from '../../engine/carriers/routing.ts';
import type { PhoneGate } from '../../engine/gate/phones.ts';
import type { ShortLinks } from '../../engine/links/short-links.ts';
import { phoneRouteOf } from '../../engine/messages/batch-cutter.ts';
import { type CallInput, legsOf, openedCall, storedCall } from '../../engine/messages/calls.ts';
import type { PlannedMessage, PlannedShipment } from '../../engine/messages/plan.ts';
import { type BlockedDeps, blacklisted, recentRecipients } from '../../engine/messages/recipients.ts';
import { refusedEvent } from '../../engine/messages/refused-events.ts';
import {
  MAX_COMPOSED,
  ShipmentRenderer,
  TextRenderer,
  type TextTemplate,
} from '../../engine/messages/text-template.ts';
import type { Context } from '../../kit/context.ts';
import type { IdSource } from '../../kit/ids.ts';
import { ownCodes, status } from '../../kit/statuses.ts';
import { readAloud } from '../../kit/text/read-aloud.ts';
import { countParts } from '../../kit/text/segmentation.ts';
import type { PriceFinder, Prices } from '../../modules/accounts/prices.ts';
import type { Contact, ContactLists } from '../../modules/audience/contact-lists.ts';
import { CALL_CHANNEL, TEXT_CHANNEL } from '../contract/channels.ts';

interface ListCampaignDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'channels'>, BlockedDeps {
  readonly prices: Prices;
  readonly routing: Routing;
  readonly links: ShortLinks;
  readonly contactLists: ContactLists;
  readonly phoneGate: Pick<PhoneGate, 'refresh' | 'problemOf'>;
  /** Whether the phone with this number (E.164 digits) receives calls but no SMS. */
  readonly isKosher: (phone: string) => boolean;
  /** Milliseconds for which delivery is attempted. */
  readonly validityMs: number;
}

/** Content that all texts of a send have in common. */
interface Content {
  /** Skips contacts that got a message within this many days; null: skips none. */
  readonly recentDays: number | null;
  readonly call: CallInput | null;
}

/** Position within the first unfinished text. */
interface Place {
  /**
   * Messages to its lists have larger ids than this, and no other messages of the shipment do; null: none exist yet.
   */
  readonly startedId: number | null;
  readonly listIndex: number;
  readonly afterPhone: string;
  /** Number of contacts processed. */
  readonly done: number;
}

/** A row of `campaign_texts`. */
interface ListText {
  readonly id: number;
  readonly source: string;
  readonly text: string;
  readonly is_shared: boolean;
  readonly dynamic: boolean;
  readonly removal: boolean;
  readonly link_ids: number[];
  readonly link_keys: string[];
  readonly international: boolean;
  readonly list_ids: number[];
  readonly phones_from: number;
  readonly phones_to: number;
  readonly expected: number;
}

interface ListPage extends CampaignPage<Place> {
  /** Undefined if the send was cancelled in the meantime. */
  readonly text: ListText | undefined;
  readonly isTextEnd: boolean;
  readonly accountId: number;
  readonly contacts: readonly Contact[];
  /** Number of parts of the text, for contacts without a text of their own. */
  readonly parts: number;
  readonly blocked: ReadonlySet<string>;
  readonly priceOf: PriceFinder;
  readonly callPriceOf: PriceFinder;
  readonly template: TextTemplate;
  readonly shipmentRenderer: ShipmentRenderer;
}

/** Recipients of sends to contact lists without a message: their texts. */
export const listRemains: CampaignRemains = {
  channel: TEXT_CHANNEL,

  async drop(tx, accountId, ids) {
    await tx`
      DELETE FROM campaign_texts WHERE account_id = ${accountId} AND campaign_id = ANY(${numbers(ids)}::bigint[])`;
  },
};

const countOf = (lists: readonly { readonly count: number }[]) =>
  lists.reduce((sum, { count }) => sum + count, 0);

/**
 * Creates the SMS and calls of sends to contact lists. The texts of a send are processed one after another, so that the
 * messages of each are a range of ids.
 */
export class ListCampaignSource implements CampaignSource<ListPage> {
  readonly channel = TEXT_CHANNEL;
  readonly finishedAs = null;
  readonly drop = listRemains.drop!;
  readonly validityMs: number;
  readonly #deps: ListCampaignDeps;

  constructor(deps: ListCampaignDeps) {
    this.#deps = deps;
    this.validityMs = deps.validityMs;
  }

  async storeListCampaigns(
    tx: TransactionSql,
    ids: IdSource,
    accountId: number,
    shipments: readonly PlannedShipment[],
    now: number,
  ): Promise<void> {
    const campaigns = shipments.map(({ id, dueAt, request, pass, listSends }): NewCampaign => {
      const call = storedCall(tx, accountId, request.call) ?? null;
      const content: Content = { recentDays: request.recentDays, call };
      const place: Place = { startedId: null, listIndex: 0, afterPhone: '', done: 0 };
      const total = listSends.reduce((sum, { part }) => sum + countOf(part.lists), 0);
      const held = listSends.reduce((sum, send) => sum + send.held, 0);
      const sender = listSends[0]!.part.source;
      const { trace, author } = request;
      return { id, channel: TEXT_CHANNEL, sender, content, place, total, held, dueAt, trace, author, pass };
    });
    await storeCampaigns(tx, ids, accountId, campaigns, now);
    // One statement per text, because nested arrays would need equal lengths. Bulk with lists is rare.
    await Promise.all(
      shipments.flatMap(({ id: campaignId, request, listSends }) =>
        listSends.map(
          ({ id, part, links, phonesFrom, phonesTo }) => tx`
            INSERT INTO campaign_texts (account_id, id, campaign_id, source, text, is_shared, dynamic, removal, link_ids,
              link_keys, international, list_ids, phones_from, phones_to, expected)
            VALUES (${accountId}, ${id}, ${campaignId}, ${part.source}, ${tx.waitingText(accountId, part.template.text)},
              ${request.text === part.template.text}, ${part.template.dynamic}, ${part.template.removal},
              ${numbers(links.map((link) => link.id))}::bigint[], ${texts(links.map((link) => link.key))}::text[],
              ${part.international}, ${numbers(part.lists.map((list) => list.id))}::bigint[], ${phonesFrom},
              ${phonesTo}, ${countOf(part.lists)})`,
        ),
      ),
    );
  }

  async nextPage(campaign: CampaignRow<Content, Place>): Promise<ListPage> {
    const { sql, ids, clock, prices, links, contactLists } = this.#deps;
    const { account_id: accountId, id, content, place } = campaign;
    await this.#deps.phoneGate.refresh([accountId]);
    const [text, following] = await sql<ListText[]>`
      SELECT * FROM campaign_texts WHERE account_id = ${accountId} AND campaign_id = ${id} ORDER BY id LIMIT 2`;
    const startedId = place.startedId ?? ids.next();
    const listId = text?.list_ids[place.listIndex];
    // A list that was removed in the meantime has no contacts.
    const isThere = listId !== undefined && (await contactLists.find(accountId, [listId])).has(listId);
    const page = isThere ? await contactLists.page(sql, accountId, listId, place.afterPhone, STEP) : [];
    const phones = page.map(({ phone }) => phone);
    const [passed, recent, blocked, priceOf, callPriceOf] = await Promise.all([
      text ? this.#passed(campaign, text, startedId, phones) : new Set(),
      content.recentDays === null
        ? new Set()
        : recentRecipients(sql, accountId, phones, clock.now(), content.recentDays, id),
      blacklisted(this.#deps, accountId, phones),
      prices.of(accountId, 'sms'),
      prices.of(accountId, 'voice'),
    ]);
    const contacts = page.filter(({ phone }) => !passed.has(phone) && !recent.has(phone));
    const template: TextTemplate = {
      text: text?.text ?? '',
      links: text?.link_keys.map((key) => ({ key, url: '' })) ?? [],
      dynamic: text?.dynamic ?? false,
      removal: text?.removal ?? false,
    };
    const { codesEach } = new TextRenderer(template);
    const shipmentRenderer = new ShipmentRenderer(
      links,
      id,
      await links.codesFor(codesEach === 0 ? 0 : contacts.length * codesEach),
    );
    shipmentRenderer.know(
      template,
      text?.link_ids.map((linkId, index) => ({
        id: linkId,
        shipmentId: id,
        key: text.link_keys[index]!,
        url: '',
      })) ?? [],
    );
    const isListEnd = page.length < STEP;
    const isTextEnd = isListEnd && place.listIndex + 1 >= (text?.list_ids.length ?? 0);
    const done = place.done + page.length;
    const next = isTextEnd
      ? following && { startedId: null, listIndex: 0, afterPhone: '', done: 0 }
      : {
          startedId,
          listIndex: isListEnd ? place.listIndex + 1 : place.listIndex,
          afterPhone: isListEnd ? '' : page.at(-1)!.phone,
          done,
        };
    return {
      parts: countParts(template.text),
      ...{ accountId, text, isTextEnd, contacts, blocked, priceOf, callPriceOf, template, shipmentRenderer },
      // Lists may have shrunk since they were counted.
      size: isTextEnd ? Math.max(page.length, (text?.expected ?? 0) - place.done) : page.length,
      next: next ?? null,
    };
  }

  render({ id: shipmentId, content }: CampaignRow<Content>, page: ListPage): PlannedMessage[] {
    const { text, contacts } = page;
    if (!text) return [];
    const call = openedCall(content.call) ?? undefined;
    const spoken =
      call && new TextRenderer({ text: call.text, links: [], dynamic: text.dynamic, removal: false });
    return contacts.flatMap((contact) =>
      legsOf(call, contact.phone, this.#deps.isKosher).map((channel) => {
        const item = { phone: contact.phone, externalId: null, source: text.source, text: null };
        const common = { id: this.#deps.ids.next(), shipmentId, batchId: 0, item };
        return channel === CALL_CHANNEL
          ? { ...common, ...this.#call(page, text, contact, spoken!) }
          : { ...common, ...this.#sms(page, text, contact, common.id) };
      }),
    );
  }

  /** Stores the codes of links, and deletes a text once all its contacts have messages. */
  async authorize(
    tx: TransactionSql,
    { account_id: accountId, id }: CampaignRow,
    { text, isTextEnd, shipmentRenderer }: ListPage,
    messages: readonly PlannedMessage[],
  ): Promise<readonly PlannedMessage[]> {
    const sent = new Set(messages.filter((message) => message.status === status.sent).map((m) => m.id));
    const codes = shipmentRenderer.codes.filter(({ messageId }) => sent.has(messageId));
    if (codes.length > 0) await this.#deps.links.store(tx, accountId, [], codes);
    if (text && isTextEnd) {
      await tx`
        DELETE FROM campaign_texts WHERE account_id = ${accountId} AND campaign_id = ${id} AND id = ${text.id}`;
    }
    return messages;
  }

  unpaid(message: PlannedMessage): PlannedMessage {
    return { ...message, price: 0, status: status.noCredit };
  }

  routeOf(
    { account_id: accountId, sender }: CampaignRow,
    { item, channel }: PlannedMessage,
    due: Pick<RoutedMessage, 'kind' | 'at'>,
  ) {
    const routed = { accountId, source: item.source ?? sender, destination: item.phone, ...due };
    return phoneRouteOf(this.#deps.routing, routed, channel);
  }

  refused({ sender }: CampaignRow, message: PlannedMessage, now: number) {
    return refusedEvent(this.#deps.channels, message, sender, now);
  }

  #call(page: ListPage, list: ListText, { phone, fields }: Contact, spoken: TextRenderer) {
    const { routing, links } = this.#deps;
    const route = routing.callRouteOf(phone);
    const text = list.dynamic ? spoken.write(links, fields, []) : null;
    const common = {
      channel: CALL_CHANNEL,
      ...(route && { callerId: route.callerId }),
      text,
      parts: 1,
    };
    const refused = (why: number, code?: string) => ({
      ...common,
      price: 0,
      status: why,
      ...(code && { code }),
    });
    if (page.blocked.has(phone)) return refused(status.blockedOnRequest);
    const problem = this.#problemOf(page, list, phone);
    if (problem) return refused(status.noPermission, problem.code);
    if (!route) return refused(status.noPermission);
    const isSayable = text === null || (text.length <= MAX_COMPOSED && readAloud(text).text !== '');
    if (!isSayable) return refused(status.notLegal);
    return { ...common, price: page.callPriceOf(phone), status: status.sent };
  }

  #sms(page: ListPage, list: ListText, { phone, fields }: Contact, id: number) {
    const { blocked, priceOf, template, shipmentRenderer } = page;
    const plain = list.is_shared ? null : list.text;
    const refused = (why: number, code?: string) => ({
      text: plain,
      parts: page.parts,
      price: 0,
      status: why,
      ...(code && { code }),
    });
    if (blocked.has(phone)) return refused(status.blockedOnRequest);
    const problem = this.#problemOf(page, list, phone);
    if (problem) return refused(status.noPermission, problem.code);
    const isPersonal = list.dynamic || list.removal || list.link_ids.length > 0;
    const text = isPersonal ? shipmentRenderer.write(template, id, fields) : plain;
    if (isPersonal && (text!.length > MAX_COMPOSED || text === '')) return refused(status.notLegal);
    const parts = isPersonal ? countParts(text!) : page.parts;
    return { text, parts, price: priceOf(phone) * parts, status: status.sent };
  }

  /**
   * Returns the reason why the gate does not permit a message to a contact, with the code for the message; undefined if
   * it does.
   */
  #problemOf(
    { accountId }: ListPage,
    { international }: ListText,
    phone: string,
  ): { readonly code?: string } | undefined {
    const problem = this.#deps.phoneGate.problemOf(accountId, phone, international);
    if (problem === undefined) return undefined;
    return problem === 'denied-range' ? { code: ownCodes.deniedRange } : {};
  }

  /** Returns the phones that already got this text: named singly, or in an earlier list. */
  async #passed(
    { account_id: accountId, id, place }: CampaignRow<Content, Place>,
    text: ListText,
    startedId: number,
    phones: readonly string[],
  ): Promise<Set<string>> {
    if (text.phones_to === 0 && place.listIndex === 0) return new Set();
    const rows = await this.#deps.sql<{ phone: string }[]>`
      SELECT recipient AS phone FROM messages
      WHERE account_id = ${accountId} AND recipient = ANY(${texts(phones)}::text[]) AND id > ${id}
        AND shipment_id = ${id} AND (id > ${startedId} OR id BETWEEN ${text.phones_from} AND ${text.phones_to})`;
    return new Set(rows.map(({ phone }) => phone));
  }
}
