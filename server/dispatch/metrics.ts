import { Counter, Gauge, Histogram } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

const registers = [metrics];

export const submitted = new Counter({
  name: 'carillon_messages_handed_over_total',
  help: 'Messages that a carrier took.',
  labelNames: ['link'],
  registers,
});

export const delivered = new Counter({
  name: 'carillon_messages_delivered_total',
  help: 'Messages reported delivered, all parts.',
  registers,
});

export const failed = new Counter({
  name: 'carillon_messages_failed_total',
  help: 'Messages that failed for good, by delivery status.',
  labelNames: ['status'],
  registers,
});

export const retried = new Counter({
  name: 'carillon_messages_retried_total',
  help: "Messages put back for a later attempt, by the carrier's code.",
  labelNames: ['code'],
  registers,
});

export const resubmitted = new Counter({
  name: 'carillon_messages_resubmitted_total',
  help: 'Messages handed over again because the link went away before its answer: possible duplicates.',
  registers,
});

export const unmatchedReceipts = new Counter({
  name: 'carillon_receipts_unmatched_total',
  help: 'Receipts whose message was not known: kept for another look (early), or given up (lost).',
  labelNames: ['fate'],
  registers,
});

export const incomingTotal = new Counter({
  name: 'carillon_incoming_total',
  help: 'Messages from phones.',
  registers,
});

export const recordSeconds = new Histogram({
  name: 'carillon_record_seconds',
  help: 'Time of one transaction that stores results.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  registers,
});

export const submitSeconds = new Histogram({
  name: 'carillon_hand_over_seconds',
  help: 'From acceptance (or the time a message is due) until it is given to its link.',
  labelNames: ['lane'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
  registers,
});

export const queueAge = new Gauge({
  name: 'carillon_queue_age_seconds',
  help: 'How long the oldest due batch of a lane has waited.',
  labelNames: ['lane'],
  registers,
});

export const queueMessages = new Gauge({
  name: 'carillon_queue_messages',
  help: 'Messages in due batches of a lane.',
  labelNames: ['lane'],
  registers,
});
