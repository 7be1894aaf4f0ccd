import { words } from '../../i18n/words.he.ts';
import type { blacklist as en } from './texts.en.ts';

export const blacklist: typeof en = {
  ...words,
  lead: 'מספרים חסומים. הודעות אליהם אינן נשלחות ואינן מחויבות.',
  search: 'חיפוש לפי מספר',
  add: 'הוספת מספרים',
  addTitle: 'הוספה לרשימה השחורה',
  numbersHint: 'הזינו מספר אחד בכל שורה, בכל פורמט.',
  added: (added, present) => (present === 0 ? `נוספו ${added}` : `נוספו ${added}, ${present} כבר ברשימה`),
  unreadable: 'אלה אינם מספרי טלפון:',
  remove: 'הסרה',
  removeTitle: 'להסיר מהרשימה השחורה?',
  removeText: 'המספר ישוב לקבל את ההודעות שלכם. הסירו אותו רק לבקשת בעל המספר.',
  reason: 'סיבה',
  reasonHint: 'הסיבה נשמרת בחשבון.',
  reasonMissing: 'ציינו סיבה.',
  removeAction: 'הסרה מהרשימה השחורה',
  removed: 'המספר הוסר.',
  none: 'הרשימה השחורה ריקה',
  noneHint: 'נמענים שמשיבים "הסר" מתווספים אוטומטית.',
  import: 'ייבוא קובץ',
  export: 'ייצוא',
};
