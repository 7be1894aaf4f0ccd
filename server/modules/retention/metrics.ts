import { counter, gauge, sharedGauge } from '../../kit/observability/metrics.ts';

export const removedRows = counter(
  'carillon_retention_rows_total',
  'Rows that were deleted, or lost their text, because their retention time was over, by kind.',
  'kind',
);
export const accountsDue = gauge(
  'carillon_retention_accounts_due',
  'Accounts with data to remove that the current run of retention has not reached.',
);
export const runSeconds = gauge(
  'carillon_retention_run_seconds',
  'Duration of the last complete run of retention.',
);
export const lastRun = sharedGauge(
  'max',
  'carillon_retention_last_run_seconds',
  'End of the last run of retention that removed everything due (Unix time).',
);
