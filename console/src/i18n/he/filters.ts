import type { Dictionary } from '../en.ts';

export const filters: Dictionary['filters'] = {
  label: 'סינון',
  from: 'מתאריך',
  until: 'עד תאריך',
  all: 'הכול',
  clear: 'ניקוי הסינון',
  nothing: 'אין תוצאות',
  nothingHint: 'שנו את החיפוש או נקו את הסינון.',
};
