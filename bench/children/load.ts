/*
 * The load generator: connections with keep-alive over plain sockets, each with one request after the other. It is the
 * same for both systems; only the requests differ.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answer, sharedNow } from '../support/child.ts';
import { quantile } from '../support/statistics.ts';
import {
  isAccepted,
  type LoadTarget,
  PROBE_PREFIX,
  probePhoneOf,
  probeRequest,
  requestFor,
} from '../systems/requests.ts';

export interface Plan {
  readonly target: LoadTarget;
  /** Accounts that send in turns; only `target` by default. */
  readonly senders?: readonly LoadTarget[];
  /** Ports for the connections, in turns; the port of `target` by default. */
  readonly ports?: readonly number[];
  readonly connections: number;
  readonly requests: number;
  /** Messages per request; 1 is a request for one message, more is a `bulk`. */
  readonly size: number;
  /** Number of the first message, from which phones and texts are derived. */
  readonly first: number;
  /** Whether each request has a send key. */
  readonly keyed?: boolean;
  /** Maximum requests per second; without it each connection sends its next request after the answer. */
  readonly rate?: number | undefined;
}

export interface LoadResult {
  /** Times of the first request and the last answer (`sharedNow`). */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Accepted requests, rejected requests, and the first rejection. */
  readonly accepted: number;
  readonly refused: number;
  readonly refusal: string | null;
  /** The last answer. */
  readonly answer: string;
  /** Milliseconds from a request to its answer. */
  readonly median: number;
  readonly p99: number;
}

async function run(plan: Plan): Promise<LoadResult> {
  const { target, senders = [target], ports = [target.port], requests, size, first, keyed, rate } = plan;
  const took: number[] = [];
  let sent = 0;
  let accepted = 0;
  let refusal: string | null = null;
  let answer = '';

  const take = async (): Promise<string | undefined> => {
    if (sent === requests) return undefined;
    const index = sent++;
    const early = rate === undefined ? 0 : startedAt + (index / rate) * 1_000 - sharedNow();
    if (early > 0) await pause(early);
    return requestFor(senders[index % senders.length]!, first + index * size, size, keyed);
  };
  const settle = (response: string) => {
    answer = response;
    if (isAccepted(target, response)) accepted++;
    else refusal ??= response;
  };
  // Connections are opened before the measurement starts.
  const connections = await Promise.all(
    Array.from({ length: Math.min(plan.connections, requests) }, (_, index) =>
      openConnection(ports[index % ports.length]!),
    ),
  );
  const startedAt = sharedNow();
  await Promise.all(connections.map((connection) => connection.work(take, settle, took)));
  const endedAt = sharedNow();
  return {
    startedAt,
    endedAt,
    accepted,
    refused: requests - accepted,
    refusal,
    answer,
    median: quantile(took, 0.5),
    p99: quantile(took, 0.99),
  };
}

interface Connection {
  /** Sends the requests that `take` returns, one after the other, until it returns undefined. */
  work(
    take: () => Promise<string | undefined>,
    settle: (response: string) => void,
    took: number[],
  ): Promise<void>;
}

function openConnection(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () =>
      resolve({
        work: (take, settle, took) =>
          new Promise((done, fail) => {
            let sentAt = 0;
            let rest = '';
            const next = async () => {
              const request = await take();
              if (request === undefined) {
                socket.end();
                done();
                return;
              }
              sentAt = sharedNow();
              socket.write(request, 'latin1');
            };
            socket.on('data', (chunk) => {
              const response = rest + chunk.toString('latin1');
              if (!isWhole(response)) {
                rest = response;
                return;
              }
              rest = '';
              took.push(sharedNow() - sentAt);
              settle(response);
              next().catch(fail);
            });
            socket.on('error', fail);
            socket.on('close', () => fail(new Error('the connection was closed before its answer')));
            next().catch(fail);
          }),
      }),
    );
  });
}

function isWhole(response: string): boolean {
  const head = response.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(response)?.[1];
  if (length === undefined) throw new Error(`an answer without its length: ${response.slice(0, 200)}`);
  return response.length >= head + 4 + Number(length);
}

/** A single probe message, and the time of its answer (`sharedNow`). */
export interface Probe {
  /** E.164 digits. */
  readonly phone: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

export interface ProbePlan {
  readonly target: LoadTarget & { kind: 'carillon' };
  readonly everyMs: number;
}

let probes: Probe[] = [];
let endProbes: () => Promise<void> = () => Promise.resolve();

/** Sends one message every `everyMs`, even if the previous one is unanswered, until `stopProbing`. */
function probe({ target, everyMs }: ProbePlan): void {
  probes = [];
  let number = 0;
  const open = new Set<Promise<void>>();
  const one = async () => {
    const phone = probePhoneOf(number).replace(/^054/, PROBE_PREFIX);
    const request = probeRequest(target, number++);
    const connection = await openConnection(target.port);
    const sentAt = sharedNow();
    let left: string | undefined = request;
    let accepted = false;
    const take = async () => {
      const now = left;
      left = undefined;
      return now;
    };
    await connection.work(take, (response) => (accepted = isAccepted(target, response)), []);
    if (!accepted) throw new Error('a probe was refused');
    probes.push({ phone, sentAt, answeredAt: sharedNow() });
  };
  const timer = setInterval(() => {
    const running: Promise<void> = one().finally(() => open.delete(running));
    open.add(running);
  }, everyMs);
  endProbes = async () => {
    clearInterval(timer);
    await Promise.all(open);
  };
}

answer({
  run,
  probe,
  async stopProbing(): Promise<Probe[]> {
    await endProbes();
    return probes;
  },
});
