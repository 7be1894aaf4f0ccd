import type { Dictionary } from '../../i18n/en.ts';

export const mailTokens: Dictionary['mailTokens'] = {
  title: 'אסימוני דואר',
  lead: 'לממשק רשימות הדיוור בלבד. חמישה לכל היותר.',
  make: 'יצירת אסימון דואר',
  submit: 'יצירת אסימון דואר',
  newToken: 'אסימון הדואר החדש',
  none: 'אין אסימוני דואר',
  tooMany: 'כבר יש חמישה אסימוני דואר. בטלו אחד מהם קודם.',
};
