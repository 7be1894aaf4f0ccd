import { counter, gauge } from '../observability/metrics.ts';

export const removedRows = counter(
  'carillon_retention_rows_total',
  'Rows that were deleted, or lost their text, because the time of their account was over, by kind.',
  'kind',
);
export const accountsDue = gauge(
  'carillon_retention_accounts_due',
  'Accounts with something to remove that the present run of retention has not come to.',
);
export const runSeconds = gauge(
  'carillon_retention_run_seconds',
  'How long the last complete run of retention took.',
);
export const lastRun = gauge(
  'carillon_retention_last_run_seconds',
  'When a run of retention ended, with everything removed that was due (Unix time).',
);
