/*
 * The floor of chat: the least work that a message over the chat platform can cost in Node.js. It takes the same requests
 * as Carillon and writes the same bytes to the platform, to the client and to the receiver, without any rule: no access
 * control, validation, windows, limits, retries, leases, metrics, or logs, and nothing survives a fault. One account;
 * statements are grouped while the one before is running.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { type Dispatcher, Pool } from 'undici';
import { ChatCallbacks, type ClientMessage, type Message } from '../support/chat-callbacks.ts';
import { answer } from '../support/child.ts';
import type { PlatformAccess } from './chat-platform.ts';

export interface ChatFloorSettings {
  readonly database: {
    readonly host: string;
    readonly port: number;
    readonly password: string;
    readonly database: string;
  };
  readonly platformPort: number;
  readonly callbackPort: number;
  readonly access: PlatformAccess;
}

/** Numbers of rows; `paid` is the initial balance if every message was paid. */
export interface ChatStored {
  readonly messages: number;
  readonly delivered: number;
  readonly shipments: number;
  readonly ledger: number;
  readonly paid: number;
  readonly incoming: number;
  /** Messages that the conversations count as unread. */
  readonly unread: number;
}

interface Accepted extends Message {
  readonly response: ServerResponse;
}

interface Result {
  readonly message: Message;
  readonly status: number;
  readonly platformId: string;
  /** Called when it is stored. */
  readonly stored: () => void;
}

interface Incoming extends ClientMessage {
  readonly platformId: string;
  readonly stored: () => void;
}

/** The parts of the platform's notifications that are used. */
interface Notification {
  readonly entry: readonly {
    readonly changes: readonly {
      readonly value: {
        readonly metadata: { readonly display_phone_number: string };
        readonly statuses?: readonly {
          readonly id: string;
          readonly status: string;
          readonly biz_opaque_callback_data: string;
        }[];
        readonly contacts?: readonly { readonly profile: { readonly name: string } }[];
        readonly messages?: readonly {
          readonly id: string;
          readonly from: string;
          readonly text: { readonly body: string };
        }[];
      };
    }[];
  }[];
}

const PRICE = 1;
const BODY = 'Your order is on its way.';
const SUBMITTED = 1;
const DELIVERED = 2;
/** Parallel requests to the platform, as Carillon has them. */
const REQUESTS = 64;

const TABLES = `
  CREATE TABLE wallets (account_id bigint PRIMARY KEY, balance numeric NOT NULL);
  INSERT INTO wallets VALUES (1, 1e9);
  CREATE TABLE ledger (account_id bigint, id bigint, amount numeric, balance numeric, PRIMARY KEY (account_id, id));
  CREATE TABLE shipments (account_id bigint, id bigint, cost numeric, at bigint, PRIMARY KEY (account_id, id));
  CREATE TABLE messages (account_id bigint, id bigint, shipment_id bigint, recipient text, source text, payload text,
    price numeric, status smallint, carrier_id text, at bigint, PRIMARY KEY (account_id, id));
  CREATE INDEX ON messages (account_id, recipient);
  CREATE TABLE incoming (account_id bigint, platform_id text, id bigint, client text, number text, body text, name text,
    PRIMARY KEY (account_id, platform_id));
  CREATE INDEX ON incoming (account_id, client, id);
  CREATE TABLE conversations (account_id bigint, client text, number text, name text, last_id bigint, last_text text,
    unread integer, PRIMARY KEY (account_id, client, number))`;

const ACCEPT = `
  WITH paid AS (UPDATE wallets SET balance = balance - $5 WHERE account_id = 1 RETURNING balance),
    booked AS (INSERT INTO ledger SELECT 1, u.id, -${PRICE}, p.balance FROM paid p, unnest($1::bigint[]) AS u(id)),
    sent AS (INSERT INTO shipments SELECT 1, u.id, ${PRICE}, $6 FROM unnest($1::bigint[]) AS u(id))
  INSERT INTO messages SELECT 1, u.id, u.shipment_id, u.recipient, u.source, 'plain', ${PRICE}, 0, null, $6
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS u(shipment_id, id, recipient, source)`;

const STORE = `
  UPDATE messages m SET status = u.status, carrier_id = u.carrier_id
  FROM unnest($1::bigint[], $2::smallint[], $3::text[]) AS u(id, status, carrier_id)
  WHERE m.account_id = 1 AND m.id = u.id`;

const TAKE = `
  WITH fresh AS (
    INSERT INTO incoming SELECT 1, u.* FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
      AS u(platform_id, id, client, number, body, name)
    ON CONFLICT DO NOTHING RETURNING id, client, number, body, name
  ), written AS (
    INSERT INTO conversations AS c
    SELECT 1, client, number, max(name), max(id), (array_agg(body ORDER BY id DESC))[1], count(*) FROM fresh GROUP BY client, number
    ON CONFLICT (account_id, client, number) DO UPDATE SET
      name = excluded.name, last_id = excluded.last_id, last_text = excluded.last_text, unread = c.unread + excluded.unread
  )
  SELECT id FROM fresh`;

let clients: readonly pg.Client[] = [];

async function start(settings: ChatFloorSettings): Promise<number> {
  clients = [0, 1, 2].map(() => new pg.Client({ ...settings.database, user: 'carillon' }));
  for (const client of clients) await client.connect();
  const [accepting, storing, taking] = clients as [pg.Client, pg.Client, pg.Client];
  await accepting.query(TABLES);
  // Without statistics of the growing table, PostgreSQL would read all of it for each group.
  await storing.query('SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off');
  const callbacks = new ChatCallbacks(settings.callbackPort);
  const results = new Groups<Result>((group) => store(storing, callbacks, group));
  const platform = new Platform(settings, results);
  return listen({
    settings,
    platform,
    results,
    accepting: new Groups((group) => accept(accepting, platform, group)),
    taking: new Groups((group) => take(taking, callbacks, group)),
  });
}

interface Floor {
  readonly settings: ChatFloorSettings;
  readonly platform: Platform;
  readonly results: Groups<Result>;
  readonly accepting: Groups<Accepted>;
  readonly taking: Groups<Incoming>;
}

// As long as the ids of Carillon.
let nextId = 246_276_223_975_424;

/** Resolves to the port. */
function listen(floor: Floor): Promise<number> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(new URLSearchParams(request.url!.split('?')[1]).get('hub.challenge'));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      if (request.url === '/chat-webhooks') notify(floor, request, body, response);
      else {
        const { source, destination } = JSON.parse(body.toString()) as Message;
        floor.accepting.add({ id: nextId++, shipmentId: nextId++, source, destination, response });
      }
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', 1_024, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Collects items while a group is being stored. */
class Groups<T> {
  readonly #store: (group: readonly T[]) => Promise<void>;
  #waiting: T[] = [];
  #isBusy = false;

  constructor(store: (group: readonly T[]) => Promise<void>) {
    this.#store = store;
  }

  add(item: T): void {
    this.#waiting.push(item);
    // After the items that arrived in the same turn of the event loop.
    if (!this.#isBusy) setImmediate(() => void this.#go());
  }

  async #go(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#store(group);
    }
    this.#isBusy = false;
  }
}

async function accept(client: pg.Client, platform: Platform, group: readonly Accepted[]): Promise<void> {
  const now = Date.now();
  await client.query({
    name: 'accept',
    text: ACCEPT,
    values: [
      group.map(({ shipmentId }) => shipmentId),
      group.map(({ id }) => id),
      group.map(({ destination }) => destination),
      group.map(({ source }) => source),
      group.length * PRICE,
      now,
    ],
  });
  for (const { response, ...message } of group) {
    const { id, source, destination } = message;
    const body = `{"success":true,"ans":{"status":"OK","unique":"${id}","timestamp":${Math.floor(now / 1_000)},"from":"${source}","to":"${destination}","body":"${BODY}","templateTimeLeft":0,"conversationTimeLeft":1440,"reason":1}}`;
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    });
    response.end(body);
    platform.send(message);
  }
}

async function store(client: pg.Client, callbacks: ChatCallbacks, group: readonly Result[]): Promise<void> {
  // One row for each message: the delivery replaces the answer.
  const last = new Map(group.map((result) => [result.message.id, result]));
  const rows = [...last.values()];
  await client.query({
    name: 'store',
    text: STORE,
    values: [[...last.keys()], rows.map(({ status }) => status), rows.map(({ platformId }) => platformId)],
  });
  for (const { message, status, stored } of group) {
    stored();
    callbacks.status(message, status === DELIVERED ? 'delivered' : 'sent');
  }
}

async function take(client: pg.Client, callbacks: ChatCallbacks, group: readonly Incoming[]): Promise<void> {
  const { rows } = await client.query<{ id: string }>({
    name: 'take',
    text: TAKE,
    values: [
      group.map(({ platformId }) => platformId),
      group.map(({ id }) => id),
      group.map(({ client: from }) => from),
      group.map(({ number }) => number),
      group.map(({ text }) => text),
      group.map(({ name }) => name),
    ],
  });
  const fresh = new Set(rows.map(({ id }) => Number(id)));
  for (const message of group) {
    message.stored();
    if (fresh.has(message.id)) callbacks.message(message);
  }
}

/** Requests to the platform, and the messages without a delivery. */
class Platform {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: string[];
  readonly #results: Groups<Result>;
  readonly #sent = new Map<number, Message>();

  constructor({ platformPort, access }: ChatFloorSettings, results: Groups<Result>) {
    this.#pool = new Pool(`http://127.0.0.1:${platformPort}`, { connections: REQUESTS, pipelining: 1 });
    this.#path = `/v26.0/${access.numberId}/messages`;
    this.#headers = ['authorization', `Bearer ${access.token}`, 'content-type', 'application/json'];
    this.#results = results;
  }

  send(message: Message): void {
    this.#sent.set(message.id, message);
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => {
        const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: [{ id: string }] };
        this.#results.add({ message, status: SUBMITTED, platformId: messages[0].id, stored() {} });
      },
      onResponseError(_controller, error) {
        throw error;
      },
    };
    const body = submitOf(message);
    this.#pool.dispatch({ path: this.#path, method: 'POST', headers: this.#headers, body }, handler);
  }

  delivered(id: number): Message {
    const message = this.#sent.get(id)!;
    this.#sent.delete(id);
    return message;
  }
}

/** Returns the body of the request to the platform. */
const submitOf = ({ id, destination }: Message) =>
  `{"messaging_product":"whatsapp","recipient_type":"individual","to":"+${destination}","biz_opaque_callback_data":"1.${id}","type":"template","template":{"name":"plain","language":{"code":"en"},"components":[]}}`;

/** Takes a webhook of the platform, and answers it when its contents are stored. */
function notify(
  { settings, platform, results, taking }: Floor,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const signature = Buffer.from(String(request.headers['x-hub-signature-256']).slice(7), 'hex');
  const expected = createHmac('sha256', settings.access.appSecret).update(body).digest();
  if (!timingSafeEqual(signature, expected)) throw new Error('a webhook has another signature');
  let open = 1;
  const stored = () => {
    if (--open > 0) return;
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  };
  for (const { changes } of (JSON.parse(body.toString()) as Notification).entry) {
    for (const { value } of changes) {
      for (const { id: platformId, status, biz_opaque_callback_data: reference } of value.statuses ?? []) {
        if (status !== 'delivered') continue;
        open++;
        const message = platform.delivered(Number(reference.slice(2)));
        results.add({ message, status: DELIVERED, platformId, stored });
      }
      for (const [index, { id: platformId, from, text }] of (value.messages ?? []).entries()) {
        open++;
        const number = value.metadata.display_phone_number;
        const { name } = value.contacts![index]!.profile;
        taking.add({ id: nextId++, platformId, number, client: from, name, text: text.body, stored });
      }
    }
  }
  stored();
}

answer({
  start,
  async stop(): Promise<void> {
    for (const client of clients) await client.end();
  },
  /** Returns the body of the request to the platform, to be compared with Carillon's. */
  submitOf: (destination: string) => submitOf({ id: 1, shipmentId: 0, source: '', destination }),
  /** Returns what is stored. */
  async stored(): Promise<ChatStored> {
    const { rows } = await clients[0]!.query<ChatStored>(`
      SELECT (SELECT count(*)::integer FROM messages WHERE status = ${DELIVERED}) AS delivered,
        (SELECT count(*)::integer FROM messages) AS messages, (SELECT count(*)::integer FROM shipments) AS shipments,
        (SELECT count(*)::integer FROM ledger) AS ledger,
        (SELECT balance + (SELECT count(*) FROM shipments) FROM wallets)::float AS paid,
        (SELECT count(*)::integer FROM incoming) AS incoming,
        (SELECT coalesce(sum(unread), 0)::integer FROM conversations) AS unread`);
    return rows[0]!;
  },
});
