import { Counter, Histogram } from 'prom-client';
import { metrics } from '../kit/observability/metrics.ts';

const registers = [metrics];

/** Metrics of an API. */
interface ApiMetrics<Label extends string> {
  /** `carillon_chat_api` */
  readonly prefix: string;
  /** `the chat API` */
  readonly name: string;
  /** Labels of the request counter, and their description. */
  readonly labels: readonly Label[];
  readonly by: string;
  /** Labels of the durations; none by default. */
  readonly timedBy?: readonly Label[];
  /** End point of the durations, in words. */
  readonly end: string;
  /** Additional upper bounds of the durations, in seconds. */
  readonly buckets?: readonly number[];
}

/** Creates the metrics of an API's requests: their number and durations. */
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
