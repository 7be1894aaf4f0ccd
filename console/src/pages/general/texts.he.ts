import type { general as english } from './texts.en.ts';

export const general: typeof english = {
  lead: 'השם והלוגו של החשבון מופיעים בעמודים שהנמענים רואים, כמו עמוד ההסרה.',
  about: 'חשבון',
  name: 'שם',
  username: 'שם משתמש',
  id: 'מזהה החשבון',
  zone: 'אזור זמן',
  zoneHint: 'למי שלא בחר אזור משלו, ולזמנים בלי אזור בבקשות API ובתשובות להן.',
  zoneOfService: (zone) => `כמו השירות: ${zone}`,
  operatorChanges: 'המפעיל משנה את השם.',
  logoHint:
    'תמונה של 200 פיקסלים לפחות נראית חדה בטלפון. היא מוצגת בעמודים ברוחב של עד 160 פיקסלים ובגובה של עד 56.',
  noLogo: 'אין לוגו. העמודים מציגים את האות הראשונה של השם.',
  logoOf: (name) => `הלוגו של ${name}`,
  removeLogo: 'הסרת הלוגו',
  logoSaved: 'הלוגו נשמר.',
  logoRemoved: 'הלוגו הוסר.',
};
