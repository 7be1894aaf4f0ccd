import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { numbers } from '../../database/arrays.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { timeOfId } from '../../kit/ids.ts';
import { supervise } from '../../kit/owners.ts';
import { changedConversations } from '../../modules/conversations/list.ts';
import type { Conversation } from '../../modules/conversations/rows.ts';
import { lastSent } from '../../modules/conversations/timeline.ts';
import { type FoundMessage, foundColumns } from '../messages/search.ts';
import type { Counted, ShipmentProgress } from '../messages/shipment-progress.ts';
import { findShipment, type ShipmentRow } from '../messages/shipments.ts';

/** Milliseconds between two checks without a hint. */
const ROUND_MS = 2_000;
/** Milliseconds between two checks of one stream. */
const PAUSE_MS = 100;
/** Checks take at most a fifth of the time. */
const REST = 4;
const MAX_STREAMS = 500;
/** Maximum streams of an account: everybody who answers conversations has one open. */
const STREAMS_OF_ACCOUNT = 100;
/** Messages of a watched shipment are also watched when it has at most this many. */
const SHOWN_MESSAGES = 50;
/** Number of messages watched in a conversation. */
const SHOWN_REPLIES = 30;
/** Maximum conversations sent at a time, the last changed ones: no one reads more. */
const TOLD_CONVERSATIONS = 200;
/** Milliseconds within which the streams of an account share one check after a hint. */
const SHARED_LOOK_MS = 50;
/**
 * Milliseconds of overlap: a client is assumed to know only changes older than this before its last event, because
 * clocks and commit times differ.
 */
const MARGIN_MS = 5_000;

/** Objects that one stream watches. */
interface Watched {
  readonly accountId: number;
  readonly messageIds: readonly number[];
  readonly shipmentIds: readonly number[];
  /** Simulated phones, E.164 digits. */
  readonly phones: readonly string[];
  /** Whether all conversations of the account are watched. */
  readonly conversations: boolean;
  /** A conversation whose last sent messages are watched; otherwise null. */
  readonly conversationId: number | null;
}

/** An arrival at a simulated phone. */
export interface Arrival {
  readonly phone: string;
  readonly kind: 'sms' | 'chat' | 'call';
  /** Time of arrival (ISO 8601). */
  readonly at: string;
  /** The item in the phone's display. */
  readonly item: object;
}

/** The simulated phones of the sandbox. */
export interface PhoneFeed {
  /** Returns the stored arrivals at a phone, oldest first. */
  list(phone: string): Promise<readonly Arrival[]>;
  /** Calls `heard` for arrivals at any phone. Returns a function that ends it. */
  listen(heard: (arrival: Arrival) => void): () => void;
}

/** An event to send. Its id is the time of the check, with which a stream can be resumed. */
export type LiveEvent = { readonly id: string } & (
  | { readonly type: 'message'; readonly message: FoundMessage }
  | { readonly type: 'shipment'; readonly shipment: ShipmentRow; readonly counted: Counted | null }
  | { readonly type: 'phone'; readonly arrival: Arrival }
  | { readonly type: 'conversation'; readonly conversation: Conversation; readonly now: number }
);

interface Stream {
  readonly watched: Watched;
  readonly tell: (event: LiveEvent) => void;
  readonly end: () => void;
  /** The last sent state of each message and shipment. */
  readonly told: Map<string, string>;
  /** A returning client knows the state stored before this time; undefined for a new client. */
  knownTo: number | undefined;
  /** Time from which changed conversations are searched. */
  changedSince: number;
  due: boolean;
  wake: () => void;
  closed: boolean;
}

interface LiveHubDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly progress: ShipmentProgress;
  /** Set in a sandbox: its phones, and the account that owns them. */
  readonly sandbox?: { readonly phones: PhoneFeed; readonly accountId: number } | undefined;
}

/**
 * Sends changes of the watched messages, shipments and simulated phones to streams. A hint only names the accounts to
 * check; the sent state is read from the tables. So nothing depends on a hint, and nothing is lost while a client is
 * disconnected: each check sends the differences from the last sent state.
 */
export class LiveHub {
  readonly #deps: LiveHubDeps;
  readonly #streams = new Set<Stream>();
  /** Latest check of an account's conversations. */
  readonly #looks = new LRUCache<number, { since: number; rows: Promise<readonly Conversation[]> }>({
    max: MAX_STREAMS,
    ttl: SHARED_LOOK_MS,
    ttlAutopurge: true,
  });
  #unlisten: (() => void) | undefined;

  constructor(deps: LiveHubDeps) {
    this.#deps = deps;
    this.#unlisten = deps.sandbox?.phones.listen((arrival) => this.#arrived(arrival));
  }

  /** Called when messages of an account may have changed; null for any account. */
  changed(accountId: number | null): void {
    // A check that has already begun may have missed the change.
    if (accountId === null) this.#looks.clear();
    else this.#looks.delete(accountId);
    for (const stream of this.#streams) {
      if (accountId === null || stream.watched.accountId === accountId) {
        stream.due = true;
        stream.wake();
      }
    }
  }

  /**
   * Opens a stream: `tell` gets the present state of everything watched (except what a client with all events up to
   * `knownTo`, an event's id, already knows), and then each change, until the returned function is called. `end` is
   * called when this process ends the stream. Throws Refusal `too-fast` when there are too many streams, and
   * `not-allowed` for phones of others.
   */
  open(
    watched: Watched,
    knownTo: number | undefined,
    tell: (event: LiveEvent) => void,
    end: () => void,
  ): () => void {
    const { sandbox } = this.#deps;
    if (watched.phones.length > 0 && sandbox?.accountId !== watched.accountId) {
      throw new Refusal('not-allowed', 'only the demo account of a sandbox has simulated phones', 'phones');
    }
    const mine = [...this.#streams].filter((stream) => stream.watched.accountId === watched.accountId);
    if (this.#streams.size >= MAX_STREAMS || mine.length >= STREAMS_OF_ACCOUNT) {
      throw new Refusal('too-fast', 'too many streams are open, close one or try again');
    }
    const stream: Stream = {
      watched,
      tell,
      end,
      told: new Map(),
      knownTo,
      changedSince: (knownTo ?? this.#deps.clock.now()) - MARGIN_MS,
      due: true,
      wake: () => {},
      closed: false,
    };
    this.#streams.add(stream);
    if (knownTo !== undefined && watched.phones.length > 0) void this.#tellArrived(stream, knownTo);
    void this.#serve(stream);
    return () => this.#close(stream);
  }

  /** Ends all streams. */
  stop(): void {
    this.#unlisten?.();
    for (const stream of [...this.#streams]) {
      this.#close(stream);
      stream.end();
    }
  }

  #close(stream: Stream): void {
    stream.closed = true;
    this.#streams.delete(stream);
    stream.wake();
  }

  async #serve(stream: Stream): Promise<void> {
    const { messageIds, shipmentIds, conversations, conversationId } = stream.watched;
    const isIdle = messageIds.length === 0 && shipmentIds.length === 0 && !conversations;
    if (isIdle && conversationId === null) return;
    while (!stream.closed) {
      const started = performance.now();
      stream.due = false;
      try {
        await supervise('live streams', async () => {
          await this.#look(stream);
          if (stream.watched.conversations) await this.#lookAtConversations(stream);
        });
      } catch (error) {
        const level = isDatabaseTrouble(error) ? 'debug' : 'error';
        this.#deps.log[level]({ err: error }, 'live stream not updated');
      }
      if (stream.closed) return;
      await pause(Math.max(PAUSE_MS, (performance.now() - started) * REST));
      if (!stream.due && !stream.closed) await this.#rest(stream);
    }
  }

  /** Waits for a hint, or the next round. */
  async #rest(stream: Stream): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ROUND_MS);
      stream.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    stream.wake = () => {};
  }

  async #look(stream: Stream): Promise<void> {
    const { progress, clock } = this.#deps;
    const { accountId, messageIds, shipmentIds, conversationId } = stream.watched;
    // Time before the check, so that later commits are checked again.
    const id = String(clock.now());
    const shipments = (
      await Promise.all(shipmentIds.map((shipmentId) => findShipment(this.#deps.sql, accountId, shipmentId)))
    ).filter((shipment) => shipment !== undefined);
    const [counts, messages, replies] = await Promise.all([
      progress.of(accountId, shipments),
      this.#messages(accountId, messageIds, shipments),
      conversationId === null ? [] : lastSent(this.#deps.sql, accountId, conversationId, SHOWN_REPLIES),
    ]);
    if (stream.closed) return;
    for (const message of [...messages, ...replies]) {
      const { status, code, handed_at, final_at, read_at } = message;
      const known = stream.knownTo !== undefined && lastChange(message) < stream.knownTo - MARGIN_MS;
      const isNew = this.#isNew(stream, `message ${message.id}`, [
        status,
        code,
        handed_at,
        final_at,
        read_at,
      ]);
      if (isNew && !known) stream.tell({ id, type: 'message', message });
    }
    for (const shipment of shipments) {
      const counted = counts.get(shipment.id) ?? null;
      const { state, paused_at, unmade } = shipment;
      const what = [state, paused_at, unmade, counted?.outcomes];
      if (this.#isNew(stream, `shipment ${shipment.id}`, what)) {
        stream.tell({ id, type: 'shipment', shipment, counted });
      }
    }
    stream.knownTo = undefined;
  }

  /** Sends changed conversations, repeating those of the last seconds each time, since commits are not in order. */
  async #lookAtConversations(stream: Stream): Promise<void> {
    const { clock } = this.#deps;
    const now = clock.now();
    const changed = await this.#changedConversations(stream);
    if (stream.closed) return;
    stream.changedSince = now - MARGIN_MS;
    for (const conversation of changed.toReversed()) {
      const { id, changed_at, last_id, unread } = conversation;
      if (this.#isNew(stream, `conversation ${id}`, [changed_at, last_id, unread])) {
        stream.tell({ id: String(now), type: 'conversation', conversation, now });
      }
    }
  }

  /**
   * Returns the conversations changed since a stream's last check; streams of an account that check at nearly the same
   * time share one query.
   */
  async #changedConversations({
    watched: { accountId },
    changedSince,
  }: Stream): Promise<readonly Conversation[]> {
    const kept = this.#looks.get(accountId);
    if (kept && kept.since <= changedSince) return kept.rows;
    const { sql, clock } = this.#deps;
    // Early enough for streams whose last check was a round earlier.
    const since = Math.min(changedSince, clock.now() - 2 * MARGIN_MS);
    const rows = changedConversations(sql, accountId, since, TOLD_CONVERSATIONS);
    const look = { since, rows };
    this.#looks.set(accountId, look);
    rows.catch(() => {
      if (this.#looks.get(accountId) === look) this.#looks.delete(accountId);
    });
    return rows;
  }

  #isNew({ told }: Stream, key: string, what: readonly unknown[]): boolean {
    const now = JSON.stringify(what);
    if (told.get(key) === now) return false;
    told.set(key, now);
    return true;
  }

  async #messages(
    accountId: number,
    ids: readonly number[],
    shipments: readonly ShipmentRow[],
  ): Promise<FoundMessage[]> {
    const shown = shipments.filter(({ message_count }) => message_count <= SHOWN_MESSAGES);
    if (ids.length === 0 && shown.length === 0) return [];
    return this.#deps.sql<FoundMessage[]>`
      SELECT ${foundColumns(this.#deps.sql)}
      FROM unnest(
        ${numbers([...ids.map(() => null), ...shown.map(({ id }) => id)])}::bigint[],
        ${numbers([...ids, ...shown.map(({ first_id }) => first_id)])}::bigint[],
        ${numbers([...ids, ...shown.map(({ last_id }) => last_id)])}::bigint[]
      ) AS w (shipment_id, first_id, last_id)
      JOIN messages m ON m.account_id = ${accountId} AND m.id >= w.first_id AND m.id <= w.last_id
        AND (w.shipment_id IS NULL OR m.shipment_id = w.shipment_id)
      ORDER BY m.id`;
  }

  #arrived(arrival: Arrival): void {
    for (const stream of this.#streams) {
      if (stream.watched.phones.includes(arrival.phone)) stream.tell(phoneEvent(arrival));
    }
  }

  async #tellArrived(stream: Stream, knownTo: number): Promise<void> {
    try {
      const lists = await Promise.all(
        stream.watched.phones.map((phone) => this.#deps.sandbox!.phones.list(phone)),
      );
      const missed = lists
        .flat()
        .filter(({ at }) => Date.parse(at) >= knownTo - MARGIN_MS)
        .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
      for (const arrival of missed) if (!stream.closed) stream.tell(phoneEvent(arrival));
    } catch (error) {
      // The client reconnects with the same id.
      this.#deps.log.debug({ err: error }, 'simulated phones could not be read for a live stream');
      this.#close(stream);
      stream.end();
    }
  }
}

const phoneEvent = (arrival: Arrival): LiveEvent => ({
  id: String(Date.parse(arrival.at)),
  type: 'phone',
  arrival,
});

function lastChange({ id, handed_at, final_at, read_at }: FoundMessage): number {
  return Math.max(timeOfId(id), handed_at ?? 0, final_at ?? 0, read_at ?? 0);
}
