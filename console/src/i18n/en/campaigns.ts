import { words } from './words.ts';

/** Campaigns of every channel. */
export const campaigns = {
  ...words,
  title: 'Campaigns',
  lead: 'Sends to lists and named sends of every channel, newest first.',
  find: 'Name of a campaign',
  noName: (id: string) => `Campaign ${id}`,
  progress: 'Progress',
  states: {
    scheduled: 'Scheduled',
    running: 'Running',
    paused: 'Paused',
    cancelled: 'Cancelled',
    finished: 'Finished',
  },
  begins: 'Begins',
  accepted: 'Accepted',
  recipients: 'Recipients',
  cost: 'Cost',
  none: 'No campaigns yet',
  noneHint: 'A send to a list, to several numbers or with a name is a campaign.',
  send: 'New campaign',
  done: (done: string, all: string) => `${done} of ${all}`,
  counting: 'Counting…',
  countedAt: 'Counted',
  rate: (rate: string) => `${rate} a second`,
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
  export: 'Export as CSV',
  actions: 'Actions',
  paused: 'Paused. Messages that were submitted are still delivered.',
  resumed: 'The campaign was resumed.',
  cancelled: (count: string, handedOver: string) =>
    `Cancelled: ${count} will not be sent, ${handedOver} were submitted before.`,
  cancelTitle: 'Cancel this campaign?',
  cancelAction: 'Cancel campaign',
  keep: 'Keep sending',
  cancelText:
    'Messages that were not submitted will not be sent, and their credit is reversed. This cannot be undone.',
  chartOf: (list: string) => `Plot of the outcomes: ${list}.`,
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
  text: 'Text',
  ownTexts: 'Each message has its own text.',
  id: 'Id',
  validUntil: 'Expires',
  seeMessages: 'Messages',
  seeClicks: 'Clicks',
};
