import { Counter, Gauge, Histogram } from 'prom-client';
import type { SubmitOutcome } from '../../engine/carriers/carrier.ts';
import { metrics } from '../../kit/observability/metrics.ts';

/**
 * Counts of one connector since it was created. They are plain numbers, since every message raises them; Prometheus'
 * counters add the increase when they are read.
 */
export class ConnectorStats {
  readonly connector: string;
  boundBinds = 0;
  inFlight = 0;
  accepted = 0;
  retry = 0;
  refused = 0;
  unknown = 0;
  expired = 0;
  receipts = 0;
  incoming = 0;
  unreadable = 0;
  badPdus = 0;
  throttled = 0;
  reconnects = 0;
  /** Requests without an answer in `responseTimeoutMs`, from a peer that is alive. */
  overdue = 0;
  /** Deliveries that were not stored or not accepted; the SMSC sends them again. */
  deliveriesRefused = 0;
  #taken: Partial<Record<CountedField, number>> = {};
  readonly #latency: { observe(seconds: number): void };

  constructor(connector: string) {
    this.connector = connector;
    this.#latency = latency.labels(connector);
    live.add(this);
  }

  /** Counts an outcome. `again` is not one yet, and counts as throttled. */
  count(kind: SubmitOutcome['kind']): void {
    if (kind !== 'again') this[kind]++;
  }

  /** Samples one of the answers that arrived together; see the histogram's help. */
  sampleLatency(milliseconds: number): void {
    this.#latency.observe(milliseconds / 1000);
  }

  /** Returns the increase of a field since the last call. */
  take(field: CountedField): number {
    const added = this[field] - (this.#taken[field] ?? 0);
    this.#taken[field] = this[field];
    return added;
  }

  /**
   * Called when the connector stops permanently: adds its last counts to Prometheus' counters and sets its gauges to 0.
   */
  retire(): void {
    this.boundBinds = 0;
    this.inFlight = 0;
    for (const collect of collectors) collect();
    live.delete(this);
  }
}

type CountedField =
  | Exclude<SubmitOutcome['kind'], 'again'>
  | 'receipts'
  | 'incoming'
  | 'unreadable'
  | 'badPdus'
  | 'throttled'
  | 'reconnects'
  | 'overdue'
  | 'deliveriesRefused';

const live = new Set<ConnectorStats>();
const collectors: (() => void)[] = [];

const latency = new Histogram({
  name: 'carillon_smpp_submit_seconds',
  help: 'Time from submit_sm to its response. Of responses that arrive together, one is measured.',
  labelNames: ['link'],
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [metrics],
});

const submits = counter(
  'carillon_smpp_submits_total',
  'Submitted messages, by outcome.',
  ['link', 'outcome'],
  () => {
    for (const stats of live)
      for (const outcome of ['accepted', 'retry', 'refused', 'unknown', 'expired'] as const)
        submits.inc({ link: stats.connector, outcome }, stats.take(outcome));
  },
);

plainCounter('carillon_smpp_receipts_total', 'Delivery receipts from the SMSC.', 'receipts');
plainCounter('carillon_smpp_incoming_total', 'Messages and parts from phones.', 'incoming');
plainCounter('carillon_smpp_unreadable_total', 'Dropped receipts without a message id.', 'unreadable');
plainCounter('carillon_smpp_bad_pdus_total', 'PDUs that could not be decoded.', 'badPdus');
plainCounter('carillon_smpp_throttled_total', 'Responses with ESME_RTHROTTLED.', 'throttled');
plainCounter(
  'carillon_smpp_overdue_total',
  'submit_sm without a response within responseTimeoutMs, while the SMSC is alive.',
  'overdue',
);
plainCounter('carillon_smpp_reconnects_total', 'Attempts to reconnect.', 'reconnects');
plainCounter(
  'carillon_smpp_deliveries_refused_total',
  'Deliveries that could not be stored; the SMSC is asked to repeat them.',
  'deliveriesRefused',
);

gauge('carillon_smpp_binds', 'Bound sessions.', 'boundBinds');
gauge('carillon_smpp_in_flight', 'submit_sm that wait for a response.', 'inFlight');

function counter<Label extends string>(
  name: string,
  help: string,
  labelNames: Label[],
  collect: () => void,
): Counter<Label> {
  collectors.push(collect);
  return new Counter({ name, help, labelNames, registers: [metrics], collect });
}

function plainCounter(name: string, help: string, field: CountedField): void {
  const made = counter(name, help, ['link'], () => {
    for (const stats of live) made.inc({ link: stats.connector }, stats.take(field));
  });
}

function gauge(name: string, help: string, field: 'boundBinds' | 'inFlight'): void {
  const collect = () => {
    for (const stats of live) made.set({ link: stats.connector }, stats[field]);
  };
  const made = new Gauge({ name, help, labelNames: ['link'], registers: [metrics], collect });
  collectors.push(collect);
}
