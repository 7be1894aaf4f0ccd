import { counter } from '../observability/metrics.ts';

export const blocked = counter(
  'carillon_otp_blocked_total',
  'One-time codes that were not sent, by the rule that stopped them.',
  'rule',
);

export const guarded = counter(
  'carillon_fraud_guard_blocked_total',
  'Automatic replies and questions to owners of numbers that the fraud guard stopped, by kind and rule.',
  'kind',
  'rule',
);
