/**
 * Chapters of operations, in reading order. The first eight are the interface's B1 to B11, `chat` is A1 to A5, `mail`
 * C.
 */
export const chapters = {
  sending: 'Sending SMS',
  codes: 'One-time codes',
  contacts: 'Contact lists',
  subscribers: 'Subscribers',
  reports: 'Reports',
  sources: 'Verified numbers',
  blacklist: 'Blacklist',
  cancelling: 'Cancelling',
  chat: 'Chat messages',
  conversations: 'Conversations',
  mail: 'Mailing lists',
  data: 'Personal data',
  account: 'Account',
  people: 'People',
  operator: 'Operator',
} as const;

export type Chapter = keyof typeof chapters;
