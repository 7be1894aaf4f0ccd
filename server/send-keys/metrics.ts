import { Counter } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

/** `stored`: done with a key; `repeated`: the first answer again; `reused`: refused, another body; `waited`: refused, in progress. */
export const sendKeysTotal = new Counter({
  name: 'carillon_send_keys_total',
  help: 'Calls with a send key, by what became of them.',
  labelNames: ['result'],
  registers: [metrics],
});
