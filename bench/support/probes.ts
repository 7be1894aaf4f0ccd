import type { Probe, ProbePlan } from '../children/load.ts';
import { type LoadTarget, PROBE_PREFIX } from '../systems/requests.ts';
import type { Field } from './field.ts';
import { quantile } from './statistics.ts';
import { until } from './wait.ts';

const PROBE_EVERY_MS = 100;

/** Milliseconds from the answer, and from the request, to the arrival at the SMSC. */
export interface Latency {
  readonly probes: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  readonly fromRequestP99: number;
  /** Milliseconds from the request to its answer. */
  readonly answerMedian: number;
  readonly answerP99: number;
}

/** Starts to send a message every 100 ms, in parallel to other messages. */
export async function startProbing(field: Field, target: LoadTarget & { kind: 'carillon' }): Promise<void> {
  await field.smsc.ask('note', PROBE_PREFIX);
  await field.load.ask('probe', { target, everyMs: PROBE_EVERY_MS } satisfies ProbePlan);
}

/** Stops probing, and returns the latencies since `startProbing` when all probes have arrived at the SMSC. */
export async function stopProbing(field: Field): Promise<Latency> {
  const probes = await field.load.ask<Probe[]>('stopProbing');
  const noted = () => field.smsc.ask<[to: string, at: number][]>('noted');
  await until(async () => (await noted()).length >= probes.length, 'every probe has arrived at the SMSC', {
    withinMs: 60_000,
  });
  const arrivals = new Map<string, number>();
  // First arrival of each: delivery at least once may create duplicates.
  for (const [to, at] of await noted()) if (!arrivals.has(to)) arrivals.set(to, at);
  await field.smsc.ask('note', null);
  const fromAnswer = probes.map(({ phone, answeredAt }) => arrivals.get(phone)! - answeredAt);
  const fromRequest = probes.map(({ phone, sentAt }) => arrivals.get(phone)! - sentAt);
  const toAnswer = probes.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  return {
    probes: probes.length,
    median: quantile(fromAnswer, 0.5),
    p99: quantile(fromAnswer, 0.99),
    worst: Math.max(...fromAnswer),
    fromRequestP99: quantile(fromRequest, 0.99),
    answerMedian: quantile(toAnswer, 0.5),
    answerP99: quantile(toAnswer, 0.99),
  };
}
