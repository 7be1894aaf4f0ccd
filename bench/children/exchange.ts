/*
 * The telephone exchange: the sandbox's in a process of its own, without keeping what phones hear. It notes how evenly the
 * packets of each call arrive.
 */
import { setPriority } from 'node:os';
import { systemClock } from '../../server/clock.ts';
import { createLogger } from '../../server/observability/log.ts';
import { Exchange } from '../../server/sandbox/exchange/exchange.ts';
import { answer, sharedNow } from '../support/child.ts';
import { quantile } from '../support/numbers.ts';

/** From one packet of a call to the next, when it is sent evenly. */
const PACKET_MS = 20;

/** How far spacings were from 20 ms, either way, in milliseconds. */
export interface Jitter {
  readonly packets: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
}

try {
  // What others keep the receiver from is no jitter of the sender's. Only where that is permitted.
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
  /** The trunk's URI. */
  listen: async (): Promise<string> => (await exchange.start()).uri,
  /** From now on arrivals are noted. */
  note() {
    lastAt.clear();
    packets = 0;
    deviations = [];
    listens = true;
  },
  /** What was noted; nothing more is. */
  noted(): Jitter {
    listens = false;
    const worst = deviations.reduce((most, one) => Math.max(most, one), 0);
    return { packets, median: quantile(deviations, 0.5), p99: quantile(deviations, 0.99), worst };
  },
  counts: () => exchange.counts,
});
