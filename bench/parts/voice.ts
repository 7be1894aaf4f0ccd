import type { Jitter } from '../children/exchange.ts';
import { startChild } from '../support/child.ts';
import { cpuOf, memoryOf } from '../support/proc.ts';

/** Number of parallel calls, and their duration. */
const AT_ONCE = 200;
const SPEAKS_MS = 20_000;
/** Calls during the work of a busy main thread: their number, their duration, and the work without a rest. */
const BESIDE = 10;
const BESIDE_MS = 20_000;
const WORK = { milliseconds: 750, restMs: 20 };
/** Parallel calls and duration of the many short calls. */
const SHORT_AT_ONCE = 50;
const SHORT_MS = 100;
/** Number of calls after which the first transactions, which live for 32 seconds, have ended. */
const WARM_UP = 5_000;

export interface VoiceOptions {
  /** Number of short calls for measuring memory. */
  readonly calls: number;
  readonly progress: (line: string) => void;
}

export interface Voice {
  readonly atOnce: number;
  readonly jitter: Jitter;
  /** The same for calls whose main thread is busy. */
  readonly beside: { readonly calls: number; readonly workMs: number; readonly jitter: Jitter };
  /** CPU cores used during the calls, by process. */
  readonly cores: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly callsPerSecond: number;
  /** Resident memory of the caller's process in bytes: after the warm-up, half-way, at the end. */
  readonly memoryBefore: number;
  readonly memoryHalf: number;
  readonly memoryEnd: number;
}

/** Calls the simulated exchange over SIP and RTP: many calls in parallel, then many in sequence. */
export async function voice({ calls, progress }: VoiceOptions): Promise<Voice> {
  const exchange = await startChild('exchange.ts');
  // With the options of `npm start`.
  const caller = await startChild('caller.ts', ['--max-semi-space-size=8']);
  const uri = await exchange.ask<string>('listen');
  await caller.ask('open', { uri, atOnce: AT_ONCE });
  const call = async (count: number, atOnce: number, milliseconds: number) => {
    const answered = await caller.ask<number>('call', { calls: count, atOnce, milliseconds });
    if (answered !== count) throw new Error(`${count - answered} of ${count} calls were not answered`);
  };

  progress(`voice: ${AT_ONCE} calls at once`);
  await call(AT_ONCE, AT_ONCE, SHORT_MS);
  const processes = { caller: caller.pid, exchange: exchange.pid };
  const cpuBefore = Object.values(processes).map(cpuOf);
  const began = performance.now();
  await exchange.ask('note');
  await call(AT_ONCE, AT_ONCE, SPEAKS_MS);
  const jitter = await exchange.ask<Jitter>('noted');
  const seconds = (performance.now() - began) / 1_000;
  const cores = Object.fromEntries(
    Object.entries(processes).map(([name, pid], index) => [name, (cpuOf(pid) - cpuBefore[index]!) / seconds]),
  );

  progress(`voice: ${BESIDE} calls beside a busy main thread`);
  await exchange.ask('note');
  await caller.ask('work', WORK);
  await call(BESIDE, BESIDE, BESIDE_MS);
  const besideJitter = await exchange.ask<Jitter>('noted');
  await caller.ask('work', { milliseconds: 0, restMs: 0 });
  const beside = { calls: BESIDE, workMs: WORK.milliseconds, jitter: besideJitter };

  progress(`voice: ${calls} short calls`);
  await call(WARM_UP, SHORT_AT_ONCE, SHORT_MS);
  const memoryBefore = memoryOf(caller.pid).now;
  const startedAt = performance.now();
  await call(Math.floor(calls / 2), SHORT_AT_ONCE, SHORT_MS);
  const memoryHalf = memoryOf(caller.pid).now;
  await call(Math.ceil(calls / 2), SHORT_AT_ONCE, SHORT_MS);
  const memoryEnd = memoryOf(caller.pid).now;
  const callsPerSecond = calls / ((performance.now() - startedAt) / 1_000);
  const common = { atOnce: AT_ONCE, jitter, beside, cores };
  return { ...common, calls, callsPerSecond, memoryBefore, memoryHalf, memoryEnd };
}
