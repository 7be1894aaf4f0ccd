import { counter } from '../../kit/observability/metrics.ts';

export const blocked = counter(
  'carillon_otp_blocked_total',
  'One-time codes that the fraud guard stopped, by rule.',
  'rule',
);

export const guarded = counter(
  'carillon_fraud_guard_blocked_total',
  'Automatic replies and requests for confirmation that the fraud guard stopped, by kind and rule.',
  'kind',
  'rule',
);
