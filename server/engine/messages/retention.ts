import { defineRetention } from '../../kit/define-retention.ts';

/** Texts go with their messages. */
export const textsKept = defineRetention({
  kind: 'texts',
  meaning: 'Texts of messages, sent and received. A message without its text keeps its state and price.',
  leastDays: 1,
  days: ({ TEXT_KEEP_DAYS, KEEP_DAYS }) => Math.min(TEXT_KEEP_DAYS, KEEP_DAYS),
  droppedAfter: ({ KEEP_DAYS }) => KEEP_DAYS,
});

/** Receipts come for three weeks and messages are counted by the hour, so messages stay for a month. */
export const messagesKept = defineRetention({
  kind: 'messages',
  meaning: 'Messages, sent and received, with their campaigns, clicks and bounces.',
  leastDays: 31,
  days: ({ KEEP_DAYS }) => KEEP_DAYS,
});
