import type { AlertWords } from './words.ts';

export const he: AlertWords = {
  began: 'התראה',
  ended: 'הסתיים',
  test: 'התראת ניסיון',
  times: (times) => `קרה ${times} פעמים מאז ההודעה האחרונה.`,
  more: (count) => `ועוד ${count}`,
  since: (at) => `מאז ${at}`,
  from: (from, to) => `מ-${from} עד ${to}`,
  account: (name) => `חשבון: ${name}`,
  rule: (name) => `כלל: ${name}`,
  seeConsole: (link) => `כללים והיסטוריה: ${link}`,
  isTest: 'מישהו בודק את הכלל. הכול תקין.',
};
