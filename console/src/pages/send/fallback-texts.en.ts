/** A second message by another channel, if the first one fails. */
export const fallback = {
  title: 'If it fails',
  second: 'Second message',
  none: 'No second message',
  by: { sms: 'Send by SMS', voice: 'Call', chat: 'Send by chat' },
  within: 'When not delivered within',
  minutes: (count: number) => `${count} minutes`,
  hours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
  template: 'Template of the second message',
  templateHint: 'Choose a template without variables',
  noTemplates: 'No approved template without variables',
  header: 'Link to the file of its header',
  text: 'Text of the second message',
  sameText: 'Empty: the same text',
  ownText: 'Required: the text above has fields of contacts',
  hint: 'Also when the message is rejected, but not to recipients on the blacklist or without consent. A second message has its own price.',
  about: (messages: string, credits: string) =>
    `About ${messages} second messages at the failure rate of the last 7 days, up to ${credits} credits more.`,
};
