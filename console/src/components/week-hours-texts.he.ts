import type * as en from './week-hours-texts.en.ts';

export const weekHours: typeof en.weekHours = {
  days: {
    sunday: 'ראשון',
    monday: 'שני',
    tuesday: 'שלישי',
    wednesday: 'רביעי',
    thursday: 'חמישי',
    friday: 'שישי',
    saturday: 'שבת',
  },
  closed: 'סגור',
  from: (day, number) => `${day}, משעה, ${number}`,
  to: (day, number) => `${day}, עד שעה, ${number}`,
  addSpan: (day) => `הוספת שעות ביום ${day}`,
  removeSpan: (day, number) => `הסרת שעות ${number} של יום ${day}`,
  overnight: 'אחרי חצות',
  same: 'שעת ההתחלה ושעת הסיום צריכות להיות שונות.',
  dates: 'תאריכים סגורים',
  datesHint: 'חגים: סגור מחצות עד חצות.',
  date: 'תאריך',
  dateName: 'שם',
  addDate: 'הוספת תאריך',
  removeDate: (number) => `הסרת תאריך ${number}`,
};
