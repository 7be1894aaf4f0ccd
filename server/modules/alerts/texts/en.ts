import type { AlertWords } from './words.ts';

export const en: AlertWords = {
  began: 'Alert',
  ended: 'Resolved',
  test: 'Test alert',
  times: (times) => `It began ${times} times since the last message.`,
  more: (count) => `and ${count} more`,
  since: (at) => `Since ${at}`,
  from: (from, to) => `From ${from} to ${to}`,
  account: (name) => `Account: ${name}`,
  rule: (name) => `Rule: ${name}`,
  seeConsole: (link) => `Rules and history: ${link}`,
  isTest: 'Somebody tests the rule. Nothing is wrong.',
};
