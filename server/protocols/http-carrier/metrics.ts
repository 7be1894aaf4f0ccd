import { Counter, Gauge, Histogram } from 'prom-client';
import { metrics } from '../../kit/observability/metrics.ts';

const registers = [metrics];

/** Outcomes of sends; `throttled` is not final. */
export const submits = new Counter({
  name: 'carillon_http_carrier_submits_total',
  help: 'Submitted messages, by outcome.',
  labelNames: ['link', 'outcome'],
  registers,
});

export const submitSeconds = new Histogram({
  name: 'carillon_http_carrier_submit_seconds',
  help: 'Time from a request to its whole answer.',
  labelNames: ['link'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

export const inFlightGauge = new Gauge({
  name: 'carillon_http_carrier_in_flight',
  help: 'Messages that wait for an answer.',
  labelNames: ['link'],
  registers,
});

/** Only for descriptions with batches. */
export const batchMessages = new Histogram({
  name: 'carillon_http_carrier_batch_messages',
  help: 'Messages of a request.',
  labelNames: ['link'],
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
  registers,
});

/** Parts and prices, for providers whose answers contain them. */
export const providerParts = new Counter({
  name: 'carillon_http_carrier_parts_total',
  help: 'Parts of accepted messages, as the provider counted them.',
  labelNames: ['link'],
  registers,
});
export const providerPrice = new Counter({
  name: 'carillon_http_carrier_price_total',
  help: 'Price of accepted messages in the currency of the provider.',
  labelNames: ['link'],
  registers,
});

/** Requests of providers: `stored`, `empty`, `refused` or `failed`. */
export const carrierRequests = new Counter({
  name: 'carillon_http_carrier_requests_total',
  help: 'Requests of providers with reports or incoming messages, by result.',
  labelNames: ['link', 'kind', 'result'],
  registers,
});

/** Requests for reports or incoming messages: `stored`, `empty` or `failed`. */
export const polls = new Counter({
  name: 'carillon_http_carrier_polls_total',
  help: 'Requests that ask providers for reports or incoming messages, by result.',
  labelNames: ['link', 'kind', 'result'],
  registers,
});
