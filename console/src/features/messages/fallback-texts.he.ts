import type * as en from './fallback-texts.en.ts';

export const fallback: typeof en.fallback = {
  replaced: 'נשלחה בערוץ אחר',
  replaces: 'במקום',
  fallback: 'אם ההודעה נכשלת',
  sent: (count: string) => `${count} נשלחו`,
  waits: 'ממתינה',
  ended: 'הסתיימה',
  reasons: {
    paused: 'הקמפיין מושהה',
    cancelled: 'הקמפיין בוטל',
    'text-removed': 'הטקסט כבר לא שמור',
    'no-credit': 'אין מספיק יתרה',
    'account-suspended': 'החשבון מושעה',
  },
};
