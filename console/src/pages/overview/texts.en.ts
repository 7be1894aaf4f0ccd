/** The first page of an account. */
export const overview = {
  title: 'Overview',
  lead: (name: string) => `Messages, delivery and spending of ${name}.`,
  lastDay: 'Last 24 hours',
  channel: 'Channel',
  allChannels: 'All',
  sent: 'Sent',
  balance: 'Balance',
  runway: (days: number, text: string) =>
    days === 0
      ? 'Less than a day left at the current spending'
      : days === 1
        ? '1 day left at the current spending'
        : `${text} days left at the current spending`,
  runwayLong: 'More than 2 years left at the current spending',
  noSpending: 'Nothing was spent in the last 7 days',
  /** How much more or less it is than the same days, one or more weeks before. */
  change: (share: string, weeks: number) =>
    weeks === 1 ? `${share} from the week before` : `${share} from ${weeks} weeks before`,
  points: (points: string, weeks: number) =>
    weeks === 1 ? `${points} points from the week before` : `${points} points from ${weeks} weeks before`,
  nothingBefore: (weeks: number) =>
    weeks === 1 ? 'No messages the week before' : `No messages ${weeks} weeks before`,
  delivered: 'Delivered',
  deliveryRate: 'Delivery rate',
  deliveredHint: (delivered: string) => `${delivered} delivered`,
  failed: 'Failed',
  spent: 'Spent',
  messages: 'Messages',
  messagesByHour: 'By hour of acceptance',
  messagesByDay: 'By day of acceptance',
  spending: 'Spending',
  spendingHint: 'Credits, by channel',
  byChannel: 'Delivery by channel',
  byChannelHint: (weeks: number) =>
    weeks === 1
      ? 'A rate that fell since the week before is marked.'
      : `A rate that fell since ${weeks} weeks before is marked.`,
  byPrefix: 'Delivery by prefix',
  byPrefixHint: 'Prefixes whose rate fell come first, then those with the most messages.',
  byPrefixSample: (count: string) => `Of the latest ${count} messages. Prefixes whose rate fell come first.`,
  prefix: 'Prefix',
  fellFrom: (rate: string) => `was ${rate}`,
  accepted: 'Accepted',
  outcome: 'Outcome',
  underWay: 'On their way',
  asTable: 'Show as table',
  chartOf: (delivered: string, underWay: string, failed: string) =>
    `Chart of messages over time: ${delivered} delivered, ${underWay} on their way, ${failed} failed.`,
  chartOfSpending: (spent: string) => `Chart of credits spent over time: ${spent} in total.`,
  time: 'Time',
  countedAt: 'Updated',
  queue: 'Waiting now',
  queueEmpty: 'The queue is empty.',
  lanes: { otp: 'One-time codes', single: 'Single messages', bulk: 'Campaigns' },
  due: 'Due',
  later: 'Later',
  paused: 'Paused',
  held: 'Held',
  oldest: (seconds: number) =>
    seconds < 90 ? `oldest: ${seconds} s` : `oldest: ${Math.round(seconds / 60)} min`,
  failures: 'Why messages failed',
  failuresHint: 'Last 24 hours',
  failuresOfLast: (count: string) => `The latest ${count} failures`,
  goTo: (page: string) => `Go to ${page}`,
  latest: 'Latest:',
  noFailures: 'No failures in the last 24 hours.',
  allFailures: 'View all failures',
  none: 'Nothing was sent in this period',
  noneHint: 'New messages appear here within seconds.',
  send: 'Send a message',
  firstSteps: {
    title: 'Set up your account',
    done: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide this list',
    isDone: 'Done',
    isOpen: 'To do',
    steps: {
      sender: {
        title: 'Add a sender',
        hint: 'Verify a number of yours, or request a name that recipients see.',
      },
      send: {
        title: 'Send a first message',
        hint: 'An SMS to your own phone shows its delivery status here.',
      },
      contacts: { title: 'Add a contact list', hint: 'Import a CSV file or add contacts one by one.' },
      token: { title: 'Create an API token', hint: 'Your programs send with it.' },
      webhook: { title: 'Register a webhook', hint: 'Your system receives deliveries and replies.' },
      factor: { title: 'Set up a second factor', hint: 'A code from your phone protects your sign-in.' },
    },
  },
};
