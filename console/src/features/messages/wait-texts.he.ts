import type { waits as en } from './wait-texts.en.ts';

export const waits: typeof en = {
  scheduled: 'המתינה עד המועד המתוזמן',
  paused: 'המתינה כל עוד הקמפיין היה מושהה',
  suspended: 'המתינה כל עוד החשבון היה מושהה',
  'sending-hours': 'המתינה לשעות המותרות לשליחה',
  'frequency-cap': 'המתינה בגלל הגבלת התדירות',
  retry: 'המתינה אחרי סירוב זמני של הספק',
  'sender-rate': 'המתינה בגלל מגבלת הקצב של השולח',
  'no-connection': 'המתינה לחיבור לספק',
  unanswered: 'המתינה אחרי תשובה של הספק שאבדה',
  turn: 'המתינה לתורה',
};
