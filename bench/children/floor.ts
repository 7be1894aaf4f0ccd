/*
 * The floor: the least work that a message can cost in Node.js. It takes the same requests as Carillon and writes the same
 * bytes to the network and to the receiver, without any rule: no access control, validation, routing, retries, leases,
 * metrics, or logs, and nothing survives a fault. One account; statements are grouped while the one before is running.
 */
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import pg from 'pg';
import { CallbackPool } from '../support/callback-pool.ts';
import { answer } from '../support/child.ts';

export interface FloorSettings {
  readonly database: {
    readonly host: string;
    readonly port: number;
    readonly password: string;
    readonly database: string;
  };
  readonly smscPort: number;
  readonly callbackPort: number;
  readonly systemId: string;
  readonly password: string;
}

interface Sms {
  readonly source: string;
  readonly message: string;
  readonly destinations: { readonly phone: { readonly $: { readonly id: string }; readonly _: string } };
}

type Body = { readonly sms?: Sms; readonly bulk?: { readonly messages: { readonly sms: readonly Sms[] } } };

interface Message {
  readonly id: number;
  readonly shipmentId: number;
  /** E.164 digits. */
  readonly phone: string;
  readonly text: string;
  readonly externalId: string;
}

/** Numbers of rows; `paid` is the initial balance if every message was paid. */
export interface Stored {
  readonly messages: number;
  readonly delivered: number;
  readonly shipments: number;
  readonly ledger: number;
  readonly paid: number;
}

interface Request {
  readonly shipmentId: number;
  readonly messages: readonly Message[];
  readonly response: ServerResponse;
}

const PRICE = 1;
const SOURCE = 'Carillon';
/** Unanswered submit_sm, as a connector of Carillon has it by default. */
const WINDOW = 500;
/** Messages in a group of results. */
const RESULTS = 2_000;
const SUBMITTED = 1;
const DELIVERED = 2;

const TABLES = `
  CREATE TABLE wallets (account_id bigint PRIMARY KEY, balance numeric NOT NULL);
  INSERT INTO wallets VALUES (1, 1e9);
  CREATE TABLE ledger (account_id bigint, id bigint, amount numeric, balance numeric, PRIMARY KEY (account_id, id));
  CREATE TABLE shipments (account_id bigint, id bigint, cost numeric, count integer, at bigint, PRIMARY KEY (account_id, id));
  CREATE TABLE messages (account_id bigint, id bigint, shipment_id bigint, recipient text, source text, payload text,
    external_id text, price numeric, status smallint, carrier_id text, at bigint, PRIMARY KEY (account_id, id));
  CREATE INDEX ON messages (account_id, external_id);
  CREATE INDEX ON messages (account_id, recipient)`;

const ACCEPT = `
  WITH paid AS (UPDATE wallets SET balance = balance - $9 WHERE account_id = 1 RETURNING balance),
    booked AS (INSERT INTO ledger SELECT 1, u.id, -u.cost, p.balance FROM paid p, unnest($1::bigint[], $2::numeric[]) AS u(id, cost)),
    sent AS (INSERT INTO shipments SELECT 1, u.id, u.cost, u.count, $10 FROM unnest($1::bigint[], $2::numeric[], $3::integer[]) AS u(id, cost, count))
  INSERT INTO messages SELECT 1, u.id, u.shipment_id, u.recipient, '${SOURCE}', u.payload, u.external_id, ${PRICE}, 0, null, $10
  FROM unnest($4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[]) AS u(id, shipment_id, recipient, payload, external_id)`;

const STORE = `
  UPDATE messages m SET status = u.status, carrier_id = u.carrier_id
  FROM unnest($1::bigint[], $2::smallint[], $3::text[]) AS u(id, status, carrier_id)
  WHERE m.account_id = 1 AND m.id = u.id`;

let clients: readonly pg.Client[] = [];

async function start(settings: FloorSettings): Promise<number> {
  clients = [0, 1].map(() => new pg.Client({ ...settings.database, user: 'carillon' }));
  const [accepting, storing] = clients as [pg.Client, pg.Client];
  for (const client of clients) await client.connect();
  await accepting.query(TABLES);
  // Without statistics of the growing table, PostgreSQL would read all of it for each group.
  await storing.query('SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off');
  const callbacks = new Callbacks(settings.callbackPort);
  const results = new Results(storing, callbacks);
  const carrier = new Carrier(results);
  await carrier.bind(settings);
  return listen(new Acceptor(accepting, carrier));
}

/** Resolves to the port. */
function listen(acceptor: Acceptor): Promise<number> {
  // As long as the ids of Carillon.
  let next = 246_276_223_975_424;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { sms, bulk } = JSON.parse(
        (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString(),
      ) as Body;
      const shipmentId = next++;
      const messages = (sms ? [sms] : bulk!.messages.sms).map(({ message, destinations: { phone } }) => ({
        id: next++,
        shipmentId,
        phone: `972${phone._.slice(1)}`,
        text: message,
        externalId: phone.$.id,
      }));
      acceptor.add({ shipmentId, messages, response });
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', 1_024, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Stores requests in groups, answers them and passes their messages on. */
class Acceptor {
  readonly #client: pg.Client;
  readonly #carrier: Carrier;
  #waiting: Request[] = [];
  #isBusy = false;

  constructor(client: pg.Client, carrier: Carrier) {
    this.#client = client;
    this.#carrier = carrier;
  }

  add(request: Request): void {
    this.#waiting.push(request);
    // After the requests that arrived in the same turn of the event loop.
    if (!this.#isBusy) setImmediate(() => void this.#go());
  }

  async #go(): Promise<void> {
    if (this.#isBusy || this.#waiting.length === 0) return;
    this.#isBusy = true;
    const group = this.#waiting;
    this.#waiting = [];
    const messages = group.length === 1 ? group[0]!.messages : group.flatMap((request) => request.messages);
    await this.#client.query({
      name: 'accept',
      text: ACCEPT,
      values: [
        group.map((request) => request.shipmentId),
        group.map((request) => request.messages.length * PRICE),
        group.map((request) => request.messages.length),
        messages.map((message) => message.id),
        messages.map((message) => message.shipmentId),
        messages.map((message) => message.phone),
        messages.map((message) => message.text),
        messages.map((message) => message.externalId),
        messages.length * PRICE,
        Date.now(),
      ],
    });
    for (const { shipmentId, response } of group) {
      const body = `{"status":0,"message":"SMS will be sent","shipment_id":"${shipmentId}"}`;
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
      });
      response.end(body);
    }
    this.#carrier.add(messages);
    this.#isBusy = false;
    void this.#go();
  }
}

/* SMPP 3.4, by hand: only what this network sends. */
const HEADER = 16;
const command = {
  submitSm: 0x0000_0004,
  deliverSm: 0x0000_0005,
  bindTransceiver: 0x0000_0009,
  enquireLink: 0x0000_0015,
  submitSmResp: 0x8000_0004,
  deliverSmResp: 0x8000_0005,
  bindTransceiverResp: 0x8000_0009,
  enquireLinkResp: 0x8000_0015,
};
/** Octets of submit_sm before the source address: no service type, an alphanumeric source. */
const BEFORE_SOURCE = [0, 5, 0];
/** An international destination. */
const BEFORE_DESTINATION = [1, 1];
/** From esm_class to sm_default_msg_id: validity of one day less a second, receipts, data coding 0. */
const AFTER_DESTINATION = Buffer.from('\0\0\0\x00000000235959000R\0\x01\0\0\0', 'latin1');

/** Texts of one part have at most 160 octets. */
const LONGEST_SUBMIT = 320;

class Carrier {
  readonly #results: Results;
  readonly #flights = new Map<number, Message>();
  readonly #sent = new Map<string, Message>();
  #waiting: Message[] = [];
  #at = 0;
  #sequence = 1;
  #socket!: Socket;
  #rest: Buffer | undefined;
  #bound: (() => void) | undefined;

  constructor(results: Results) {
    this.#results = results;
  }

  bind({ smscPort, systemId, password }: FloorSettings): Promise<void> {
    return new Promise((resolve) => {
      this.#bound = resolve;
      this.#socket = connect({ port: smscPort, host: '127.0.0.1', noDelay: true }, () => {
        const body = Buffer.from(`${systemId}\0${password}\0\0\x34\0\0\0`, 'latin1');
        this.#socket.write(Buffer.concat([header(HEADER + body.length, command.bindTransceiver, 1), body]));
      });
      this.#socket.on('data', (chunk) => this.#receive(chunk));
    });
  }

  add(messages: readonly Message[]): void {
    this.#waiting =
      this.#at === this.#waiting.length ? [...messages] : [...this.#waiting.slice(this.#at), ...messages];
    this.#at = 0;
    this.#submit();
  }

  #submit(): void {
    const count = Math.min(WINDOW - this.#flights.size, this.#waiting.length - this.#at);
    if (count <= 0) return;
    const buffer = Buffer.allocUnsafe(count * LONGEST_SUBMIT);
    let at = 0;
    for (let index = 0; index < count; index++) {
      const message = this.#waiting[this.#at++]!;
      const sequence = ++this.#sequence;
      this.#flights.set(sequence, message);
      at = writeSubmit(buffer, at, sequence, message);
    }
    this.#socket.write(buffer.subarray(0, at));
  }

  #receive(chunk: Buffer): void {
    const data = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    const answers: Buffer[] = [];
    let at = 0;
    while (data.length - at >= 4) {
      const length = data.readUInt32BE(at);
      if (data.length - at < length) break;
      this.#take(data, at, at + length, answers);
      at += length;
    }
    this.#rest = at < data.length ? data.subarray(at) : undefined;
    if (answers.length > 0) this.#socket.write(Buffer.concat(answers));
    this.#submit();
    this.#results.store();
  }

  #take(data: Buffer, start: number, end: number, answers: Buffer[]): void {
    const sequence = data.readUInt32BE(start + 12);
    switch (data.readUInt32BE(start + 4)) {
      case command.submitSmResp: {
        const message = this.#flights.get(sequence)!;
        this.#flights.delete(sequence);
        const carrierId = data.toString('latin1', start + HEADER, end - 1);
        this.#sent.set(carrierId, message);
        this.#results.add(message, SUBMITTED, carrierId);
        return;
      }
      case command.deliverSm: {
        answers.push(header(HEADER + 1, command.deliverSmResp, sequence, HEADER + 1));
        const from = data.indexOf('id:', start + HEADER, 'latin1') + 3;
        const carrierId = data.toString('latin1', from, data.indexOf(' ', from, 'latin1'));
        this.#results.add(this.#sent.get(carrierId)!, DELIVERED, carrierId);
        this.#sent.delete(carrierId);
        return;
      }
      case command.bindTransceiverResp:
        this.#bound!();
        return;
      case command.enquireLink:
        answers.push(header(HEADER, command.enquireLinkResp, sequence));
        return;
      default:
        throw new Error(`the network sent ${data.toString('hex', start, start + HEADER)}`);
    }
  }
}

/** Returns a PDU with its header, and zeros up to `size`. */
function header(length: number, id: number, sequence: number, size = HEADER): Buffer {
  const buffer = Buffer.alloc(size);
  buffer.writeUInt32BE(length, 0);
  buffer.writeUInt32BE(id, 4);
  buffer.writeUInt32BE(sequence, 12);
  return buffer;
}

/** Writes one submit_sm and returns the offset after it. */
function writeSubmit(buffer: Buffer, start: number, sequence: number, { phone, text }: Message): number {
  let at = start + HEADER;
  for (const octet of BEFORE_SOURCE) buffer[at++] = octet;
  at += buffer.write(SOURCE, at, 'latin1');
  buffer[at++] = 0;
  for (const octet of BEFORE_DESTINATION) buffer[at++] = octet;
  at += buffer.write(phone, at, 'latin1');
  buffer[at++] = 0;
  at += AFTER_DESTINATION.copy(buffer, at);
  buffer[at++] = text.length;
  at += buffer.write(text, at, 'latin1');
  buffer.writeUInt32BE(at - start, start);
  buffer.writeUInt32BE(command.submitSm, start + 4);
  buffer.writeUInt32BE(0, start + 8);
  buffer.writeUInt32BE(sequence, start + 12);
  return at;
}

/** Stores results in groups, and then sends the callbacks of delivered messages. */
class Results {
  readonly #client: pg.Client;
  readonly #callbacks: Callbacks;
  #waiting: [message: Message, status: number, carrierId: string][] = [];
  #isBusy = false;

  constructor(client: pg.Client, callbacks: Callbacks) {
    this.#client = client;
    this.#callbacks = callbacks;
  }

  add(message: Message, status: number, carrierId: string): void {
    this.#waiting.push([message, status, carrierId]);
  }

  store(): void {
    if (!this.#isBusy && this.#waiting.length > 0) void this.#go();
  }

  async #go(): Promise<void> {
    this.#isBusy = true;
    const group = this.#waiting.splice(0, RESULTS);
    // One row for each message: the receipt replaces the answer.
    const last = new Map(group.map((result) => [result[0].id, result]));
    await this.#client.query({
      name: 'store',
      text: STORE,
      values: [
        [...last.keys()],
        Array.from(last.values(), ([, status]) => status),
        Array.from(last.values(), ([, , carrierId]) => carrierId),
      ],
    });
    for (const [message, status] of group) if (status === DELIVERED) this.#callbacks.add(message);
    this.#isBusy = false;
    this.store();
  }
}

class Callbacks {
  readonly #pool: CallbackPool;
  #minute = 0;
  #fields = '';

  constructor(port: number) {
    this.#pool = new CallbackPool(port);
  }

  add({ externalId, shipmentId, phone }: Message): void {
    const minute = Math.floor(Date.now() / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#fields = statusFields(new Date());
    }
    this.#pool.post({
      path: '/dlr',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Carillon' },
      body: `external_id=${externalId}${this.#fields}&shipment_id=${shipmentId}&phone=0${phone.slice(3)}`,
    });
  }
}

/** Fields of a callback for a delivered message, in the order of section B8 of the interface. */
function statusFields(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${two(now.getUTCDate())}/${two(now.getUTCMonth() + 1)}/${two(now.getUTCFullYear() % 100)} ${two(now.getUTCHours())}:${two(now.getUTCMinutes())}`;
  return `&status=102&he_message=${encodeURIComponent('הגיע ליעד')}&en_message=Delivered&date=${encodeURIComponent(date)}`;
}

answer({
  start,
  async stop(): Promise<void> {
    for (const client of clients) await client.end();
  },
  /** Returns the submit_sm of a message as hexadecimal digits, to be compared with Carillon's. */
  submitOf({ phone, text }: { phone: string; text: string }): string {
    const buffer = Buffer.allocUnsafe(LONGEST_SUBMIT);
    const message = { id: 1, shipmentId: 1, phone, text, externalId: '' };
    return buffer.toString('hex', 0, writeSubmit(buffer, 0, 1, message));
  },
  /** Returns what is stored. */
  async stored(): Promise<Stored> {
    const { rows } = await clients[0]!.query<Stored>(`
      SELECT (SELECT count(*)::integer FROM messages WHERE status = ${DELIVERED}) AS delivered,
        (SELECT count(*)::integer FROM messages) AS messages, (SELECT count(*)::integer FROM shipments) AS shipments,
        (SELECT count(*)::integer FROM ledger) AS ledger,
        (SELECT balance + (SELECT sum(count) FROM shipments) FROM wallets)::float AS paid`);
    return rows[0]!;
  },
});
