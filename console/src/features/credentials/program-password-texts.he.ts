import type { programPassword as texts } from './program-password-texts.en.ts';

export const programPassword: typeof texts = {
  title: 'סיסמה לתוכנות',
  lead: 'לתוכנות ישנות ששולחות שם משתמש וסיסמה. אסימונים בטוחים יותר, כי לכל תוכנה יש אסימון משלה.',
  isSet: 'מוגדרת',
  notSet: 'לא מוגדרת',
  set: 'הגדרת סיסמה',
  change: 'שינוי הסיסמה',
  remove: 'הסרה',
  removeTitle: 'להסיר את הסיסמה?',
  weak: 'הסיסמה חלשה',
  weakText: 'סיסמה כזו הייתה נדחית כסיסמה חדשה. החליפו אותה כאן ובתוכנות שמשתמשות בה.',
  signIn: 'התרת הזדהות באמצעות הסיסמה',
  signInHint: 'חל על פניות אל ‎/api ועל אסימוני דוא״ל. כשהאפשרות כבויה, רק אסימונים פועלים.',
  turnOn: 'הפעלה',
  turnOff: 'כיבוי',
  turnOnTitle: 'לאפשר לתוכנות להזדהות בסיסמה?',
  turnOffTitle: 'להפסיק לקבל סיסמה מתוכנות?',
  password: 'סיסמה חדשה לחשבון',
  passwordHint: 'עשרה תווים לפחות. תוכנות עם הסיסמה הישנה יידחו בתוך שתי שניות.',
  save: 'שמירה',
  done: 'סיסמת החשבון שונתה.',
};
