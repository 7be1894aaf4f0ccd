import { defineRetention } from '../../kit/define-retention.ts';

export const mediaKept = defineRetention({
  kind: 'media',
  meaning: 'Files of chat messages.',
  leastDays: 1,
  days: ({ MEDIA_KEEP_DAYS }) => MEDIA_KEEP_DAYS,
});
