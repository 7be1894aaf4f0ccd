import { counter } from '../../kit/observability/metrics.ts';

/**
 * `stored`: done with a key; `repeated`: the first response was sent again; `reused`: refused, because the body
 * differs; `waited`: refused, because the first request is in progress.
 */
export const sendKeysTotal = counter(
  'carillon_send_keys_total',
  'Calls with a send key, by outcome.',
  'result',
);
