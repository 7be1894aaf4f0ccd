import type * as en from './sending-hours-texts.en.ts';

export const sendingHours: typeof en.sendingHours = {
  hours: 'שעות ביום',
  from: 'משעה',
  to: 'עד שעה',
  transactional: 'הודעה תפעולית',
  transactionalHint: 'כמו קבלה או התראה: יוצאת בכל שעה.',
  waits: 'השעות השקטות של החשבון אינן מתירות קמפיינים עכשיו. הם ימתינו עד',
  refused: 'השעות השקטות של החשבון אינן מתירות קמפיינים עכשיו. מותר החל מתאריך',
};
