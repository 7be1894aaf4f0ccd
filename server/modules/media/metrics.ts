import { counter } from '../../kit/observability/metrics.ts';

export const fetchesTotal = counter(
  'carillon_media_fetches_total',
  'Attempts to fetch files of clients: stored, again (to be retried), or the problem that ended them.',
  'outcome',
);
