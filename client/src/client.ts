import type { WebhookEvent } from './events.ts';
import {
  accountEvents,
  type EventFilter,
  type LiveEvent,
  liveEvents,
  type StreamOptions,
  type Watched,
} from './live.ts';
import type { Answer, Input, InputArguments, OperationName, PagedName, Row } from './operations.ts';
import { Pages } from './pages.ts';
import { type Resources, resources } from './resources.ts';
import { bodied, type Operations, paged } from './schema.ts';
import { type AnyInput, type ClientOptions, Transport } from './transport.ts';

type SmsRoot = Extract<OperationName, `POST /api#${string}`> extends `POST /api#${infer Root}` ? Root : never;
type SmsContent<Root extends SmsRoot> = Operations[`POST /api#${Root}`]['body'] extends infer Sent
  ? Sent[Root & keyof Sent]
  : never;

class Client {
  readonly #transport: Transport;

  /** Throws TypeError for a missing token and an invalid URL. It sends no request. */
  constructor(options: ClientOptions) {
    if (!options.token) throw new TypeError('the option token is missing');
    this.#transport = new Transport(options);
    for (const [resource, methods] of Object.entries(resources)) {
      const bound = Object.entries(methods).map(([name, operation]) => [name, this.#method(operation)]);
      Object.defineProperty(this, resource, { value: Object.fromEntries(bound), enumerable: true });
    }
  }

  /**
   * Requests an operation: `client.request('POST /v1/sms', { body: { … } })`. A paged operation returns one page; use
   * `list` for all rows. An operation that returns a file returns the response.
   *
   * @throws CarillonError for a rejected request, CarillonConnectionError without an answer, and the reason of `signal`
   */
  request<Name extends OperationName>(name: Name, ...[input]: InputArguments<Name>): Promise<Answer<Name>> {
    return this.#transport.request(name, input as AnyInput | undefined) as Promise<Answer<Name>>;
  }

  /** Returns the rows of a paged operation: `for await (const row of client.list('GET /v1/messages'))`. */
  list<Name extends PagedName>(name: Name, ...[input]: InputArguments<Name>): Pages<Answer<Name>, Row<Name>> {
    const given = (input ?? {}) as AnyInput;
    const fetchPage = (after: string | undefined) => {
      const query = after === undefined ? given.query : { ...given.query, after };
      return this.#transport.request(name, { ...given, query }) as Promise<Answer<Name>>;
    };
    return new Pages(fetchPage, paged[name]);
  }

  /**
   * Requests an operation of `POST /api` by its root element: `client.api('sms', { user, source, destinations, message
   * })`. With `dryRun` the request is only checked. Throws like `request`.
   */
  api<Root extends SmsRoot>(
    root: Root,
    content: SmsContent<Root>,
    options: Omit<Input<`POST /api#${Root}`>, 'body'> = {} as never,
  ): Promise<Answer<`POST /api#${Root}`>> {
    const name = `POST /api#${root}` as const;
    const input = { ...options, body: { [root]: content } } as AnyInput;
    return this.#transport.request(name, input) as Promise<Answer<`POST /api#${Root}`>>;
  }

  /**
   * Streams changes (`GET /v1/live`): `for await (const event of client.live({ messages: [id] }))`. Reopens a stream
   * that ends and continues after its last event; an event may be repeated. Ends with `break` or `signal`.
   *
   * @throws CarillonError when the service refuses to open it
   */
  live(watched: Watched, options: StreamOptions = {}): AsyncGenerator<LiveEvent, void, undefined> {
    return liveEvents(this.#transport, watched, options);
  }

  /**
   * Streams the events that a webhook for all types would receive (`GET /v1/events/stream`), for programs without a
   * reachable address: `for await (const event of client.events())`. Reopens a stream that ends and continues after its
   * last event; an event may be repeated. Ends with `break` or `signal`.
   *
   * @throws CarillonError when the service refuses to open it
   */
  events(
    filter: EventFilter = {},
    options: StreamOptions = {},
  ): AsyncGenerator<WebhookEvent, void, undefined> {
    return accountEvents(this.#transport, filter, options);
  }

  #method(operation: OperationName) {
    return (...given: unknown[]) => {
      const input: Record<string, unknown> = {};
      if (operation.includes('{id}')) input.path = { id: given.shift() };
      const [first, options] = given as [unknown, Readonly<Record<string, unknown>> | undefined];
      const { username, ...others } = options ?? {};
      if (operation in bodied) Object.assign(input, { body: first, query: { username } });
      else input.query = first;
      const whole = { ...others, ...input };
      return operation in paged
        ? this.list(operation as PagedName, whole as never)
        : this.#transport.request(operation, whole);
    };
  }
}

/** A client of one account: its methods are those of `resources`, and `request`, `list`, `api`, `live` and `events`. */
export type Carillon = Client & Resources;

/**
 * The client of a service: `new Carillon({ url, token })`. Requests that fail for a temporary reason are repeated.
 * Requests that send or pay have a send key, so that they are executed once.
 */
export const Carillon = Client as unknown as new (options: ClientOptions) => Carillon;
