import type * as en from './other-message-texts.en.ts';

export const otherMessage: typeof en.otherMessage = {
  replaced: 'נשלחה בערוץ אחר',
  replaces: 'במקום',
  fallback: 'אם ההודעה נכשלת',
  seconds: 'הודעות שניות',
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
