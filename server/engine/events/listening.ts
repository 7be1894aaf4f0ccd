import { setTimeout as pause } from 'node:timers/promises';
import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { supervise } from '../../kit/owners.ts';
import { type Event, type Item, itemsOf } from './types.ts';

/*
 * Streams of an account's events as they are recorded, for programs without a reachable address (`GET
 * /v1/events/stream`). Events that no endpoint receives are normally not stored; those of an account with a stream are
 * stored as if it had a webhook for all events.
 */

/**
 * Milliseconds after opening a stream for which the events of its account are stored: longer than a stream lasts, so
 * that it can be resumed.
 */
const LISTENS_MS = 15 * 60_000;
/** Milliseconds between two polls of a stream. */
const LOOK_MS = 500;
/** Batches get their ids before the commit, so those of this many last milliseconds are read again. */
const MARGIN_MS = 10_000;
const BATCHES = 10;
const MAX_STREAMS = 200;
const STREAMS_OF_ACCOUNT = 10;

/** Position of a stream: it continues after this event. */
export interface EventPosition {
  readonly batchId: number;
}

/** The reader of a stream. */
export interface EventReader {
  /** Receives events in the order in which they were recorded; after a lost connection some are repeated. */
  readonly tell: (item: Item) => void;
  /** Whether the reader can accept no more events now. */
  readonly isFull: () => boolean;
  /** Called when this process ends the stream. */
  readonly end: () => void;
}

interface ListeningDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  /** Rereads which accounts have streams. */
  readonly refresh: () => Promise<void>;
}

/** The event streams of this process. */
export class Listening {
  readonly #deps: ListeningDeps;
  readonly #streams = new Map<EventReader, number>();

  constructor(deps: ListeningDeps) {
    this.#deps = deps;
  }

  /**
   * Opens a stream with the events after a position, or from now on. Returns a function that ends it. Other processes
   * start to store the account's events within two seconds. Throws Refusal `too-fast` when there are too many streams.
   */
  async open(accountId: number, after: EventPosition | undefined, reader: EventReader): Promise<() => void> {
    const mine = [...this.#streams.values()].filter((id) => id === accountId);
    if (this.#streams.size >= MAX_STREAMS || mine.length >= STREAMS_OF_ACCOUNT) {
      throw new Refusal('too-fast', 'too many streams are open, close one or try again');
    }
    this.#streams.set(reader, accountId);
    const { sql, clock, refresh } = this.#deps;
    const now = clock.now();
    try {
      await sql`
        INSERT INTO event_listeners (account_id, until) VALUES (${accountId}, ${now + LISTENS_MS})
        ON CONFLICT (account_id) DO UPDATE SET until = greatest(event_listeners.until, excluded.until)`;
      await refresh();
    } catch (error) {
      this.#streams.delete(reader);
      throw error;
    }
    void this.#serve(accountId, after ? after.batchId : idFloor(now), after !== undefined, reader);
    return () => this.#streams.delete(reader);
  }

  /** Ends all streams. */
  stop(): void {
    for (const reader of this.#streams.keys()) reader.end();
    this.#streams.clear();
  }

  async #serve(accountId: number, begin: number, isResumed: boolean, reader: EventReader): Promise<void> {
    const { sql, clock, log } = this.#deps;
    // After a resume, late commits are sent again, because it is not known which of them were sent.
    let floor = isResumed ? idFloor(timeOfId(begin) - MARGIN_MS) : begin;
    let told: number[] = [];
    while (this.#streams.has(reader)) {
      let isMore = false;
      try {
        await supervise('live streams', async () => {
          const batches = reader.isFull() ? [] : await unread(sql, accountId, floor, told);
          for (const { id, events } of batches) {
            for (const item of itemsOf(id, events)) {
              if (item.event.type !== 'status.callback') reader.tell(item);
            }
            told.push(id);
          }
          isMore = batches.length === BATCHES;
          if (!isMore) {
            floor = Math.max(floor, idFloor(clock.now() - MARGIN_MS));
            told = told.filter((id) => id >= floor);
          }
        });
      } catch (error) {
        const level = isDatabaseTrouble(error) ? 'debug' : 'error';
        log[level]({ err: error }, 'event stream not updated');
      }
      await pause(isMore ? 0 : LOOK_MS, undefined, { ref: false });
    }
  }
}

/** Returns the oldest batches of an account from an id on, except those already sent. */
async function unread(sql: Sql, accountId: number, floor: number, told: readonly number[]) {
  const rows = await sql<{ id: number; events: string }[]>`
    SELECT id, events FROM event_batches
    WHERE account_id = ${accountId} AND id >= ${floor} AND id <> ALL(${numbers(told)}::bigint[])
    ORDER BY id LIMIT ${BATCHES}`;
  return rows.map(({ id, events }) => ({ id, events: JSON.parse(events) as Event[] }));
}

/** Returns an event of the last 30 days by its public id; undefined when it is not stored. */
export async function eventByKey(sql: Sql, accountId: number, key: string): Promise<Item | undefined> {
  const place = placeOf(key);
  if (!place) return undefined;
  const rows = await sql<{ events: string }[]>`
    SELECT events FROM event_batches WHERE account_id = ${accountId} AND id = ${place.batchId}`;
  const [row] = rows;
  return row && itemsOf(place.batchId, JSON.parse(row.events) as Event[])[place.index];
}

/** Parses the id of an event; undefined for anything else. */
export function placeOf(key: string): (EventPosition & { readonly index: number }) | undefined {
  const [, batchId, index] = /^evt_(\d{1,16})_(\d{1,3})$/.exec(key) ?? [];
  return batchId === undefined ? undefined : { batchId: Number(batchId), index: Number(index) };
}
