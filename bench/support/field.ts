import { setTimeout as pause } from 'node:timers/promises';
import type { LoadResult, Plan } from '../children/load.ts';
import type { System } from '../systems/system.ts';
import { type Child, sharedNow, startChild } from './child.ts';
import { cpuOf, cpuOfMachine } from './proc.ts';
import { reachedAt, type Series } from './series.ts';

/** Milliseconds without a callback after which the missing ones are considered lost. */
const STALLED_MS = 60_000;

export interface Field {
  readonly smsc: Child;
  readonly receiver: Child;
  readonly load: Child;
  readonly smscPort: number;
  readonly callbackPort: number;
}

/** Measurement of one flow of messages. */
export interface Flow {
  readonly messages: number;
  /** Messages accepted per second, from the first request to the last answer. */
  readonly acceptedPerSecond: number;
  /** Messages per second from the first request to the last callback. */
  readonly endToEndPerSecond: number;
  /** Milliseconds from a request to its answer. */
  readonly answerMedianMs: number;
  readonly answerP99Ms: number;
  /** CPU seconds per 1,000 messages, by process. */
  readonly cpuPerThousand: Record<string, number>;
  /** Average CPU cores used, by process. */
  readonly cores: Record<string, number>;
  /** CPU cores used by other programs on this machine: the more, the less reliable the figures. */
  readonly otherCores: number;
}

/** Starts the SMSC, the receiver of callbacks and the load generator. */
export async function prepareField(receiptDelayMs: number): Promise<Field> {
  const [smsc, receiver, load] = await Promise.all([
    startChild('smsc.ts'),
    startChild('receiver.ts'),
    startChild('load.ts'),
  ]);
  const smscPort = await smsc.ask<number>('listen', { receiptDelayMs });
  const callbackPort = await receiver.ask<number>('port');
  return { smsc, receiver, load, smscPort, callbackPort };
}

/** Returns the CPU seconds so far of a system and its surroundings. */
export function cpuNow(field: Field, system: System): Record<string, number> {
  return {
    ...system.cpu(),
    smsc: cpuOf(field.smsc.pid),
    load: cpuOf(field.load.pid),
    receiver: cpuOf(field.receiver.pid),
  };
}

const difference = (after: Record<string, number>, before: Record<string, number>) =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

const divided = (values: Record<string, number>, by: number) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value / by]));

const sumOf = (values: Record<string, number>) =>
  Object.values(values).reduce((sum, value) => sum + value, 0);

export const seen = (field: Field) => field.receiver.ask<{ count: number; lastAt: number }>('seen');

/**
 * Sends messages through a system and waits for the callbacks of each. Throws when a request is rejected or a callback
 * is missing.
 */
export async function flow(
  field: Field,
  system: System,
  plan: Omit<Plan, 'target'>,
  callbacksEach = 1,
): Promise<Flow> {
  const messages = plan.requests * plan.size;
  const before = await seen(field);
  const cpuBefore = cpuNow(field, system);
  const machineBefore = cpuOfMachine();
  const result = await field.load
    .ask<LoadResult>('run', { ...plan, target: system.target } satisfies Plan)
    .catch((cause: unknown) => {
      throw new Error(`${system.name} does not take requests`, { cause });
    });
  if (result.refused > 0) {
    throw new Error(
      `${system.name} refused ${result.refused} of ${plan.requests} requests: ${result.refusal}`,
    );
  }
  const lastAt = await allCalledBack(field, system.name, before.count + messages * callbacksEach);
  const cpu = difference(cpuNow(field, system), cpuBefore);
  const others = cpuOfMachine() - machineBefore - sumOf(cpu);
  const seconds = (lastAt - result.startedAt) / 1_000;
  return {
    messages,
    acceptedPerSecond: messages / ((result.endedAt - result.startedAt) / 1_000),
    endToEndPerSecond: messages / seconds,
    answerMedianMs: result.median,
    answerP99Ms: result.p99,
    cpuPerThousand: divided(cpu, messages / 1_000),
    cores: divided(cpu, seconds),
    otherCores: Math.max(0, others / seconds),
  };
}

/**
 * Waits for `count` callbacks. Returns the time of the last one (`sharedNow`). Throws when they stop earlier, or when
 * more arrive.
 */
export async function allCalledBack(field: Field, name: string, count: number): Promise<number> {
  let now = await seen(field);
  let changedAt = sharedNow();
  while (now.count < count) {
    await pause(20);
    const later = await seen(field);
    if (later.count > now.count) changedAt = sharedNow();
    else if (sharedNow() - changedAt > STALLED_MS) {
      const counts = JSON.stringify(await field.smsc.ask('counts'));
      throw new Error(`${name}: ${count - now.count} callbacks are missing; the SMSC counted ${counts}`);
    }
    now = later;
  }
  return now.lastAt;
}

/** Waits until a system is idle, so that a measurement does not include the work of the previous one. */
export async function quiet(field: Field, systems: readonly System[]): Promise<void> {
  const total = () => systems.reduce((sum, system) => sum + sumOf(cpuNow(field, system)), 0);
  for (let tries = 0; tries < 30; tries++) {
    const before = total();
    await pause(500);
    if (total() - before < 0.03 * systems.length) return;
  }
}

/** Returns the messages per second between two counts of a series. */
export function rateBetween(series: Series, from: number, to: number): number {
  return (to - from) / ((reachedAt(series, to) - reachedAt(series, from)) / 1_000);
}
