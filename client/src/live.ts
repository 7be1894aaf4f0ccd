import { CarillonError } from './errors.ts';
import type { EventType, WebhookEvent } from './events.ts';
import type { Query, Row } from './operations.ts';
import { pause, pauseBefore } from './retries.ts';
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.ts';
import type { Transport } from './transport.ts';

/** Objects that a stream of live updates watches. */
export interface Watched {
  /** Ids of messages. */
  readonly messages?: readonly string[] | undefined;
  /** Ids of shipments and campaigns. */
  readonly shipments?: readonly string[] | undefined;
  /** Simulated phones of the sandbox. */
  readonly phones?: readonly string[] | undefined;
  /** Whether to watch all conversations of the account. */
  readonly conversations?: boolean | undefined;
  /** Id of a conversation whose sent messages are watched. */
  readonly conversation?: string | undefined;
  /** Username of a subscriber for whom the request acts. */
  readonly username?: string | undefined;
}

/** A live update. Its id resumes the stream (`lastEventId`). */
export type LiveEvent = { readonly id: string } & (
  | { readonly type: 'message'; readonly data: Omit<Row<'GET /v1/messages'>, 'text'> }
  | { readonly type: 'shipment'; readonly data: Row<'GET /v1/shipments'> }
  | { readonly type: 'conversation'; readonly data: Row<'GET /v1/conversations'> }
  | {
      readonly type: 'phone';
      readonly data: { readonly phone: string; readonly kind: 'sms' | 'chat' | 'call' } & Readonly<
        Record<string, unknown>
      >;
    }
);

/** Options for reading a stream. */
export interface StreamOptions {
  /** Ends the stream: the iteration rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Id of the last event read; the stream continues after it. */
  readonly lastEventId?: string | undefined;
  /** Called each time that the stream was opened. */
  readonly onOpen?: (() => void) | undefined;
}

/** Milliseconds of silence after which a stream counts as broken: the service sends a comment every 15 seconds. */
const SILENCE_MS = 45_000;
/** Number of failed attempts to open a stream after which the pauses grow no further. */
const MOST_ATTEMPTS = 6;

/** Streams the events of `GET /v1/live`. */
export function liveEvents(
  transport: Transport,
  { messages, shipments, phones, conversations, conversation, username }: Watched,
  options: StreamOptions,
): AsyncGenerator<LiveEvent, void, undefined> {
  const query: Query<'GET /v1/live'> = {
    ...(messages && { messages: messages.join(',') }),
    ...(shipments && { shipments: shipments.join(',') }),
    ...(phones && { phones: phones.join(',') }),
    ...(conversations && { conversations: 'true' as const }),
    ...(conversation !== undefined && { conversation }),
    ...(username !== undefined && { username }),
  };
  return eventsOf(transport, '/v1/live', query, options, ({ id, event, data }) => ({
    id,
    type: event,
    data: JSON.parse(data),
  })) as AsyncGenerator<LiveEvent, void, undefined>;
}

/** Filter for the events of a stream. */
export interface EventFilter {
  /** Event types; all by default. */
  readonly types?: readonly EventType[] | undefined;
  /** Username of a subscriber for whom the request acts. */
  readonly username?: string | undefined;
}

/** Streams the events of `GET /v1/events/stream`. */
export function accountEvents(
  transport: Transport,
  { types, username }: EventFilter,
  options: StreamOptions,
): AsyncGenerator<WebhookEvent, void, undefined> {
  const query: Query<'GET /v1/events/stream'> = {
    ...(types && { types: types.join(',') }),
    ...(username !== undefined && { username }),
  };
  return eventsOf(transport, '/v1/events/stream', query, options, ({ id, data }) => ({
    id,
    ...JSON.parse(data),
  })) as AsyncGenerator<WebhookEvent, void, undefined>;
}

/**
 * Yields the events of a stream. Reopens it after its last event when it ends, breaks or is silent, until the service
 * rejects it. Throws CarillonError in that case, and the reason of the signal.
 */
async function* eventsOf<Event>(
  transport: Transport,
  path: string,
  query: object,
  { signal, lastEventId = '', onOpen }: StreamOptions,
  read: (event: ServerSentEvent) => Event,
): AsyncGenerator<Event, void, undefined> {
  let last = lastEventId;
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const ended = new AbortController();
    const both = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
    let timer = setTimeout(() => ended.abort(), SILENCE_MS);
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => ended.abort(), SILENCE_MS);
    };
    try {
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
      const response = await transport.open(path, query, headers, both);
      onOpen?.();
      for await (const event of serverSentEvents(response.body!, heard)) {
        failures = 0;
        if (event.id !== '') last = event.id;
        if (event.data !== '') yield read(event);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof CarillonError && !isTemporary(error)) throw error;
    } finally {
      clearTimeout(timer);
      // If the caller left the loop, the connection is still open.
      ended.abort();
    }
    failures = Math.min(failures + 1, MOST_ATTEMPTS);
    await pause(pauseBefore(failures, null), signal);
  }
}

const isTemporary = ({ httpStatus = 503 }: CarillonError) => httpStatus === 429 || httpStatus >= 500;
