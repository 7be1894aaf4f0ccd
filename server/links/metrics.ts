import { Counter } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

const registers = [metrics];

export const clicksTotal = new Counter({
  name: 'carillon_link_clicks_total',
  help: 'Short links that were followed, by who did: person, preview or bot.',
  labelNames: ['visitor'],
  registers,
});

export const clicksLost = new Counter({
  name: 'carillon_link_clicks_lost_total',
  help: 'Clicks that were not stored because the database was away for long.',
  registers,
});
