import { Counter, Histogram } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

const registers = [metrics];

/** An API in the metrics. */
interface ApiMetrics<Label extends string> {
  /** `carillon_chat_api` */
  readonly prefix: string;
  /** `the chat API` */
  readonly name: string;
  /** What requests are counted by, and in words. */
  readonly labels: readonly Label[];
  readonly by: string;
  /** What their times are told apart by; by nothing without it. */
  readonly timedBy?: readonly Label[];
  /** When the time of a request ends. */
  readonly end: string;
  /** Upper bounds of its times, in seconds, beside the common ones. */
  readonly buckets?: readonly number[];
}

/** The metrics of the requests of an API: how many, and how long they took. */
export function apiMetrics<Label extends string>(api: ApiMetrics<Label>) {
  return {
    requests: new Counter<Label>({
      name: `${api.prefix}_requests_total`,
      help: `Requests of ${api.name}, by ${api.by}.`,
      labelNames: api.labels,
      registers,
    }),
    seconds: new Histogram<Label>({
      name: `${api.prefix}_seconds`,
      help: `Time of a request of ${api.name}, from reading its body to its response ${api.end}.`,
      labelNames: api.timedBy ?? [],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, ...(api.buckets ?? []), 5],
      registers,
    }),
  };
}
