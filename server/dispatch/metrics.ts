import { Gauge } from 'prom-client';
import { counter, gauge, histogram, metrics } from '../observability/metrics.ts';

export const submitted = counter(
  'carillon_messages_handed_over_total',
  'Messages that a carrier took.',
  'link',
);

export const delivered = counter(
  'carillon_messages_delivered_total',
  'Messages reported delivered, all parts.',
);

export const failed = counter(
  'carillon_messages_failed_total',
  'Messages that failed for good, by delivery status.',
  'status',
);

export const retried = counter(
  'carillon_messages_retried_total',
  "Messages put back for a later attempt, by the carrier's code.",
  'code',
);

export const resubmitted = counter(
  'carillon_messages_resubmitted_total',
  'Messages handed over again because the link went away before its answer: possible duplicates.',
);

export const brokenLeases = counter(
  'carillon_broken_leases_total',
  'Batches that were taken over from a process that ended or lost the database while it submitted them.',
);

export const unmatchedReceipts = counter(
  'carillon_receipts_unmatched_total',
  'Receipts whose message was not known: kept for another look (early), or given up (lost).',
  'outcome',
);

export const incomingTotal = counter('carillon_incoming_total', 'Messages from phones.');

export const recordSeconds = histogram(
  'carillon_record_seconds',
  'Time of one transaction that stores results.',
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
);

export const submitSeconds = histogram(
  'carillon_hand_over_seconds',
  'From acceptance (or the time a message is due) until it is given to its link.',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
  'lane',
);

export const queueAge = gauge(
  'carillon_queue_age_seconds',
  'How long the oldest due batch of a lane has waited.',
  'lane',
);

export const queueMessages = gauge('carillon_queue_messages', 'Messages in due batches of a lane.', 'lane');

/** The connectors of a dispatcher, as the metrics show them. */
interface Measured {
  /** `link`: their label, which several may share. */
  readonly measured: readonly { readonly link: string; readonly isHeld: boolean; readonly isUp: boolean }[];
}

const dispatchers = new Set<Measured>();

/** Shows the connectors of a dispatcher in the metrics of this process from now on. */
export const measureConnectors = (connectors: Measured): void => void dispatchers.add(connectors);

/** Shows them no more. */
export const forgetConnectors = (connectors: Measured): void => void dispatchers.delete(connectors);

new Gauge({
  name: 'carillon_connectors',
  help: 'Connectors that this process holds, by whether messages can be submitted (up, down). Without any that it holds, both are 0.',
  labelNames: ['link', 'state'],
  registers: [metrics],
  collect() {
    this.reset();
    for (const { link, isHeld, isUp } of [...dispatchers].flatMap(({ measured }) => measured)) {
      this.inc({ link, state: 'up' }, isHeld && isUp ? 1 : 0);
      this.inc({ link, state: 'down' }, isHeld && !isUp ? 1 : 0);
    }
  },
});
