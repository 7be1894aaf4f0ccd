import { setTimeout as pause } from 'node:timers/promises';
import type { LoadResult, Plan } from '../children/load.ts';
import { BULK_SIZE } from '../support/compared.ts';
import { allCalledBack, type Field, flow, quiet, rateBetween, seen } from '../support/field.ts';
import { type Latency, startProbing, stopProbing } from '../support/probes.ts';
import type { Series } from '../support/series.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

/** Number of messages at the beginning and at the end that are compared. */
const STRETCH = 100_000;
/**
 * The slow network: its messages per second, the duration of the measurement in milliseconds, and the waiting messages
 * at its start.
 */
const SLOW_PER_SECOND = 1_000;
const SLOW_MS = 20_000;
const SLOW_BACKLOG = 50_000;

export interface MillionOptions {
  readonly field: Field;
  readonly folder: string;
  /** Number of waiting messages. */
  readonly waiting: number;
  /** Whether single messages of another account are sent during the measurement. */
  readonly latency: boolean;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

export interface Million {
  readonly waiting: number;
  readonly acceptedPerSecond: number;
  /** Resident memory of the server process in bytes: with all messages waiting, and its maximum. */
  readonly memoryWaiting: number;
  readonly maxMemory: number;
  /** Messages per second of the first and the last 100,000 and of all, by callbacks and by submit_sm. */
  readonly callbacks: Stretches;
  readonly submits: Stretches;
  /** Latency while the million is sent, and behind a backlog of a slow network. */
  readonly latency?: Latency;
  readonly slowLatency?: Latency;
}

interface Stretches {
  readonly first: number;
  readonly last: number;
  readonly all: number;
}

/**
 * Queues messages while the network is unavailable, and then makes it available. Also returns the service with its
 * data.
 */
export async function million(options: MillionOptions): Promise<{ figures: Million; carillon: Carillon }> {
  const { field, folder, progress } = options;
  const carillon = await startCarillon({
    smscPort: field.smscPort,
    callbackPort: field.callbackPort,
    folder,
    profile: options.profile,
    smppOptions: 'reconnectMaxMs=1000',
  });
  const target = carillon.target as LoadTarget & { kind: 'carillon' };
  const other = await carillon.createAccount('other', false);
  const requests = Math.ceil(options.waiting / BULK_SIZE);
  const waiting = requests * BULK_SIZE;
  const bulk = (count: number, first: number) => ({
    connections: 4,
    requests: count,
    size: BULK_SIZE,
    first,
  });

  progress('warming up');
  await flow(field, carillon, bulk(20, 8_000_000));
  await quiet(field, [carillon]);

  await field.smsc.ask('close');
  progress(`${waiting} messages are accepted while the network is gone`);
  const { count: before } = await seen(field);
  const submittedBefore = await submitted(field);
  const accepted = await field.load.ask<LoadResult>('run', { ...bulk(requests, 0), target } satisfies Plan);
  if (accepted.refused > 0) throw new Error(`${accepted.refused} requests were refused: ${accepted.refusal}`);
  await quiet(field, [carillon]);
  const memoryWaiting = carillon.memory().now;

  progress('the network is back');
  if (options.latency) await startProbing(field, other);
  await Promise.all([field.smsc.ask('restartSeries'), field.receiver.ask('restartSeries')]);
  await field.smsc.ask('listen', {});
  await allCalledBack(field, carillon.name, before + waiting);
  const callbacks = stretches(await field.receiver.ask<Series>('series'), before, waiting);
  const submits = stretches(await field.smsc.ask<Series>('series'), submittedBefore, waiting);
  const latency = options.latency ? await stopProbing(field) : undefined;
  const maxMemory = carillon.memory().most;

  let slowLatency: Latency | undefined;
  if (options.latency) {
    progress(`the network takes ${SLOW_PER_SECOND} a second`);
    await field.smsc.ask('change', { messagesPerSecond: SLOW_PER_SECOND });
    const { count } = await seen(field);
    const plan = { ...bulk(SLOW_BACKLOG / BULK_SIZE, 7_000_000), target };
    await field.load.ask<LoadResult>('run', plan satisfies Plan);
    await startProbing(field, other);
    await pause(SLOW_MS);
    slowLatency = await stopProbing(field);
    await field.smsc.ask('change', { messagesPerSecond: 0 });
    await allCalledBack(field, carillon.name, count + SLOW_BACKLOG);
  }
  await quiet(field, [carillon]);
  const acceptedPerSecond = waiting / ((accepted.endedAt - accepted.startedAt) / 1_000);
  const figures = { waiting, acceptedPerSecond, memoryWaiting, maxMemory, callbacks, submits };
  return { figures: { ...figures, latency, slowLatency }, carillon };
}

async function submitted(field: Field): Promise<number> {
  return (await field.smsc.ask<{ accepted: number }>('counts')).accepted;
}

function stretches(series: Series, before: number, count: number): Stretches {
  // The measurement starts with the first arrival, not while the connector was still waiting to connect.
  const start = before + 1;
  const end = before + count;
  const stretch = Math.min(STRETCH, Math.floor(count / 2));
  return {
    first: rateBetween(series, start, start + stretch),
    last: rateBetween(series, end - stretch, end),
    all: rateBetween(series, start, end),
  };
}
