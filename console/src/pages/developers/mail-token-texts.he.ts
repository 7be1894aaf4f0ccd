import type { Dictionary } from '../../i18n/en.ts';

export const mailTokens: Dictionary['mailTokens'] = {
  title: 'אסימוני דוא״ל',
  lead: 'לממשק רשימות הדיוור בלבד. חמישה לכל היותר.',
  make: 'יצירת אסימון דוא״ל',
  submit: 'יצירת אסימון דוא״ל',
  newToken: 'אסימון הדוא״ל החדש',
  none: 'אין אסימוני דוא״ל',
  tooMany: 'כבר יש חמישה אסימוני דוא״ל. בטלו אחד מהם קודם.',
};
