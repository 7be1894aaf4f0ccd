import type { pictures as english } from './texts.en.ts';

export const pictures: typeof english = {
  choose: 'בחירת תמונה',
  title: 'תמונות',
  upload: 'העלאת תמונה',
  limits: 'JPEG,‏ PNG או GIF, עד 2 MiB. כל מי שמחזיק בכתובת של תמונה יכול לראות אותה.',
  none: 'אין עדיין תמונות',
  noneHint: 'תמונות שהועלו מופיעות כאן, לכל הודעות הדוא״ל של החשבון.',
  use: (name) => `שימוש ב־${name}`,
  unnamed: 'תמונה',
  remove: (name) => `מחיקת ${name}`,
  removeTitle: 'למחוק את התמונה?',
  removeText: 'הודעות דוא״ל שנשלחו איתה יציגו את התיאור שלה. אם זה הלוגו, הדפים של החשבון יוצגו בלי לוגו.',
  removeAction: 'מחיקת התמונה',
  keep: 'השארת התמונה',
  removed: 'התמונה נמחקה.',
};
