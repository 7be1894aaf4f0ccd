import type { findEntry as english } from './find-entry-texts.en.ts';

export const findEntry: typeof english = {
  settings: 'חיפוש הגדרה',
  pages: 'חיפוש עמוד',
  noSettings: 'לא נמצאו הגדרות מתאימות.',
  noPages: 'לא נמצאו עמודים מתאימים.',
};
