import type { sidePanel as en } from './side-panel-texts.en.ts';

export const sidePanel: typeof en = {
  previous: 'הקודם (K)',
  next: 'הבא (J)',
  close: 'סגירה (Esc)',
  raw: 'JSON גולמי',
  copyId: 'העתקת המזהה',
  copyLink: 'העתקת קישור',
  linkCopied: 'הקישור הועתק',
  openPage: 'פתיחה בעמוד מלא',
};
