import { counter } from '../../kit/observability/metrics.ts';

export const clicksTotal = counter(
  'carillon_link_clicks_total',
  'Clicks on short links, by source: person, preview or bot.',
  'visitor',
);

export const clicksLost = counter(
  'carillon_link_clicks_lost_total',
  'Clicks that were dropped because the database was unavailable for too long.',
);
