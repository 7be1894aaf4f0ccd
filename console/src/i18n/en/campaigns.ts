import { words } from './words.ts';

/** Campaigns of every channel. */
export const campaigns = {
  ...words,
  title: 'Campaigns',
  lead: 'Messages to lists and to several recipients in every channel, newest first.',
  find: 'Campaign name',
  noName: (id: string) => `Campaign ${id}`,
  progress: 'Progress',
  states: {
    scheduled: 'Scheduled',
    running: 'Running',
    paused: 'Paused',
    cancelled: 'Cancelled',
    finished: 'Finished',
  },
  begins: 'Starts',
  accepted: 'Accepted',
  recipients: 'Recipients',
  cost: 'Cost',
  none: 'No campaigns yet',
  noneHint: 'Messages to a list or to several numbers appear here as a campaign.',
  send: 'New campaign',
  done: (done: string, all: string) => `${done} of ${all}`,
  counting: 'Counting…',
  countedAt: 'Counted',
  rate: (rate: string) => `${rate} per second`,
  minutesLeft: (count: number) =>
    count < 1
      ? 'less than a minute left'
      : count === 1
        ? 'about a minute left'
        : `about ${count} minutes left`,
  hoursLeft: (count: string) => `about ${count} hours left`,
  field: (number: string) => `«Field ${number}»`,
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  actions: 'Actions',
  paused: 'Paused. Messages that were submitted are still delivered.',
  resumed: 'The campaign was resumed.',
  cancelled: (count: string, handedOver: string) =>
    `Cancelled. ${count} messages will not be sent; ${handedOver} were already submitted.`,
  cancelTitle: 'Cancel this campaign?',
  cancelAction: 'Cancel campaign',
  keep: 'Keep sending',
  cancelText:
    'Messages that are not submitted yet will not be sent, and their credit is reversed. This cannot be undone.',
  chartOf: (list: string) => `Chart of outcomes: ${list}.`,
  count: 'Messages',
  outcomeNames: {
    waiting: 'Waiting',
    handed_over: 'On their way',
    delivered: 'Delivered',
    read: 'Read',
    failed: 'Failed',
    cancelled: 'Cancelled',
    unmade: 'Not created yet',
  },
  /** Where a channel has other words for them. */
  outcomesOf: {
    mail: { handed_over: 'Sent', read: 'Opened', failed: 'Failed or bounced' },
  } as Readonly<Record<string, Readonly<Record<string, string>>>>,
  failures: 'Failures by reason',
  failedRecipients: 'Failed recipients',
  noFailures: 'No failures so far.',
  recipient: 'Recipient',
  at: 'When',
  reason: 'Reason',
  contentOf: 'As received by',
  id: 'ID',
  validUntil: 'Expires',
  seeMessages: 'Messages',
  seeClicks: 'Clicks',
};
