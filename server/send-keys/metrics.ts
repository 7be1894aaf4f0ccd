import { counter } from '../observability/metrics.ts';

/** `stored`: done with a key; `repeated`: the first answer again; `reused`: refused, another body; `waited`: refused, in progress. */
export const sendKeysTotal = counter(
  'carillon_send_keys_total',
  'Calls with a send key, by outcome.',
  'result',
);
