/** Second messages by another channel, on the pages of messages and campaigns. */
export const otherMessage = {
  replaced: 'Sent by another channel',
  replaces: 'Replaces',
  fallback: 'If it fails',
  seconds: 'second messages',
  sent: (count: string) => `${count} sent`,
  waits: 'waiting',
  ended: 'ended',
  reasons: {
    paused: 'the campaign is paused',
    cancelled: 'the campaign was cancelled',
    'text-removed': 'the text is no longer stored',
    'no-credit': 'not enough credit',
    'account-suspended': 'the account is suspended',
  } as Readonly<Record<string, string>>,
};
