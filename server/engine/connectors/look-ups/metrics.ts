import { counter } from '../../../kit/observability/metrics.ts';

/**
 * How the network of a number was learned: `remembered`; `found` or `unknown` by the provider; or not: `failed`, `spent` when the
 * requests of the day are used up, `code` because a one-time code does not wait, `other` for a number that is not looked up.
 */
export const numberLookUps = counter(
  'carillon_number_look_ups_total',
  'Numbers whose network decided the route of a message, by how it was learned.',
  'result',
);
