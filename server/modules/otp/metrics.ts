import { counter } from '../../kit/observability/metrics.ts';

export const sent = counter('carillon_otp_sent_total', 'One-time codes whose message was accepted.');

export const checked = counter(
  'carillon_otp_checked_total',
  'Validated one-time codes, by result.',
  'result',
);
