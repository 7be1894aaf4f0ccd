import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import { Refusal } from '../errors.ts';
import { idFloor, timeOfId } from '../ids.ts';
import { supervise } from '../owners.ts';
import { type Event, type Item, itemsOf } from './types.ts';

/*
 * Programs that read the events of an account as they are recorded, without an address that could be called (`GET
 * /v1/events/stream`). Events that no endpoint wants are not stored; those of an account that listens are, as if it had a
 * webhook for all of them.
 */

/** For so long after a stream was opened the events of its account are stored: longer than one lives, so that it can go on. */
const LISTENS_MS = 15 * 60_000;
/** How often a stream looks. */
const LOOK_MS = 500;
/** Batches have their ids before they are committed: those of the last seconds are looked for again. */
const MARGIN_MS = 10_000;
const BATCHES = 10;
const MAX_STREAMS = 200;
const STREAMS_OF_ACCOUNT = 10;

/** Where a stream goes on: after this event. */
export interface EventPosition {
  readonly batchId: number;
}

/** Who reads a stream. */
export interface EventReader {
  /** Gets the events in the order in which they were recorded; after a cut connection some come twice. */
  readonly tell: (item: Item) => void;
  /** Whether nothing more can be told now. */
  readonly isFull: () => boolean;
  /** Called when the stream is ended from here. */
  readonly end: () => void;
}

interface ListeningDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  /** Learns at once which accounts listen. */
  readonly refresh: () => Promise<void>;
}

/** The streams of events of this process. */
export class Listening {
  readonly #deps: ListeningDeps;
  readonly #streams = new Map<EventReader, number>();

  constructor(deps: ListeningDeps) {
    this.#deps = deps;
  }

  /**
   * Begins a stream with the events after a position, or those from now on; returns what ends it. Other processes store the
   * events of the account from at most two seconds later on. Throws Refusal `too-fast` when there are too many streams.
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

  /** Ends every stream. */
  stop(): void {
    for (const reader of this.#streams.keys()) reader.end();
    this.#streams.clear();
  }

  async #serve(accountId: number, begin: number, isResumed: boolean, reader: EventReader): Promise<void> {
    const { sql, clock, log } = this.#deps;
    // What was committed late is told again where a stream goes on: which of it was told is not known.
    let floor = isResumed ? idFloor(timeOfId(begin) - MARGIN_MS) : begin;
    let told: number[] = [];
    while (this.#streams.has(reader)) {
      let isMore = false;
      try {
        await supervise('live streams', async () => {
          const batches = reader.isFull() ? [] : await unread(sql, accountId, floor, told);
          for (const { id, events } of batches) {
            for (const item of itemsOf(id, events)) reader.tell(item);
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

/** The oldest batches of an account from an id on, without those that were told. */
async function unread(sql: Sql, accountId: number, floor: number, told: readonly number[]) {
  const rows = await sql<{ id: number; events: string }[]>`
    SELECT id, events FROM event_batches
    WHERE account_id = ${accountId} AND id >= ${floor} AND id <> ALL(${numbers(told)}::bigint[])
    ORDER BY id LIMIT ${BATCHES}`;
  return rows.map(({ id, events }) => ({ id, events: JSON.parse(events) as Event[] }));
}

/** An event of the last 30 days by the id that receivers see; undefined for one that is not stored. */
export async function eventByKey(sql: Sql, accountId: number, key: string): Promise<Item | undefined> {
  const place = placeOf(key);
  if (!place) return undefined;
  const rows = await sql<{ events: string }[]>`
    SELECT events FROM event_batches WHERE account_id = ${accountId} AND id = ${place.batchId}`;
  const [row] = rows;
  return row && itemsOf(place.batchId, JSON.parse(row.events) as Event[])[place.index];
}

/** What the id of an event says; undefined for what is none. */
export function placeOf(key: string): (EventPosition & { readonly index: number }) | undefined {
  const [, batchId, index] = /^evt_(\d{1,16})_(\d{1,3})$/.exec(key) ?? [];
  return batchId === undefined ? undefined : { batchId: Number(batchId), index: Number(index) };
}
