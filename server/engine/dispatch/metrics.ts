import { Gauge } from 'prom-client';
import { counter, gauge, histogram, metrics } from '../../kit/observability/metrics.ts';

export const submitted = counter(
  'carillon_messages_handed_over_total',
  'Messages submitted to a carrier.',
  'link',
);

export const delivered = counter(
  'carillon_messages_delivered_total',
  'Messages reported as delivered, with all parts.',
);

export const failed = counter(
  'carillon_messages_failed_total',
  'Messages that failed permanently, by delivery status.',
  'status',
);

export const retried = counter(
  'carillon_messages_retried_total',
  'Messages that wait for a later attempt, by the code of the carrier.',
  'code',
);

export const left = counter(
  'carillon_messages_left_total',
  'Messages that left a connector for another one of their route, by the code of the carrier.',
  'link',
  'code',
);

export const resubmitted = counter(
  'carillon_messages_resubmitted_total',
  'Messages resubmitted because the connection was lost before the response: possible duplicates.',
);

export const brokenLeases = counter(
  'carillon_broken_leases_total',
  'Batches taken over from a process that ended or lost the database while it submitted them.',
);

export const unmatchedReceipts = counter(
  'carillon_receipts_unmatched_total',
  'Delivery receipts of unknown messages: kept for another look-up (early), or discarded (lost).',
  'outcome',
);

export const incomingTotal = counter('carillon_incoming_total', 'Messages received from phones.');

export const recordSeconds = histogram(
  'carillon_record_seconds',
  'Duration of one transaction that stores results.',
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
);

export const submitSeconds = histogram(
  'carillon_hand_over_seconds',
  'Time from acceptance (or from the time a message is due) until its submission.',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
  'lane',
);

export const queueAge = gauge(
  'carillon_queue_age_seconds',
  'Waiting time of the oldest due batch of a lane.',
  'lane',
);

export const queueMessages = gauge('carillon_queue_messages', 'Messages in due batches of a lane.', 'lane');

/** Connectors of a dispatcher for the metrics. */
interface Measured {
  /** `connector` is the label, which several connectors may share. */
  readonly measured: readonly {
    readonly connector: string;
    readonly isHeld: boolean;
    readonly isUp: boolean;
  }[];
}

const dispatchers = new Set<Measured>();

/** Adds the connectors of a dispatcher to the metrics of this process. */
export const measureConnectors = (connectors: Measured): void => void dispatchers.add(connectors);

/** Removes them from the metrics. */
export const forgetConnectors = (connectors: Measured): void => void dispatchers.delete(connectors);

new Gauge({
  name: 'carillon_connectors',
  help: 'Connectors that this process holds, by state: messages can be submitted (up) or not (down). Both are 0 if it holds none.',
  labelNames: ['link', 'state'],
  registers: [metrics],
  collect() {
    this.reset();
    for (const { connector, isHeld, isUp } of [...dispatchers].flatMap(({ measured }) => measured)) {
      this.inc({ link: connector, state: 'up' }, isHeld && isUp ? 1 : 0);
      this.inc({ link: connector, state: 'down' }, isHeld && !isUp ? 1 : 0);
    }
  },
});
