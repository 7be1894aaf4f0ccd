import { defineRetention } from '../../kit/define-retention.ts';

export const requestsKept = defineRetention({
  kind: 'requests',
  meaning: 'The request log.',
  leastDays: 1,
  days: ({ REQUEST_LOG_DAYS }) => REQUEST_LOG_DAYS,
});
