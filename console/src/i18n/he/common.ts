import type { Dictionary } from '../en.ts';
import { errors } from './errors.ts';

export const common: Dictionary['common'] = {
  save: 'שמירה',
  back: 'חזרה',
  close: 'סגירה',
  add: 'הוספה',
  delete: 'מחיקה',
  copy: 'העתקה',
  copied: 'הועתק',
  search: 'חיפוש',
  retry: 'ניסיון נוסף',
  showCharacters: 'הצגת התווים',
  loading: 'בטעינה',
  previousPage: 'העמוד הקודם',
  nextPage: 'העמוד הבא',
  rowsOfPage: (page) => `עמוד ${page}`,
  nothingHere: 'עדיין אין כאן כלום',
  zone: (zone) => `אזור זמן: ${zone}`,
  hidden: {
    note: (what: string, role: string) => `${what}: מוסתר. גלוי לתפקיד „${role}” ומעלה.`,
    kinds: {
      'message-text': 'תוכן ההודעות',
      'template-sample': 'ערכים לדוגמה',
      'link-target': 'כתובות מלאות של קישורים',
      'simulated-phone': 'טלפונים מדומים',
      'webhook-url': 'כתובות webhook מלאות',
      'delivery-content': 'תוכן בקשות webhook והתשובות להן',
    },
  },
  errors,
};
