import { AggregatorRegistry, Counter, Gauge, Histogram, type MetricObject, Registry } from 'prom-client';

/** The registry behind `/metrics`. Each module declares its own metrics with the functions below. */
export const metrics = new Registry();

const registers = [metrics];

/** Metrics of one process, as they are passed to another. */
export type ProcessMetrics = readonly MetricObject[];

/** Returns the metrics of this process. */
export const ownMetrics = (): Promise<ProcessMetrics> =>
  metrics.getMetricsAsJSON() as Promise<ProcessMetrics>;

let gather: (() => Promise<readonly ProcessMetrics[]>) | undefined;

/** Sets how the metrics of all processes of a group are read. Without it, `/metrics` has those of this process. */
export function gatherMetricsBy(all: () => Promise<readonly ProcessMetrics[]>): void {
  gather = all;
}

/** Returns the metrics of this process, or of all processes of its group together, in the format of Prometheus. */
export async function metricsText(): Promise<string> {
  if (!gather) return metrics.metrics();
  // A copy for each process, because the library changes it.
  return AggregatorRegistry.aggregate((await gather()) as object[]).metrics();
}

/** Creates a counter with these labels. */
export function counter<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
  return new Counter({ name, help, labelNames, registers });
}

/** Creates a gauge with these labels. */
export function gauge<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
  return new Gauge({ name, help, labelNames, registers });
}

/**
 * Creates a gauge of something that several processes of a group see: together they do not show the sum, but the `max` or
 * the `first` value.
 */
export function sharedGauge<Label extends string = never>(
  aggregator: 'max' | 'first',
  name: string,
  help: string,
  ...labelNames: Label[]
) {
  return new Gauge({ name, help, labelNames, registers, aggregator });
}

/** Creates a histogram with these upper bounds of buckets and these labels. */
export function histogram<Label extends string = never>(
  name: string,
  help: string,
  buckets: number[],
  ...labelNames: Label[]
) {
  return new Histogram({ name, help, buckets, labelNames, registers });
}
