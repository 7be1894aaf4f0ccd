import type { Dictionary } from '../en.ts';

export const wallet: Dictionary['wallet'] = {
  title: 'ארנק',
  lead: 'כל קרדיט שנכנס ויצא; סכומם הוא היתרה.',
  canBeSpent: 'קרדיטים זמינים',
  movements: 'תנועות',
  at: 'מועד',
  kind: 'סוג',
  what: 'עבור',
  amount: 'סכום',
  kinds: {
    topup: 'טעינה',
    hold: 'שריון',
    release: 'שחרור',
    charge: 'שליחה',
    refund: 'זיכוי',
    transfer: 'העברה',
  },
  kindHints: {
    hold: 'עבור שליחה מתוזמנת',
    release: 'קרדיט ששוריין קודם',
  },
  notes: { addSub: 'מנוי חדש', operator: 'על ידי המפעיל' },
  shipment: (id) => `משלוח ${id}`,
  none: 'עדיין אין תנועות',
  noneHint: 'כאן יופיע כל קרדיט שייטען או ינוצל.',
  low: 'נותר מעט קרדיט. פנו למפעיל לטעינה.',
  empty: 'הארנק ריק: אי אפשר לשלוח.',
};
