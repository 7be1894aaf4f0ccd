import type { SendKey } from '../../api/send-keys/send-keys.ts';
import { CALL_CHANNEL, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { RowsBeside } from '../../database/rows-beside.ts';
import type { Context } from '../../kit/context.ts';
import type { IdSource } from '../../kit/ids.ts';
import { MAX_TRACED_MESSAGES } from '../../kit/observability/tracing/tracing.ts';
import type { Author } from '../../kit/request-context.ts';
import { ownCodes, status } from '../../kit/statuses.ts';
import { countParts } from '../../kit/text/segmentation.ts';
import { forEachInSlices, TimeSlice } from '../../kit/time-slices.ts';
import type { PriceFinder } from '../../modules/accounts/prices.ts';
import type { Agreed } from '../../modules/consents/standing.ts';
import { canWait, type Restriction } from '../../modules/sending-policy/gate.ts';
import type { AskedCallback } from '../callbacks/format.ts';
import type { CarrierOptions } from '../carriers/carrier.ts';
import type { Routing } from '../carriers/routing.ts';
import type { AskedRule, Pass } from '../gate/gate.ts';
import type { Code, PlannedCode, PlannedLink, ShortLinks } from '../links/short-links.ts';
import { BatchCutter, type PlannedBatch, phoneRouteOf } from './batch-cutter.ts';
import { type CallInput, legsOf } from './calls.ts';
import { type Lane, lanes } from './lanes.ts';
import { kindOf } from './message-kind.ts';
import { SecretText, type SecretTexts, sentOf, shownOf } from './secret-text.ts';
import { ShipmentRenderer, type TextTemplate } from './text-template.ts';
import type { DueTime } from './waits.ts';

/** One requested message. */
export interface ShipmentItem {
  /** E.164 digits. */
  readonly phone: string;
  readonly externalId: string | null;
  /** Sender and text of this message; null for the shipment's. A text with a secret always belongs to the message. */
  readonly source: string | null;
  readonly text: string | SecretText | null;
  /** Template of a text that is rendered for each recipient. */
  readonly template?: TextTemplate;
}

/** Contact lists that receive one text of a shipment. */
export interface ListPart {
  readonly source: string;
  readonly template: TextTemplate;
  readonly lists: readonly { readonly id: number; readonly count: number }[];
  /** Whether contacts abroad receive it too. */
  readonly international: boolean;
  /** Single destinations of the same text, which receive no second message through a list. */
  readonly items: readonly ShipmentItem[];
}

/** A send that its API has checked and that is not accepted yet. */
export interface ShipmentRequest {
  readonly accountId: number;
  readonly lane: Lane;
  readonly campaignName: string | null;
  readonly source: string;
  readonly text: string | null;
  readonly items: readonly ShipmentItem[];
  readonly lists?: readonly ListPart[];
  /** Set when the text is also, or only, read aloud on the telephone. */
  readonly call?: CallInput;
  /** Time to send, in milliseconds since the epoch; null for now. */
  readonly dueAt: number | null;
  /** Its request to the sending policy of the account, if any. */
  readonly rule?: AskedRule | null | undefined;
  /** Whether its items may include foreign numbers. An answer may go to any country from which the client wrote. */
  readonly international: boolean;
  /** Skips destinations that received a message in this number of days; null skips none. */
  readonly recentDays: number | null;
  /** Send key of the request, stored with the shipment; the result is the shipment's id. */
  readonly sendKey?: SendKey<number>;
  /** Options for the network that its SMS use. */
  readonly carrierOptions?: CarrierOptions;
  /** Route of its SMS, whatever routes say of them (`ONLY_ROUTES`). */
  readonly route?: string;
  /** Maximum time for which its delivery is tried, in milliseconds; that of the settings if it is shorter. */
  readonly validityMs?: number;
  /** Rows of a module that are stored with its shipment, in the same statement. */
  readonly beside?: readonly RowsBeside[];
  /**
   * Work in the transaction that stores its shipment, before that, with the id of the shipment; once more after a deadlock.
   * Throws Refusal to store nothing.
   */
  readonly within?: (tx: TransactionSql, shipmentId: number) => Promise<void>;
  /** The shipment whose messages it replaces (engine/fallback). */
  readonly fallbackOf?: number;
  /** Callback for the statuses of its messages, if the request named one. */
  readonly callback?: AskedCallback;
  /** Trace context that its messages continue, if the request is traced (observability/tracing). */
  readonly trace?: string;
  /** Author of a send to contact lists. `Acceptor.accept` sets it. */
  readonly author?: Author;
}

/** A message before it is stored. */
export interface PlannedMessage {
  readonly id: number;
  readonly shipmentId: number;
  readonly batchId: number;
  readonly item: ShipmentItem;
  /** SMS by default. */
  readonly channel?: number;
  /** Caller number of a call. */
  readonly callerId?: string;
  /** Readable text of this message; null for the shipment's. */
  readonly text: string | null;
  /** Encrypted text that is sent instead of `text` when it contains a secret. */
  readonly secretText?: Buffer;
  readonly parts: number;
  /** In ten-thousandths of a credit. */
  readonly price: number;
  /**
   * -1, or a final status of a message that is not sent (201: blocked; 998: no trunk serves the number; 16: the policy
   * does not permit it).
   */
  readonly status: number;
  /** Code of the reason why it is not sent, or waits; absent when the status is sufficient. */
  readonly code?: string;
  /** Trace context of a traced message. */
  readonly trace?: string;
  /** Its media file. */
  readonly mediaId?: number;
}

/** A list part with the values needed to store it. */
interface PlannedListSend {
  readonly id: number;
  readonly part: ListPart;
  readonly links: readonly PlannedLink[];
  /** Range of ids of the messages to its single destinations, inclusive; 0 without any. */
  readonly phonesFrom: number;
  readonly phonesTo: number;
  /** Credit reserved for it, in ten-thousandths. */
  readonly held: number;
}

export interface PlannedShipment {
  readonly id: number;
  readonly request: ShipmentRequest;
  readonly pass: Pass;
  readonly scheduled: boolean;
  readonly dueAt: number;
  /** When the last of its messages is due. */
  readonly lastDueAt: number;
  readonly messages: readonly PlannedMessage[];
  readonly cost: number;
  readonly listSends: readonly PlannedListSend[];
  readonly links: readonly PlannedLink[];
  readonly codes: readonly PlannedCode[];
}

/** Results of the lookups that a plan of one shipment needs. */
export interface Lookups {
  readonly pass: Pass;
  /** Phones whose messages are stored as blocked, cost nothing and are not sent. */
  readonly blocked: ReadonlySet<string>;
  /**
   * Recipients who have consented to marketing messages; messages to others are stored as not permitted. Undefined if
   * no consent is needed.
   */
  readonly agreed: Agreed | undefined;
  readonly priceOf: PriceFinder;
  /** The price of a call. */
  readonly callPriceOf: PriceFinder;
  /** Link codes, as many as its messages need. */
  readonly codes: readonly Code[];
  /** Time restriction of its messages; undefined if they are permitted at any time. */
  readonly restriction: Restriction | undefined;
  /** Amount to reserve for each list part, in ten-thousandths of a credit. */
  readonly holds: readonly number[];
}

export interface PlanDeps extends Pick<Context, 'channels'> {
  readonly ids: IdSource;
  readonly routing: Routing;
  readonly links: ShortLinks;
  readonly secretTexts: SecretTexts;
  /** Whether the phone with this number (E.164 digits) can receive calls and no SMS. */
  readonly isKosher: (phone: string) => boolean;
}

/**
 * Splits the requests accepted together for one account into messages with ids and prices, and into dispatch batches.
 * Shipments that start now and cannot be paused share batches.
 */
export class Plan {
  readonly shipments: PlannedShipment[] = [];
  /** Whether at least one message is not sent and has its final status from the start. */
  hasRefused = false;
  readonly #ids: IdSource;
  readonly #cutter: BatchCutter;
  readonly #deps: PlanDeps;
  readonly #now: number;

  constructor(deps: PlanDeps, now: number) {
    this.#deps = deps;
    this.#ids = deps.ids;
    this.#cutter = new BatchCutter(deps.channels);
    this.#now = now;
  }

  get batches(): readonly PlannedBatch[] {
    return this.#cutter.batches;
  }

  /** Adds a shipment of these items, in time slices. */
  async add(request: ShipmentRequest, items: readonly ShipmentItem[], lookups: Lookups): Promise<void> {
    const { blocked, agreed, priceOf } = lookups;
    const { isKosher } = this.#deps;
    const id = this.#ids.next();
    const asked = Math.max(this.#now, request.dueAt ?? this.#now);
    const { restriction } = lookups;
    const { scheduled, dueAt, lastDueAt, dueOf } = restriction
      ? await dueTimes(asked, { request, items, restriction, now: this.#now })
      : dueAtOnce(asked, this.#now);
    // It has separate batches: a scheduled shipment is paid when it starts, and a bulk shipment can be paused.
    const heldId = scheduled || request.lane === lanes.bulk ? id : null;
    const sharedParts = request.text === null ? 0 : countParts(request.text);
    const shipmentRenderer = new ShipmentRenderer(this.#deps.links, id, lookups.codes);
    const kind = kindOf(request.lane, lookups.pass.rule);
    let cost = 0;
    const { secretTexts } = this.#deps;
    const own = (text: string | SecretText | null, messageId: number) =>
      text instanceof SecretText
        ? { text: text.shown, secretText: secretTexts.seal(request.accountId, messageId, text) }
        : { text };
    /** Why a message is not sent, independent of its route. */
    const refusalOf = ({ phone }: ShipmentItem, channel: number, due: DueTime | null) => {
      if (due === null) return notPermitted;
      if (blocked.has(phone)) return { status: status.blockedOnRequest };
      return agreed && !agreed(request.accountId, channel, phone) ? notAgreed : undefined;
    };
    const planSms = (item: ShipmentItem): PlannedMessage => {
      const { template } = item;
      const messageId = this.#ids.next();
      const due = dueOf(item);
      const why = refusalOf(item, TEXT_CHANNEL, due);
      if (why || due === null) {
        const { text } = item;
        const parts = text === null ? sharedParts : countParts(sentOf(text));
        return {
          id: messageId,
          shipmentId: id,
          item,
          batchId: 0,
          text: text && shownOf(text),
          parts,
          price: 0,
          ...(why ?? notPermitted),
        };
      }
      const text = template ? shipmentRenderer.write(template, messageId, []) : item.text;
      const parts = text === null ? sharedParts : countParts(sentOf(text));
      const routed = {
        accountId: request.accountId,
        source: item.source ?? request.source,
        destination: item.phone,
        kind,
        at: due.at,
      };
      const route = request.route ?? phoneRouteOf(this.#deps.routing, routed);
      const to = { channel: TEXT_CHANNEL, route };
      const batch = this.#cutter.take(to, request.lane, due, heldId, messageId);
      const price = priceOf(item.phone) * parts;
      const batchId = batch.id;
      // Nearly all messages are plain and due now: one object, not one for each property that few have.
      if (!(text instanceof SecretText) && !due.wait)
        return { id: messageId, shipmentId: id, item, batchId, text, parts, price, status: status.sent };
      const stored = { id: messageId, shipmentId: id, item, batchId, parts, price, status: status.sent };
      return { ...stored, ...own(text, messageId), ...codeOf(due) };
    };
    const planCall = (item: ShipmentItem): PlannedMessage => {
      const { phone } = item;
      const messageId = this.#ids.next();
      const route = this.#deps.routing.callRouteOf(phone);
      const common = {
        id: messageId,
        shipmentId: id,
        item,
        channel: CALL_CHANNEL,
        ...(route && { callerId: route.callerId }),
        parts: 1,
      };
      // A call speaks the shipment's text, unless it contains a secret.
      const said = item.text instanceof SecretText ? item.text : null;
      const due = dueOf(item);
      const why = refusalOf(item, CALL_CHANNEL, due);
      if (why || !route || due === null) {
        const goesNowhere = why ?? { status: status.noPermission };
        return { ...common, batchId: 0, text: said?.shown ?? null, price: 0, ...goesNowhere };
      }
      const to = { channel: CALL_CHANNEL, route: route.name };
      const batch = this.#cutter.take(to, request.lane, due, heldId, messageId);
      const price = lookups.callPriceOf(phone);
      const stored = { batchId: batch.id, price, status: status.sent, ...codeOf(due) };
      return { ...common, ...own(said, messageId), ...stored };
    };
    const messages: PlannedMessage[] = [];
    const slice = new TimeSlice();
    for (const item of items) {
      if (slice.isOver) await slice.rest();
      for (const channel of legsOf(request.call, item.phone, isKosher)) {
        const message = channel === CALL_CHANNEL ? planCall(item) : planSms(item);
        cost += message.price;
        if (message.batchId === 0) this.hasRefused = true;
        const isTraced = request.trace !== undefined && messages.length < MAX_TRACED_MESSAGES;
        messages.push(isTraced ? { ...message, trace: request.trace } : message);
      }
    }
    const listSends = request.lists
      ? await this.#planLists(request.lists, messages, shipmentRenderer, lookups.holds)
      : [];
    const { links, codes } = shipmentRenderer;
    this.shipments.push({
      id,
      request,
      pass: lookups.pass,
      scheduled,
      dueAt,
      lastDueAt,
      messages,
      cost,
      listSends,
      links,
      codes,
    });
  }

  async #planLists(
    lists: readonly ListPart[],
    messages: readonly PlannedMessage[],
    shipmentRenderer: ShipmentRenderer,
    holds: readonly number[],
  ): Promise<PlannedListSend[]> {
    const slice = new TimeSlice();
    const idOf = new Map<ShipmentItem, number>();
    await forEachInSlices(messages, ({ item, id }) => idOf.set(item, id), slice);
    const planned: PlannedListSend[] = [];
    for (const [index, part] of lists.entries()) {
      // Filtered items have no message; the messages of one part are consecutive.
      let phonesFrom = 0;
      let phonesTo = 0;
      await forEachInSlices(
        part.items,
        (item) => {
          const id = idOf.get(item);
          if (id === undefined) return;
          if (phonesFrom === 0) phonesFrom = id;
          phonesTo = id;
        },
        slice,
      );
      planned.push({
        id: this.#ids.next(),
        part,
        links: shipmentRenderer.linksOf(part.template),
        phonesFrom,
        phonesTo,
        held: holds[index]!,
      });
    }
    return planned;
  }
}

/** A message that is not permitted at its time, by a policy that lets no messages wait. */
const notPermitted = { status: status.notAtThisHour, code: ownCodes.sendingHours };

/** A message to a recipient without consent, by a policy that requires it. */
export const notAgreed = { status: status.notAtThisHour, code: ownCodes.noConsent };

/** Due times of a shipment and its messages. */
interface DueTimes {
  readonly scheduled: boolean;
  /** Start of the shipment, and due time of its last message. */
  readonly dueAt: number;
  readonly lastDueAt: number;
  /** Returns null for a message that is not permitted and does not wait. */
  readonly dueOf: (item: ShipmentItem) => DueTime | null;
}

/** Returns the code of a message that is due later than requested. */
const codeOf = ({ wait }: DueTime) => wait && { code: ownCodes.sendingHours };

/** Returns the due times of a shipment whose messages are permitted at the requested time `asked`. */
function dueAtOnce(asked: number, now: number): DueTimes {
  const usual: DueTime = { at: asked, wait: null };
  return { scheduled: asked > now, dueAt: asked, lastDueAt: asked, dueOf: () => usual };
}

/** A shipment whose messages are permitted at some times. */
interface Restricted {
  readonly request: ShipmentRequest;
  readonly items: readonly ShipmentItem[];
  readonly restriction: Restriction;
  readonly now: number;
}

/**
 * Returns the due times of a shipment, in milliseconds since the epoch: the shipment at the requested time `asked`, each
 * message when it is permitted. If no message is permitted at the requested time, the shipment is scheduled for the
 * first permitted time; one to contact lists is not, since its contacts may be permitted.
 */
async function dueTimes(
  asked: number,
  { request: { lists }, items, restriction, now }: Restricted,
): Promise<DueTimes> {
  const usual: DueTime = { at: asked, wait: null };
  const times = new Map<string, DueTime | null>();
  const wait = { reason: 'sending-hours', from: asked } as const;
  let first = Number.POSITIVE_INFINITY;
  let last = asked;
  await forEachInSlices(items, ({ phone }) => {
    const from = restriction.from(phone, asked);
    const later = canWait(restriction, from) ? { at: from, wait } : null;
    const due = from === asked ? usual : later;
    times.set(phone, due);
    if (due === null) return;
    first = Math.min(first, due.at);
    last = Math.max(last, due.at);
  });
  const dueAt = lists || !Number.isFinite(first) ? asked : first;
  return { scheduled: dueAt > now, dueAt, lastDueAt: last, dueOf: ({ phone }) => times.get(phone)! };
}
