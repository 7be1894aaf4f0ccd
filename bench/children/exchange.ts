/*
 * The sandbox's telephone exchange in a separate process, without storing audio. It records how evenly the packets of
 * each call arrive.
 */
import { setPriority } from 'node:os';
import { systemClock } from '../../server/kit/clock.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { Exchange } from '../../server/sandbox/exchange/exchange.ts';
import { answer, sharedNow } from '../support/child.ts';
import { quantile } from '../support/statistics.ts';

/** Milliseconds between two packets of a call that is sent evenly. */
const PACKET_MS = 20;

/** Deviation of packet intervals from 20 ms, in either direction, in milliseconds. */
export interface Jitter {
  readonly packets: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
}

try {
  // Other programs that delay the receiver must not count as the sender's jitter. Works only with permission.
  setPriority(-20);
} catch {}

const lastAt = new Map<string, number>();
let packets = 0;
let deviations: number[] = [];
let listens = false;

const exchange = new Exchange({
  clock: systemClock,
  log: createLogger('warn'),
  ringMs: 10,
  keepsCalls: false,
  onPacket(callId) {
    if (!listens) return;
    const now = sharedNow();
    const before = lastAt.get(callId);
    lastAt.set(callId, now);
    packets++;
    if (before !== undefined) deviations.push(Math.abs(now - before - PACKET_MS));
  },
});

answer({
  /** Returns the trunk's URI. */
  listen: async (): Promise<string> => (await exchange.start()).uri,
  /** Starts recording arrivals. */
  note() {
    lastAt.clear();
    packets = 0;
    deviations = [];
    listens = true;
  },
  /** Stops recording and returns the result. */
  noted(): Jitter {
    listens = false;
    const worst = deviations.reduce((most, one) => Math.max(most, one), 0);
    return { packets, median: quantile(deviations, 0.5), p99: quantile(deviations, 0.99), worst };
  },
  counts: () => exchange.counts,
});
