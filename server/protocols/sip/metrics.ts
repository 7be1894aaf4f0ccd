import { counter, gauge, histogram, sharedGauge } from '../../kit/observability/metrics.ts';

/** Ended calls, by trunk and outcome (outcomes.ts, without the SIP status). */
export const callsEnded = counter(
  'carillon_calls_total',
  'Finished outgoing calls, by outcome.',
  'trunk',
  'outcome',
);

/** Calls under way, from the INVITE to the last message. */
export const callsOpen = gauge('carillon_calls_open', 'Outgoing calls in progress.', 'trunk');

/** 1 while the trunk accepts calls. */
export const trunksUp = sharedGauge('max', 'carillon_trunk_up', 'Whether the trunk accepts calls.', 'trunk');

export const callsHeard = histogram(
  'carillon_call_heard_seconds',
  'Played share of the message in answered calls.',
  [1, 2, 5, 10, 20, 30, 60, 120, 300],
  'trunk',
);

export const callsIn = counter(
  'carillon_calls_incoming_total',
  'Incoming calls on a trunk, all of them declined.',
  'trunk',
);

/** `malformed`: not a SIP message; `stranger`: a request from an address that is not a peer of the trunk. */
export const sipDropped = counter(
  'carillon_sip_dropped_total',
  'SIP messages and packets that were dropped without a response.',
  'trunk',
  'reason',
);
