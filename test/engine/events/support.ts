import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Sql } from '../../../server/database/connection.ts';
import { Events, type EventsOptions } from '../../../server/engine/events/events.ts';
import type { Event } from '../../../server/engine/events/types.ts';
import { AdjustableClock, type Clock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { secrets } from '../../support/secrets.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Answers a request; replace it to misbehave. 200 by default. */
  answer: (response: ServerResponse, request: Received) => void;
  close(): Promise<void>;
}

/** An HTTP server on loopback that keeps what it gets. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const receiver: Pick<Receiver, 'answer'> = { answer: (response) => response.end() };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      receiver.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  after(close);
  const { port: taken } = server.address() as AddressInfo;
  return Object.assign(receiver, { url: `http://127.0.0.1:${taken}/push`, port: taken, received, close });
}

let processes = 0;
const running: Events[] = [];
// Registered before the database's own, and so run while it is still there.
after(() => Promise.all(running.map((events) => events.stop(0))));

/** An instance of the room, stopped at the end of the file. Instances on one clock and database are as processes are. */
export async function startEvents(
  sql: Sql,
  clock: Clock = new AdjustableClock(),
  options: Partial<EventsOptions> = {},
): Promise<Events> {
  const number = processes++;
  const events = new Events({
    secrets,
    sql,
    clock,
    ids: createIdSource(number, clock),
    log: createLogger('silent'),
    boot: `boot-${number}`,
    allowPrivate: true,
    displayNumber: (digits) => digits.replace(/^972/, '0'),
    timeZoneOf: () => 'Asia/Jerusalem',
    pollMs: 20,
    ...options,
  });
  await events.start();
  running.push(events);
  return events;
}

export async function addAccount(sql: Sql, id: number): Promise<void> {
  await sql`INSERT INTO accounts (id, username, name, created_at) VALUES (${id}, ${`account-${id}`}, 'Account', 0)`;
  await sql`INSERT INTO wallets (account_id) VALUES (${id})`;
}

/** Records events as callers do: in a transaction. */
export async function record(
  sql: Sql,
  events: Events,
  accountId: number,
  happened: readonly Event[],
): Promise<void> {
  await sql.begin((tx) => events.record(tx, accountId, happened));
}

export function statusEvent(n: number, at: number, status = 102): Event {
  return {
    type: 'message.status',
    at,
    data: {
      message_id: 7_000_000_000_000 + n,
      external_id: `order ${n}`,
      shipment_id: 4_200_000_000_000,
      phone: `97250${1_000_000 + n}`,
      source: 'Shop',
      status,
      code: 'DELIVRD',
    },
  };
}

/** The numbers of the status events that a receiver got, sorted. */
export function numbersOf(receiver: Receiver): number[] {
  return receiver.received
    .map(({ body }) => Number(new URLSearchParams(body).get('external_id')!.slice('order '.length)))
    .sort((a, b) => a - b);
}

/** 0, 1, … up to before `count`. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
