import { Counter, Gauge, Histogram } from 'prom-client';
import { metrics } from '../../observability/metrics.ts';

/** Calls that have ended, by trunk and outcome (outcomes.ts, without the number of the answer). */
export const callsEnded = new Counter({
  name: 'carillon_calls_total',
  help: 'Outgoing calls, by what became of them.',
  labelNames: ['trunk', 'outcome'],
  registers: [metrics],
});

/** Calls under way, from the INVITE to the last word. */
export const callsOpen = new Gauge({
  name: 'carillon_calls_open',
  help: 'Outgoing calls under way.',
  labelNames: ['trunk'],
  registers: [metrics],
});

/** 1 when the trunk takes calls. */
export const trunksUp = new Gauge({
  name: 'carillon_trunk_up',
  help: 'Whether the trunk takes calls.',
  labelNames: ['trunk'],
  registers: [metrics],
});

export const callsHeard = new Histogram({
  name: 'carillon_call_heard_seconds',
  help: 'How much of the message was played in answered calls.',
  labelNames: ['trunk'],
  buckets: [1, 2, 5, 10, 20, 30, 60, 120, 300],
  registers: [metrics],
});

export const callsIn = new Counter({
  name: 'carillon_calls_incoming_total',
  help: 'Calls that came in on a trunk, all of them declined.',
  labelNames: ['trunk'],
  registers: [metrics],
});

/** `malformed`: no SIP message; `stranger`: a request from an address that is no peer of the trunk. */
export const sipDropped = new Counter({
  name: 'carillon_sip_dropped_total',
  help: 'What came to a trunk and was dropped without an answer.',
  labelNames: ['trunk', 'reason'],
  registers: [metrics],
});
