import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The registry behind `/metrics`. Each module declares its own metrics with the functions below. */
export const metrics = new Registry();

const registers = [metrics];

/** Creates a counter with these labels. */
export function counter<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
  return new Counter({ name, help, labelNames, registers });
}

/** Creates a gauge with these labels. */
export function gauge<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
  return new Gauge({ name, help, labelNames, registers });
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
