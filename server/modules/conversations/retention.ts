import { defineRetention } from '../../kit/define-retention.ts';

export const conversationsKept = defineRetention({
  kind: 'conversations',
  meaning: 'Conversations after their last message, with notes.',
  leastDays: 1,
  days: ({ KEEP_DAYS }) => KEEP_DAYS,
});
