import type { Prices } from '../accounts/prices.ts';
import { isOverdraft, type Wallets } from '../accounts/wallets.ts';
import type { ContactLists } from '../audience/contact-lists.ts';
import type { Routing } from '../carriers/routing.ts';
import type { Clock } from '../clock.ts';
import type { Sql, TransactionSql } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import { Refusal } from '../errors.ts';
import type { Events, Pending } from '../events/events.ts';
import type { Event } from '../events/types.ts';
import type { IdSource } from '../ids.ts';
import type { Code, Links, PlannedCode } from '../links/links.ts';
import type { NumberReader } from '../numbers/numbers.ts';
import { OwnerStuck, own } from '../owners.ts';
import { isSendKeyTaken, knownSendKeys, SendKeyTaken } from '../send-keys/store.ts';
import { forEachInSlices, TimeSlice } from '../time-slices.ts';
import type { Lane } from './lanes.ts';
import { estimateCosts } from './list-costs.ts';
import { accepted as acceptedMetric, acceptSeconds } from './metrics.ts';
import { Plan, type PlannedShipment, type ShipmentItem, type ShipmentRequest } from './plan.ts';
import { blacklisted, recentRecipients } from './recipients.ts';
import { refusedEvent } from './refused-events.ts';
import type { SecretTexts } from './secret-text.ts';
import { isOneStatement, storePlan } from './store-shipments.ts';
import { TextRenderer, type TextTemplate } from './text-template.ts';
import { wasStored } from './was-stored.ts';

// Above this a group's transaction takes long enough that a single message behind it would feel it (30 ms).
const GROUP_MESSAGES = 5_000;
// After a group of a crowd (clients that each wait for an answer before they send again) the next one waits this long
// for those who were just answered: otherwise the crowd falls into two halves that take turns.
const GATHER_MS = 2;
const CROWD = 4;

export interface AcceptorDeps {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly prices: Prices;
  readonly wallets: Wallets;
  readonly routing: Routing;
  readonly events: Events;
  readonly links: Links;
  readonly secretTexts: SecretTexts;
  readonly contactLists: ContactLists;
  readonly numbers: NumberReader;
  /** Whether the phone with this number (E.164 digits) takes calls and no SMS. */
  readonly isKosher: (phone: string) => boolean;
  /** How long delivery is tried, in milliseconds. */
  readonly validityMs: number;
  /**
   * Stores what shipments have still to make of contact lists, and holds what that costs. Rejects with a violation of
   * `wallets_balance_check`.
   */
  readonly storeListCampaigns: (
    tx: TransactionSql,
    ids: IdSource,
    accountId: number,
    shipments: readonly PlannedShipment[],
    now: number,
  ) => Promise<void>;
  /** Called after the commit, for each account and lane that has new work. A hint; nothing rests on it. */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

interface Waiting {
  readonly request: ShipmentRequest;
  readonly resolve: (shipmentId: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests of one account that wait for its last group to be stored. */
interface Queue {
  readonly requests: Waiting[];
  /** So many are worth going on at once for. */
  enough: number;
  go: () => void;
}

/** Waits until `enough` requests are there, at most GATHER_MS. */
async function gather(queue: Queue, enough: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, GATHER_MS);
    queue.enough = enough;
    queue.go = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  queue.enough = Infinity;
}

/**
 * Accepts shipments: debit, shipment, messages and dispatch batches in one transaction. Requests of one account that
 * come while its last transaction runs are accepted together in the next one: the wallet's row is a lock that each of
 * them takes, and one fsync serves them all. Each is answered after its commit.
 */
export class Acceptor {
  readonly #deps: AcceptorDeps;
  readonly #waiting = new Map<number, Queue>();

  constructor(deps: AcceptorDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a shipment durably and returns its id. Throws Refusal (`all-blocked`, `all-filtered`, `no-credit`,
   * `try-again`), and SendKeyTaken for a request whose key is there already; then nothing is stored and nothing charged.
   */
  accept(request: ShipmentRequest): Promise<number> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(request.accountId);
      if (queue) {
        queue.requests.push({ request, resolve, reject });
        if (queue.requests.length >= queue.enough) queue.go();
        return;
      }
      const first = { requests: [{ request, resolve, reject }], enough: Infinity, go: () => {} };
      this.#waiting.set(request.accountId, first);
      void this.#work(request.accountId, first);
    });
  }

  /** Makes the same checks as `accept`, credit included, and stores nothing. Throws the same Refusals. */
  async check(request: ShipmentRequest): Promise<void> {
    const { wallets, clock } = this.#deps;
    const plan = await this.#plan(
      [
        {
          request,
          resolve: () => {},
          reject: (error) => {
            throw error;
          },
        },
      ],
      clock.now(),
    );
    const cost = plan.shipments.reduce(
      (sum, shipment) => shipment.listSends.reduce((more, send) => more + send.held, sum + shipment.cost),
      0,
    );
    if ((await wallets.balance(request.accountId)) < cost) throw noCredit();
  }

  async #work(accountId: number, queue: Queue): Promise<void> {
    const { requests } = queue;
    while (requests.length > 0) {
      let count = 0;
      let messages = 0;
      while (count < requests.length && (count === 0 || messages < GROUP_MESSAGES)) {
        messages += requests[count++]!.request.items.length;
      }
      const group = requests.splice(0, count);
      try {
        await own('accept', () => this.#acceptGroup(accountId, group));
      } catch (error) {
        const reason =
          error instanceof OwnerStuck
            ? new Refusal('try-again', 'the service cannot store the request now, try again')
            : error;
        for (const waiting of group) waiting.reject(reason);
      }
      if (count >= CROWD) await gather(queue, requests.length + count);
    }
    this.#waiting.delete(accountId);
  }

  /** Settles every request of the group, or throws and has settled none. */
  async #acceptGroup(accountId: number, group: readonly Waiting[]): Promise<void> {
    const { sql, ids, clock, events, notifyDispatcher, validityMs } = this.#deps;
    const started = performance.now();
    const now = clock.now();
    const sent: Waiting[] = [];
    let plan: Plan | undefined;
    let pending: Pending | undefined;
    try {
      const made = await this.#plan(group, now, sent);
      if (made.shipments.length === 0) return;
      plan = made;
      const tells = made.hasRefused && events.wants(accountId, 'message.status');
      if (!tells && !made.shipments.some(hasMore) && isOneStatement(made)) {
        await storePlan(sql, ids, accountId, made, now, validityMs);
      } else {
        await sql.begin(async (tx) => {
          await storePlan(tx, ids, accountId, made, now, validityMs);
          await this.#storeMore(tx, accountId, made, now);
          if (tells) pending = await events.record(tx, accountId, refusedOf(made, now));
        });
      }
    } catch (error) {
      if (isOverdraft(error)) {
        if (group.length === 1) {
          group[0]!.reject(noCredit());
          return;
        }
        // Somebody in the group asked for too much: each on its own, so that the others are not refused for it.
        return this.#acceptEach(accountId, sent);
      }
      if (isSendKeyTaken(error)) return this.#withoutKnown(accountId, sent);
      if (!isDatabaseTrouble(error)) throw error;
      const id = plan?.shipments[0]?.id;
      if (id === undefined || !(await wasStored(sql, error, accountId, id))) {
        throw new Refusal('try-again', 'the service cannot store the request now, try again');
      }
    }
    pending?.committed();
    acceptSeconds.observe((performance.now() - started) / 1000);
    for (const [index, shipment] of plan!.shipments.entries()) {
      acceptedMetric.inc(shipment.messages.length);
      if (!shipment.scheduled) notifyDispatcher(accountId, shipment.request.lane);
      sent[index]!.resolve(shipment.id);
    }
  }

  async #acceptEach(accountId: number, group: readonly Waiting[]): Promise<void> {
    for (const waiting of group) await this.#acceptGroup(accountId, [waiting]).catch(waiting.reject);
  }

  /** Rejects those of a group whose send key is there already, and accepts the others. */
  async #withoutKnown(accountId: number, group: readonly Waiting[]): Promise<void> {
    const { sql } = this.#deps;
    if (group.length === 1) {
      group[0]!.reject(new SendKeyTaken());
      return;
    }
    const keys = group.flatMap(({ request: { sendKey } }) => (sendKey ? [sendKey.key] : []));
    const known = await knownSendKeys(sql, accountId, keys);
    const others = group.filter(({ request: { sendKey } }) => !sendKey || !known.has(sendKey.key));
    for (const waiting of group) if (!others.includes(waiting)) waiting.reject(new SendKeyTaken());
    if (others.length === 0) return;
    // None of them is there any more: a round that would find the same again is not made.
    if (others.length === group.length) return this.#acceptEach(accountId, others);
    return this.#acceptGroup(accountId, others);
  }

  /** Applies the rules that need the database. Requests that they refuse are rejected; the others go to `sent`. */
  async #plan(group: readonly Waiting[], now: number, sent: Waiting[] = []): Promise<Plan> {
    const { sql, prices } = this.#deps;
    const accountId = group[0]!.request.accountId;
    const blocked = await blacklisted(sql, accountId, await phonesOf(group.map(({ request }) => request)));
    const priceOf = await prices.of(accountId, 'sms');
    const callPriceOf = group.some(({ request }) => request.call)
      ? await prices.of(accountId, 'voice')
      : noCalls;
    const plan = new Plan(this.#deps, now);
    for (const waiting of group) {
      const { request } = waiting;
      try {
        const items = request.recentDays === null ? request.items : await this.#withoutRecent(request, now);
        // Who is in the lists is not known yet.
        if (!request.lists) {
          if (items.length === 0) throw new Refusal('all-filtered', 'temp_bl leaves no destination');
          if (blocked.size > 0 && (await areAllBlocked(items, blocked))) {
            throw new Refusal('all-blocked', 'every destination is on a blocked list');
          }
        }
        const codes = await this.#codesFor(items, blocked);
        const holds = request.lists
          ? await estimateCosts(this.#deps, accountId, request, { priceOf, callPriceOf })
          : [];
        await plan.add(request, items, { blocked, priceOf, callPriceOf, codes, holds });
        sent.push(waiting);
      } catch (error) {
        waiting.reject(error);
      }
    }
    return plan;
  }

  /** Codes for the links of those of these messages that are sent. */
  async #codesFor(items: readonly ShipmentItem[], blocked: ReadonlySet<string>): Promise<readonly Code[]> {
    const each = new Map<TextTemplate, number>();
    let count = 0;
    await forEachInSlices(items, ({ template, phone }) => {
      if (!template || blocked.has(phone)) return;
      if (!each.has(template)) each.set(template, new TextRenderer(template).codesEach);
      count += each.get(template)!;
    });
    return count === 0 ? [] : this.#deps.links.codesFor(count);
  }

  async #withoutRecent(request: ShipmentRequest, now: number): Promise<ShipmentItem[]> {
    const recent = await recentRecipients(
      this.#deps.sql,
      request.accountId,
      await phonesOf([request]),
      now,
      request.recentDays!,
    );
    const others: ShipmentItem[] = [];
    await forEachInSlices(request.items, (item) => {
      if (!recent.has(item.phone)) others.push(item);
    });
    return others;
  }

  /** What shipments have beside their messages: links with their codes, and contact lists. */
  async #storeMore(tx: TransactionSql, accountId: number, plan: Plan, now: number): Promise<void> {
    const { ids, links, storeListCampaigns } = this.#deps;
    const { shipments } = plan;
    const codes: PlannedCode[] = [];
    const slice = new TimeSlice();
    for (const shipment of shipments)
      await forEachInSlices(shipment.codes, (code) => codes.push(code), slice);
    await links.store(
      tx,
      accountId,
      shipments.flatMap((shipment) => shipment.links),
      codes,
    );
    const toLists = shipments.filter(({ listSends }) => listSends.length > 0);
    if (toLists.length > 0) await storeListCampaigns(tx, ids, accountId, toLists, now);
  }
}

/** The events of those that are blocked: they have their final status from the start, and it goes with the shipment. */
function* refusedOf({ shipments }: Plan, now: number): Generator<Event> {
  for (const { messages, request } of shipments) {
    for (const message of messages) {
      if (message.batchId === 0) yield refusedEvent(message, request.source, now);
    }
  }
}

const noCalls = () => 0;

async function phonesOf(requests: readonly ShipmentRequest[]): Promise<string[]> {
  const phones: string[] = [];
  const slice = new TimeSlice();
  for (const { items } of requests) await forEachInSlices(items, ({ phone }) => phones.push(phone), slice);
  return phones;
}

async function areAllBlocked(items: readonly ShipmentItem[], blocked: ReadonlySet<string>): Promise<boolean> {
  let free = 0;
  await forEachInSlices(items, ({ phone }) => {
    if (!blocked.has(phone)) free++;
  });
  return free === 0;
}

function noCredit(): Refusal {
  return new Refusal('no-credit', 'not enough credit');
}

function hasMore({ links, codes, listSends }: PlannedShipment): boolean {
  return links.length > 0 || codes.length > 0 || listSends.length > 0;
}
