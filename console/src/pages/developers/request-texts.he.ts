import type { requests as texts } from './request-texts.en.ts';

export const requests: typeof texts = {
  lead: 'פניות API מהימים האחרונים. טקסטים ואסימונים אינם נשמרים.',
  api: 'API',
  apis: {
    sms: 'SMS',
    chat: 'צ׳אט',
    mail: 'דוא״ל',
    v1: '/v1',
    kannel: 'Kannel',
    jasmin: 'Jasmin',
    twilio: 'Twilio',
  },
  operation: 'פעולה',
  outcome: 'תוצאה',
  done: 'בוצעה',
  refused: 'נדחתה',
  repeated: 'חוזרת',
  status: 'סטטוס',
  requestId: 'מזהה פנייה',
  at: 'מועד',
  duration: 'משך',
  milliseconds: (text) => `${text} מ״ש`,
  address: 'כתובת IP',
  http: 'HTTP',
  none: 'עדיין אין פניות',
  noneHint: 'פניות יופיעו כאן בתוך שנייה.',
};
