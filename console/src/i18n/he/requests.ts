import type { Dictionary } from '../en.ts';

export const requests: Dictionary['requests'] = {
  title: 'יומן פניות',
  lead: 'מה התוכנות שלכם ביקשו מהשירות בימים האחרונים, באיחור של שנייה. טקסטים ואסימונים אינם נשמרים.',
  api: 'ממשק',
  apis: { sms: 'SMS', chat: 'צ׳אט', mail: 'דואר', v1: '/v1' },
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
  address: 'מכתובת',
  http: 'HTTP',
  none: 'עדיין אין פניות',
  noneHint: 'שלחו פנייה עם אסימון שלכם, והיא תופיע כאן כעבור שנייה.',
};
