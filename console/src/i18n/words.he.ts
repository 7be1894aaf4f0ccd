import type { words as english } from './words.en.ts';

export const words: typeof english = {
  name: 'שם',
  state: 'מצב',
  since: 'מאז',
  kind: 'סוג',
  account: 'חשבון',
  numbers: 'מספרים',
  sender: 'מזהה שולח',
  to: 'אל',
  channel: 'ערוץ',
  username: 'שם משתמש',
  balance: 'יתרה',
  password: 'סיסמה',
  address: 'כתובת',
  details: 'פרטים',
  phone: 'מספר טלפון',
  settings: 'הגדרות',
  active: 'פעיל',
  language: 'שפה',
  export: 'ייצוא ל־CSV',
  actions: (name) => `פעולות עבור ${name}`,
};
