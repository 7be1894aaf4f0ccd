import type { Dictionary } from '../i18n/en.ts';

export const filters: Dictionary['filters'] = {
  label: 'סינון',
  period: 'תקופה',
  anyTime: 'כל הזמנים',
  ownDays: 'בחירת תאריכים',
  presets: {
    today: 'היום',
    yesterday: 'אתמול',
    week: '7 הימים האחרונים',
    month: '30 הימים האחרונים',
    thisMonth: 'החודש',
    lastMonth: 'החודש שעבר',
  },
  from: 'מתאריך',
  until: 'עד תאריך',
  all: 'הכול',
  clear: 'ניקוי הסינון',
  nothing: 'אין תוצאות',
  nothingHint: 'שנו את החיפוש או נקו את הסינון.',
};
