import { defineRetention } from '../../kit/define-retention.ts';

/** Entries must be found for a quarter of a year. */
export const auditKept = defineRetention({
  kind: 'audit',
  meaning: 'The audit log.',
  leastDays: 90,
  days: ({ KEEP_DAYS }) => KEEP_DAYS,
});
