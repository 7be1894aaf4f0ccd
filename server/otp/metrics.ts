import { Counter } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

const registers = [metrics];

export const sent = new Counter({
  name: 'carillon_otp_sent_total',
  help: 'One-time codes whose message was accepted.',
  registers,
});

export const checked = new Counter({
  name: 'carillon_otp_checked_total',
  help: 'One-time codes that were checked, by result.',
  labelNames: ['result'],
  registers,
});

export const blocked = new Counter({
  name: 'carillon_otp_blocked_total',
  help: 'One-time codes that were not sent, by the rule that stopped them.',
  labelNames: ['rule'],
  registers,
});
