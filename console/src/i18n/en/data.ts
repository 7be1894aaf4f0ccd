/** How long an account keeps what. Fetched with the pages that show it. */
export const data = {
  lead: 'How long this account keeps its data.',
  retention: 'Retention',
  retentionHint:
    'What is older is removed within an hour and cannot be restored. Messages that wait, and those whose delivery receipt may still come, keep everything.',
  limits: 'Data retention',
  limitsHint: 'How many days the account may keep its data. It may choose less.',
  kinds: {
    texts: 'Texts of messages',
    messages: 'Messages and campaigns',
    conversations: 'Conversations',
    events: 'Events and webhook deliveries',
    requests: 'Request log',
    audit: 'Audit log',
    media: 'Files of chat messages',
  },
  hints: {
    texts: 'A message without its text keeps its state and price.',
    messages: 'Sent and received, with clicks and bounces. Statistics by hour and the wallet stay.',
    conversations: 'After their last message, with notes.',
    events: 'Never longer than texts.',
    requests: '',
    audit: '',
    media: '',
  },
  between: (least: number, most: number) =>
    least === most ? `${most} days` : `${least} to ${most} days; empty: ${most}`,
  asks: (days: number) => `The account keeps ${days} days.`,
  days: 'days',
  saved: 'The retention times were saved.',
  shorterTitle: 'Remove older data?',
  shorterText: (names: string) =>
    `Less is kept from now on: ${names}. What is older is removed within an hour and cannot be restored.`,
  shorten: 'Remove older data',
};
