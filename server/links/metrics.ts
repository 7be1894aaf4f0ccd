import { counter } from '../observability/metrics.ts';

export const clicksTotal = counter(
  'carillon_link_clicks_total',
  'Short links that were followed, by who did: person, preview or bot.',
  'visitor',
);

export const clicksLost = counter(
  'carillon_link_clicks_lost_total',
  'Clicks that were not stored because the database was away for long.',
);
