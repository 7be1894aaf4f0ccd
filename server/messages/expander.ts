import { parseAmount, toNumeric } from '../accounts/money.ts';
import type { Prices } from '../accounts/prices.ts';
import { moveWallet } from '../accounts/wallets.ts';
import type { Contact, ContactLists } from '../audience/contact-lists.ts';
import type { Routing } from '../carriers/routing.ts';
import { voiceChannel } from '../channels/voice/channel.ts';
import { readAloud } from '../channels/voice/speech/read-aloud.ts';
import type { Clock } from '../clock.ts';
import { texts } from '../database/arrays.ts';
import type { Sql, TransactionSql } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { Events, Pending } from '../events/events.ts';
import type { IdSource } from '../ids.ts';
import type { Links } from '../links/links.ts';
import type { NumberReader } from '../numbers/numbers.ts';
import { invariant } from '../observability/invariant.ts';
import type { Logger } from '../observability/log.ts';
import { status } from '../statuses.ts';
import { countParts } from '../text/segmentation.ts';
import { BatchCutter } from './batch-cutter.ts';
import { type CallWish, legsOf } from './calls.ts';
import { type Lane, lanes } from './lanes.ts';
import { accepted } from './metrics.ts';
import type { PlannedMessage } from './plan.ts';
import { blacklisted, recentRecipients } from './recipients.ts';
import { refusedEvent } from './refused-events.ts';
import { startShipments } from './start-shipments.ts';
import { insertBatches, insertMessages } from './store-messages.ts';
import { COMPOSED_MOST, Composer, Composition, type Wording } from './wording.ts';

/** Contacts of one step, which is one transaction of some 60 ms; a single message of the account waits for no more. */
const STEP = 2_000;
// What a killed process worked on is taken up by another one after this.
const LEASE_MS = 30_000;
const CANDIDATES = 10;

export interface ExpanderParts {
  readonly sql: Sql;
  /** For leases (see database/connection.ts). */
  readonly relaxed: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly prices: Prices;
  readonly routing: Routing;
  readonly events: Events;
  readonly links: Links;
  readonly contactLists: ContactLists;
  readonly numbers: NumberReader;
  /** Whether the phone with this number (E.164 digits) takes calls and no SMS. */
  readonly isKosher: (phone: string) => boolean;
  /** Names this process in leases. */
  readonly owner: string;
  /** Called after the commit for an account that has new work. A hint; nothing rests on it. */
  readonly wake: (accountId: number, lane: Lane) => void;
}

/** The row of `list_sends`. */
interface ListSend {
  account_id: number;
  id: number;
  shipment_id: number;
  source: string;
  text: string;
  is_shared: boolean;
  dynamic: boolean;
  removal: boolean;
  link_ids: number[];
  link_keys: string[];
  international: boolean;
  recent_days: number | null;
  list_ids: number[];
  phones_from: number;
  phones_to: number;
  started_id: number;
  list_index: number;
  after_phone: string;
  expected: number;
  held: string;
  call: CallWish | null;
}

/** The messages of a step, credit left aside, each in no batch yet; and the codes of their links. */
interface Prepared {
  readonly messages: readonly PlannedMessage[];
  readonly composition: Composition;
}

/** The send was cancelled or paused, or its lease is another's now. */
class SendLost extends Error {}

/**
 * Makes messages of contact lists: 2,000 contacts a step, each step one transaction that also says how far it is. So a
 * list of a million takes no more memory than one of a thousand, and what a killed process had not committed is done
 * again by the next, with nobody sent to twice. Sends take turns, step by step.
 */
export class Expander {
  readonly #parts: ExpanderParts;
  #stopping = false;

  constructor(parts: ExpanderParts) {
    this.#parts = parts;
  }

  /** Works until nothing is due, or `stop` is called. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      const send = await this.#claim();
      if (!send) return;
      try {
        await this.#step(send);
      } catch (error) {
        if (error instanceof SendLost) continue;
        if (isDatabaseTrouble(error)) throw error;
        // The lease runs out, and that is the pause before the next attempt.
        this.#parts.log.error({ err: error, shipmentId: send.shipment_id }, 'a list could not be expanded');
      }
    }
  }

  /** Lets `run` end after the step that it is in. */
  stop(): void {
    this.#stopping = true;
  }

  /** Gives back every lease there is: only for the one process of an embedded database, when it starts. */
  async releaseAll(): Promise<void> {
    await this.#parts.sql`UPDATE list_sends SET lease_until = 0 WHERE lease_until > 0`;
  }

  async #claim(): Promise<ListSend | undefined> {
    const { relaxed, clock, owner } = this.#parts;
    const now = Date.now();
    const due = await relaxed<{ account_id: number; id: number }[]>`
      SELECT account_id, id FROM list_sends WHERE due_at <= ${clock.now()} AND lease_until < ${now}
      ORDER BY turn_at LIMIT ${CANDIDATES}`;
    for (const { account_id, id } of due) {
      const [send] = await relaxed<ListSend[]>`
        UPDATE list_sends SET lease_owner = ${owner}, lease_until = ${now + LEASE_MS}, turn_at = ${now}
        WHERE account_id = ${account_id} AND id = ${id} AND lease_until < ${now}
        RETURNING *`;
      if (send) return send;
    }
    return undefined;
  }

  async #step(send: ListSend): Promise<void> {
    const { sql, ids, clock, wake } = this.#parts;
    ids.passOver(send.started_id);
    const contacts = await this.#contacts(send);
    const prepared = await this.#prepare(send, contacts);
    const stored = await sql.begin((tx) => this.#store(tx, send, contacts, prepared, clock.now()));
    stored.pending.committed();
    accepted.inc(stored.sent);
    if (stored.sent > 0) wake(send.account_id, lanes.bulk);
  }

  /** Writes a step. Throws SendLost. */
  async #store(
    tx: TransactionSql,
    send: ListSend,
    contacts: readonly Contact[],
    { messages: wanted, composition }: Prepared,
    now: number,
  ): Promise<{ sent: number; pending: Pending }> {
    const { events, ids, links, routing } = this.#parts;
    const { account_id: accountId, shipment_id: shipmentId } = send;
    const blocked = await startShipments(tx, ids, now, accountId, [shipmentId]);
    // The lock under which a shipment is cancelled and paused, too.
    const running = await tx`
      SELECT id FROM shipments WHERE account_id = ${accountId} AND id = ${shipmentId} AND state = 1 AND paused_at IS NULL
      FOR UPDATE`;
    if (running.length === 0) throw new SendLost();
    const cutter = new BatchCutter(routing);
    const messages = (await this.#withinCredit(tx, send, wanted)).map((message) =>
      message.status === status.sent
        ? {
            ...message,
            batchId: cutter.take(lanes.bulk, message.item.phone, now, shipmentId, message.id, message.channel)
              .id,
          }
        : message,
    );
    const cost = messages.reduce((sum, message) => sum + message.price, 0);
    const lastId = messages.at(-1)?.id ?? send.started_id;
    await this.#moveOn(tx, send, { contacts, cost, lastId }, now);
    const sources = messages.map(({ callerId }) => callerId ?? send.source);
    const own = messages.map(({ text }) => text);
    const refused = messages.filter(({ batchId }) => batchId === 0);
    const isRefused = new Set(refused.map(({ id }) => id));
    const codes = composition.codes.filter(({ messageId }) => !isRefused.has(messageId));
    if (messages.length === 0) return { sent: 0, pending: await events.record(tx, accountId, blocked) };
    await Promise.all([
      tx`
        UPDATE shipments SET message_count = message_count + ${messages.length},
          cost = cost + ${toNumeric(cost)}::numeric, last_id = ${lastId}
        WHERE account_id = ${accountId} AND id = ${shipmentId}`,
      insertMessages(tx, accountId, messages, sources, own, now),
      insertBatches(tx, accountId, cutter.batches),
      links.store(tx, accountId, [], codes),
    ]);
    const pending = await events.record(tx, accountId, [
      ...blocked,
      ...refused.map((message) => refusedEvent(message, send.source, now)),
    ]);
    return { sent: messages.length - refused.length, pending };
  }

  /** The next contacts of the list that the send is at; none when it was removed meanwhile. */
  async #contacts(send: ListSend): Promise<Contact[]> {
    const { sql, contactLists } = this.#parts;
    const listId = send.list_ids[send.list_index]!;
    const there = await contactLists.find(send.account_id, [listId]);
    if (!there.has(listId)) return [];
    return contactLists.page(sql, send.account_id, listId, send.after_phone, STEP);
  }

  async #prepare(send: ListSend, contacts: readonly Contact[]): Promise<Prepared> {
    const { sql, ids, clock, prices, links, numbers, routing, isKosher } = this.#parts;
    const { account_id: accountId, shipment_id: shipmentId, recent_days: days } = send;
    const phones = contacts.map(({ phone }) => phone);
    const [passed, recent, blocked, priceOf, callPriceOf] = await Promise.all([
      this.#passed(send, phones),
      days === null || recentRecipients(sql, accountId, phones, clock.now(), days, shipmentId),
      blacklisted(sql, accountId, phones),
      prices.of(accountId, 'sms'),
      prices.of(accountId, 'voice'),
    ]);
    const wording: Wording = {
      text: send.text,
      links: send.link_keys.map((key) => ({ key, url: '' })),
      dynamic: send.dynamic,
      removal: send.removal,
    };
    const { codesEach } = new Composer(wording);
    const isPersonal = send.dynamic || codesEach > 0;
    const plain = send.is_shared ? null : send.text;
    const plainParts = countParts(send.text);
    const wanted = contacts.filter(
      ({ phone }) => !passed.has(phone) && !(recent instanceof Set && recent.has(phone)),
    );
    const composition = new Composition(
      links,
      shipmentId,
      await links.codesFor(codesEach === 0 ? 0 : wanted.length * codesEach),
    );
    composition.know(
      wording,
      send.link_ids.map((id, index) => ({ id, shipmentId, key: send.link_keys[index]!, url: '' })),
    );
    const call = send.call ?? undefined;
    const spoken =
      call && new Composer({ text: call.text, links: [], dynamic: send.dynamic, removal: false });
    const callTo = ({ phone, fields }: Contact): PlannedMessage => {
      const route = routing.callRouteOf(phone);
      const text = send.dynamic ? spoken!.write(links, fields, []) : null;
      const common = {
        id: ids.next(),
        shipmentId,
        batchId: 0,
        item: { phone, externalId: null, source: null, text: null },
        channel: voiceChannel.id,
        ...(route && { callerId: route.callerId }),
        text,
        parts: 1,
      };
      const refused = (why: number): PlannedMessage => ({ ...common, price: 0, status: why });
      if (blocked.has(phone)) return refused(status.blockedOnRequest);
      if (!route || (!send.international && numbers.isInternational(phone)))
        return refused(status.noPermission);
      const isSayable = text === null || (text.length <= COMPOSED_MOST && readAloud(text).text !== '');
      if (!isSayable) return refused(status.notLegal);
      return { ...common, price: callPriceOf(phone), status: status.sent };
    };
    const smsTo = ({ phone, fields }: Contact): PlannedMessage => {
      const id = ids.next();
      const item = { phone, externalId: null, source: null, text: null };
      const refused = (why: number): PlannedMessage => {
        return { id, shipmentId, batchId: 0, item, text: plain, parts: plainParts, price: 0, status: why };
      };
      if (blocked.has(phone)) return refused(status.blockedOnRequest);
      if (!send.international && numbers.isInternational(phone)) return refused(status.noPermission);
      const text = isPersonal ? composition.write(wording, id, fields) : plain;
      if (isPersonal && (text!.length > COMPOSED_MOST || text === '')) return refused(status.notLegal);
      const parts = isPersonal ? countParts(text!) : plainParts;
      const price = priceOf(phone) * parts;
      return { id, shipmentId, batchId: 0, item, text, parts, price, status: status.sent };
    };
    const messages = wanted.flatMap((contact) =>
      legsOf(call, contact.phone, isKosher).map((channel) =>
        channel === voiceChannel.id ? callTo(contact) : smsTo(contact),
      ),
    );
    return { messages, composition };
  }

  /** Those of the phones that this text went to already: named singly, or in an earlier list. */
  async #passed(send: ListSend, phones: readonly string[]): Promise<Set<string>> {
    if (send.phones_to === 0 && send.list_index === 0) return new Set();
    const rows = await this.#parts.sql<{ phone: string }[]>`
      SELECT recipient AS phone FROM messages
      WHERE account_id = ${send.account_id} AND recipient = ANY(${texts(phones)}::text[]) AND id > ${send.shipment_id}
        AND shipment_id = ${send.shipment_id}
        AND (id > ${send.started_id} OR id BETWEEN ${send.phones_from} AND ${send.phones_to})`;
    return new Set(rows.map(({ phone }) => phone));
  }

  /** The messages with those that the account cannot pay for marked so. What was held for the send pays first. */
  async #withinCredit(
    tx: TransactionSql,
    send: ListSend,
    messages: readonly PlannedMessage[],
  ): Promise<PlannedMessage[]> {
    const held = parseAmount(send.held);
    let left = held;
    if (messages.reduce((sum, { price }) => sum + price, 0) > held) {
      const [wallet] = await tx<{ balance: string }[]>`
        SELECT balance FROM wallets WHERE account_id = ${send.account_id} FOR UPDATE`;
      left += parseAmount(wallet!.balance);
    }
    return messages.map((message) => {
      if (message.price > left) return { ...message, price: 0, status: status.noCredit };
      left -= message.price;
      return message;
    });
  }

  /** Stores how far the send is, ends it when it is through, and pays for the step. Throws SendLost. */
  async #moveOn(
    tx: TransactionSql,
    send: ListSend,
    step: { contacts: readonly Contact[]; cost: number; lastId: number },
    now: number,
  ): Promise<void> {
    const { ids, owner } = this.#parts;
    const { account_id: accountId, id, shipment_id: shipmentId } = send;
    const listDone = step.contacts.length < STEP;
    const isDone = listDone && send.list_index === send.list_ids.length - 1;
    const held = parseAmount(send.held);
    const used = Math.min(held, step.cost);
    invariant(held >= 0 && step.cost >= 0, 'counts', () => ({
      accountId,
      shipmentId,
      held,
      cost: step.cost,
    }));
    const listIndex = send.list_index + (listDone ? 1 : 0);
    const afterPhone = listDone ? '' : step.contacts.at(-1)!.phone;
    const rows = isDone
      ? await tx`
          DELETE FROM list_sends WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${owner} RETURNING id`
      : await tx`
          UPDATE list_sends SET list_index = ${listIndex},
            after_phone = ${afterPhone}, expected = greatest(0, expected - ${step.contacts.length}),
            held = ${toNumeric(held - used)}::numeric, lease_owner = NULL, lease_until = 0
          WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${owner} RETURNING id`;
    if (rows.length === 0) throw new SendLost();
    if (isDone) {
      await tx`
        UPDATE list_sends SET due_at = ${now}, started_id = ${step.lastId} WHERE account_id = ${accountId} AND id = (
          SELECT min(id) FROM list_sends WHERE account_id = ${accountId} AND shipment_id = ${shipmentId})`;
    }
    const released = isDone ? held : used;
    const entries = [
      ...(released > 0 ? [{ kind: 'release', amount: released, shipmentId } as const] : []),
      ...(step.cost > 0 ? [{ kind: 'charge', amount: -step.cost, shipmentId } as const] : []),
    ];
    if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
  }
}
