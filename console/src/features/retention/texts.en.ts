/** How long an account keeps what. Fetched with the pages that show it. */
export const data = {
  lead: 'The data that this account keeps, for how long, and in which form.',
  retention: 'Retention times',
  retentionHint:
    'Older data is removed within an hour and cannot be restored. Waiting messages, and messages whose delivery receipt may still come, keep everything.',
  limits: 'Data retention',
  limitsHint: 'How many days the account may keep its data. Its owners can choose less.',
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
  texts: 'Texts in the database',
  textsHint: 'Applies to new messages of every channel. Encrypted texts are shown and sent as before.',
  modes: {
    plain: { name: 'Plain', hint: 'Anyone who can read the database or a backup can read the texts.' },
    sealed: {
      name: 'Encrypted',
      hint: 'With a key of this account. Nobody reads them without the secret key of the installation.',
    },
    none: {
      name: 'Not kept',
      hint: 'Encrypted until they are sent, then removed. Incoming texts go to your webhooks alone: the inbox does not show them.',
    },
  },
  atLeast: 'The installation allows nothing less strict.',
  modeSaved: 'The storage of texts was saved.',
  noneTitle: 'Keep no texts?',
  noneText: 'Stored texts are also removed and cannot be restored.',
  noneAction: 'Remove texts',
  saved: 'The retention times were saved.',
  shorterTitle: 'Remove older data?',
  shorterText: (names: string) =>
    `Shorter retention: ${names}. Older data is removed within an hour and cannot be restored.`,
  shorten: 'Remove older data',
};
