import { Counter } from 'prom-client';
import { metrics } from '../../observability/metrics.ts';

export const mailRemovals = new Counter({
  name: 'carillon_mail_removals_total',
  help: 'Users of mailing lists who asked to be removed, by page or by one click in a mail program.',
  labelNames: ['by'],
  registers: [metrics],
});

export const mailBounces = new Counter({
  name: 'carillon_mail_returns_total',
  help: 'What came back of mails: hard and soft bounces, complaints, and what was neither.',
  labelNames: ['kind'],
  registers: [metrics],
});
