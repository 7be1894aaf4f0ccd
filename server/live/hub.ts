import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { changedConversations } from '../conversations/list.ts';
import type { Conversation } from '../conversations/rows.ts';
import { lastSent } from '../conversations/timeline.ts';
import { numbers } from '../database/arrays.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import { Refusal } from '../errors.ts';
import { timeOfId } from '../ids.ts';
import { type FoundMessage, foundColumns } from '../messages/search.ts';
import type { Counted, ShipmentProgress } from '../messages/shipment-progress.ts';
import { findShipment, type ShipmentRow } from '../messages/shipments.ts';
import { supervise } from '../owners.ts';

/** Looks without a hint. */
const ROUND_MS = 2_000;
/** Between two looks of one stream. */
const PAUSE_MS = 100;
/** Looking takes a fifth of the time at most. */
const REST = 4;
const MAX_STREAMS = 500;
/** Everybody who answers conversations has one open. */
const STREAMS_OF_ACCOUNT = 100;
/** Messages of a watched shipment are watched, too, when it has no more than this. */
const SHOWN_MESSAGES = 50;
/** Messages of a watched conversation. */
const SHOWN_REPLIES = 30;
/** Conversations that are told at once, the last changed ones: more than that nobody reads. */
const TOLD_CONVERSATIONS = 200;
/** Streams of an account that are woken by one hint look within this. */
const SHARED_LOOK_MS = 50;
/** What was stored before this long is known to a client that has seen what came then: clocks and commits differ. */
const MARGIN_MS = 5_000;

/** What one stream is about. */
interface Watched {
  readonly accountId: number;
  readonly messageIds: readonly number[];
  readonly shipmentIds: readonly number[];
  /** Simulated phones, E.164 digits. */
  readonly phones: readonly string[];
  /** Every conversation of the account. */
  readonly conversations: boolean;
  /** A conversation, of which the last messages that were sent are watched; null: none. */
  readonly conversationId: number | null;
}

/** What came to a simulated phone. */
export interface Arrival {
  readonly phone: string;
  readonly kind: 'sms' | 'chat' | 'call';
  /** When, as an ISO 8601 time. */
  readonly at: string;
  /** As the phone shows it. */
  readonly item: object;
}

/** The simulated phones of the sandbox. */
export interface PhoneFeed {
  /** What came to a phone and is kept, oldest first. */
  list(phone: string): Promise<readonly Arrival[]>;
  /** Calls back for what comes to any phone. Returns what ends that. */
  listen(heard: (arrival: Arrival) => void): () => void;
}

/** Something to be told. The id is when it was looked at, by which a stream can be gone on with. */
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
  /** What was told last of each message and shipment. */
  readonly told: Map<string, string>;
  /** A client that comes again knows what was stored before this; undefined for a new one. */
  knownTo: number | undefined;
  /** From when on conversations are looked for that have changed. */
  changedSince: number;
  due: boolean;
  wake: () => void;
  closed: boolean;
}

interface LiveHubDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly progress: ShipmentProgress;
  /** In a sandbox: its phones, and whose they are. */
  readonly sandbox?: { readonly phones: PhoneFeed; readonly accountId: number } | undefined;
}

/**
 * Tells streams what changes of the messages, shipments and simulated phones that they watch. A hint says which accounts
 * to look at; what is told is what the tables have then, so nothing rests on a hint, and nothing that happened while a
 * client was away is lost: each look tells what differs from what was told last.
 */
export class LiveHub {
  readonly #deps: LiveHubDeps;
  readonly #streams = new Set<Stream>();
  /** The last look at the conversations of an account. */
  readonly #looks = new Map<number, { at: number; since: number; rows: Promise<readonly Conversation[]> }>();
  #unlisten: (() => void) | undefined;

  constructor(deps: LiveHubDeps) {
    this.#deps = deps;
    this.#unlisten = deps.sandbox?.phones.listen((arrival) => this.#arrived(arrival));
  }

  /** Messages of an account may have changed; null: of any. */
  changed(accountId: number | null): void {
    // A look that has begun may have missed it.
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
   * Begins a stream: `tell` gets what everything watched is now (but what a client that has seen everything to `knownTo`,
   * an event's id, knows), and then each change, until the returned function is called. `end` is called when the stream
   * is ended from here. Throws Refusal `too-fast` when there are too many, `not-allowed` for phones of others.
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

  /** Ends every stream. */
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

  /** Until a hint, or the next round. */
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
    // From before the look: what is committed after it is looked at again.
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

  /** Tells conversations that have changed: those of the last seconds again each time, as commits are not in order. */
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

  /** What has changed since a stream looked; streams of an account that look within a moment share one look. */
  async #changedConversations({
    watched: { accountId },
    changedSince,
  }: Stream): Promise<readonly Conversation[]> {
    const kept = this.#looks.get(accountId);
    if (kept && kept.since <= changedSince && performance.now() - kept.at < SHARED_LOOK_MS) return kept.rows;
    const { sql, clock } = this.#deps;
    // Far enough back for streams that looked a round earlier.
    const since = Math.min(changedSince, clock.now() - 2 * MARGIN_MS);
    const rows = changedConversations(sql, accountId, since, TOLD_CONVERSATIONS);
    const look = { at: performance.now(), since, rows };
    this.#looks.set(accountId, look);
    const forget = () => {
      if (this.#looks.get(accountId) === look) this.#looks.delete(accountId);
    };
    setTimeout(forget, SHARED_LOOK_MS).unref();
    rows.catch(forget);
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
      // The client comes again with the same id.
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
