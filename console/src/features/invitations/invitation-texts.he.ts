import type { invitations as texts } from './invitation-texts.en.ts';

export const invitations: typeof texts = {
  title: (name) => `הזמנה עבור ${name}`,
  text: 'שלחו את ההזמנה בערוץ בטוח. היא תקפה פעם אחת ולא תוצג שוב.',
  mailed: (address) => `ההזמנה נשלחה אל ${address}. היא תקפה פעם אחת.`,
  link: 'הזמנה',
  until: 'בתוקף עד',
  kept: 'העתקתי',
  close: 'סיום',
};
