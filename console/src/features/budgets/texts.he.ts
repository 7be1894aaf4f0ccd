import type { budgets as en } from './texts.en.ts';

export const budgets: typeof en = {
  title: 'תקציבים',
  lead: 'מגבלות על מה שאין לו מחיר. רובן מתחדשות בכל יום.',
  budget: 'תקציב',
  used: 'נוצל',
  limit: 'מגבלה',
  renews: 'מתחדש',
  never: 'כשקבצים נמחקים',
  noLimit: 'ללא מגבלה',
  credits: (amount) => `${amount} קרדיטים`,
  own: 'נקבע לחשבון הזה',
  change: (budget) => `שינוי התקציב ״${budget}״`,
  save: 'שמירת המגבלה',
  saved: 'התקציב שונה.',
  count: 'המספר המרבי',
  megabytes: 'הנפח המרבי ב־MB',
  creditsLimit: 'הסכום המרבי בקרדיטים',
  limitHint: 'השאירו ריק כדי להשתמש בברירת המחדל של השירות. 0 פירושו ללא מגבלה.',
  badNumber: 'הזינו מספר שאינו קטן מ־0, או השאירו ריק.',
  kinds: {
    'service-mails': 'התראות בדוא״ל',
    tests: 'הודעות ניסיון',
    verifications: 'בקשות לאישור כתובת או מספר',
    'automatic-replies': 'מענה אוטומטי',
    files: 'קבצים שמורים',
  },
};
