import { CarillonError } from './errors.ts';
import type { EventType, WebhookEvent } from './events.ts';
import type { Query, Row } from './operations.ts';
import { pause, pauseBefore } from './retries.ts';
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.ts';
import type { Transport } from './transport.ts';

/** What a stream of live updates watches. */
export interface Watched {
  /** Messages, by their ids. */
  readonly messages?: readonly string[] | undefined;
  /** Shipments and campaigns, by their ids. */
  readonly shipments?: readonly string[] | undefined;
  /** Simulated phones of the sandbox. */
  readonly phones?: readonly string[] | undefined;
  /** Every conversation of the account. */
  readonly conversations?: boolean | undefined;
  /** The messages that were sent in this conversation. */
  readonly conversation?: string | undefined;
  /** A subscriber that the request acts for. */
  readonly username?: string | undefined;
}

/** A live update, with the id by which the stream can be gone on with (`lastEventId`). */
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

/** How a stream is read. */
export interface StreamOptions {
  /** Ends the stream: the iteration rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The id of the last event that was read, to go on after it. */
  readonly lastEventId?: string | undefined;
  /** Called whenever the stream was opened. */
  readonly onOpen?: (() => void) | undefined;
}

/** A silent stream is taken for broken: the service says every 15 seconds that it is there. */
const SILENCE_MS = 45_000;
/** How often a stream that cannot be opened is tried before the pauses grow no more. */
const MOST_ATTEMPTS = 6;

/** The events of `GET /v1/live`. */
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

/** Which events a stream has. */
export interface EventFilter {
  /** All without it. */
  readonly types?: readonly EventType[] | undefined;
  /** A subscriber that the request acts for. */
  readonly username?: string | undefined;
}

/** The events of `GET /v1/events/stream`. */
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
 * The events of a stream. It is opened again after its last event when it ends, breaks or is silent, for as long as the service
 * does not refuse it. Throws CarillonError when it does, and the reason of the signal.
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
      // Where the caller left the loop, the connection is still open.
      ended.abort();
    }
    failures = Math.min(failures + 1, MOST_ATTEMPTS);
    await pause(pauseBefore(failures, null), signal);
  }
}

const isTemporary = ({ httpStatus = 503 }: CarillonError) => httpStatus === 429 || httpStatus >= 500;
