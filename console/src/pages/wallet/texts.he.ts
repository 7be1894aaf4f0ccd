import type { Dictionary } from '../../i18n/en.ts';

export const wallet: Dictionary['wallet'] = {
  title: 'ארנק',
  lead: 'היתרה והתנועות.',
  canBeSpent: 'קרדיטים זמינים',
  movements: 'תנועות',
  at: 'מועד',
  kind: 'סוג',
  what: 'פרטים',
  amount: 'סכום',
  kinds: {
    topup: 'טעינה',
    hold: 'שריון',
    release: 'שחרור',
    charge: 'חיוב',
    refund: 'זיכוי',
    transfer: 'העברה',
  },
  kindHints: {
    hold: 'עבור הודעות מתוזמנות',
    release: 'קרדיט ששוריין קודם',
  },
  notes: { addSub: 'מנוי חדש', operator: 'על ידי המפעיל' },
  messages: 'הודעות ללא שם קמפיין',
  none: 'עדיין אין תנועות',
  noneHint: 'טעינות וחיובים יופיעו כאן.',
  low: 'היתרה נמוכה. פנו למפעיל לטעינה.',
  empty: 'הארנק ריק. אי אפשר לשלוח הודעות.',
};
