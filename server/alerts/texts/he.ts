import { connectorFaultTexts } from '../../connector-fault-texts.ts';
import type { FaultReason } from '../../connector-faults.ts';
import type { Measured } from '../condition.ts';
import type { AlertWords } from './words.ts';

/** The cause of a connector that is down, with the text of the protocol; '' when it is not known. */
const causeOf = ({ reason, detail }: Measured): string => {
  if (reason === undefined) return '';
  return `: ${connectorFaultTexts.he[reason as FaultReason]}${detail ? ` (${detail})` : ''}`;
};

export const he: AlertWords = {
  began: 'התראה',
  ended: 'הסתיים',
  test: 'התראת ניסיון',
  holds: {
    'low-balance': ({ account, balance, below }) =>
      `היתרה של ${account} היא ${balance} קרדיטים (סף ${below})`,
    'delivery-rate': ({ subject, rate, usual, messages }) =>
      `שיעור המסירה אל ${subject} ירד ל-${rate}% (בדרך כלל ${usual}%, ${messages} הודעות)`,
    'connector-delivery-rate': ({ subject, rate, usual, messages }) =>
      `שיעור המסירה דרך החיבור ${subject} ירד ל-${rate}% (בדרך כלל ${usual}%, ${messages} הודעות)`,
    webhook: ({ host, state, account }) =>
      `ה-webhook אל ${host}${account ? ` של החשבון ${account}` : ''} ${state === 'off' ? 'כובה' : 'נכשל'}`,
    'code-fraud': ({ prefix, stopped }) => `מנגנון ההגנה מהונאות עצר ${stopped} שליחות אל ${prefix}`,
    'queue-age': ({ lane, minutes, messages }) =>
      `${messages} הודעות ממתינות עד ${minutes} דקות (נתיב ${lane})`,
    'connector-down': ({ connector, state, ...cause }) =>
      state === 'free'
        ? `אף תהליך אינו מחזיק בחיבור ${connector}`
        : `החיבור ${connector} מנותק${causeOf(cause)}`,
    'event-backlog': ({ minutes, events }) => `${events} אירועי webhook ממתינים עד ${minutes} דקות`,
    quarantine: ({ results }) => `${results} תוצאות נמצאות בהסגר`,
    disk: ({ free_percent }) => `${free_percent}% מהדיסק פנויים`,
    'backup-age': ({ hours }) => (hours === 'never' ? 'אין גיבוי' : `הגיבוי האחרון נעשה לפני ${hours} שעות`),
  },
  times: (times) => `קרה ${times} פעמים מאז ההודעה האחרונה.`,
  more: (count) => `ועוד ${count}`,
  since: (at) => `מאז ${at}`,
  from: (from, to) => `מ-${from} עד ${to}`,
  account: (name) => `חשבון: ${name}`,
  rule: (name) => `כלל: ${name}`,
  seeConsole: (link) => `כללים והיסטוריה: ${link}`,
  isTest: 'מישהו בודק את הכלל. הכול תקין.',
};
