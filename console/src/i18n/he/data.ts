import type * as en from '../en/data.ts';

export const data: typeof en.data = {
  lead: 'כמה זמן החשבון הזה שומר את הנתונים שלו.',
  retention: 'תקופות שמירה',
  retentionHint:
    'מה שישן יותר מוסר בתוך שעה, ולא ניתן לשחזור. הודעות שממתינות, והודעות שאישור המסירה שלהן עוד יכול להגיע, נשמרות במלואן.',
  limits: 'שמירת נתונים',
  limitsHint: 'כמה ימים החשבון רשאי לשמור את הנתונים שלו. הוא יכול לבחור פחות.',
  kinds: {
    texts: 'טקסטים של הודעות',
    messages: 'הודעות וקמפיינים',
    conversations: 'שיחות',
    events: 'אירועים ומסירות Webhook',
    requests: 'יומן פניות',
    audit: 'יומן ביקורת',
    media: 'קבצים של הודעות צ׳אט',
  },
  hints: {
    texts: 'הודעה בלי הטקסט שלה שומרת את המצב ואת המחיר.',
    messages: 'שנשלחו ושהתקבלו, עם לחיצות והחזרות. הסטטיסטיקה לפי שעה והארנק נשארים.',
    conversations: 'מההודעה האחרונה, כולל הערות.',
    events: 'לעולם לא יותר מהטקסטים.',
    requests: '',
    audit: '',
    media: '',
  },
  between: (least: number, most: number) =>
    least === most ? `${most} ימים` : `${least} עד ${most} ימים; ריק: ${most}`,
  asks: (days: number) => `החשבון שומר ${days} ימים.`,
  days: 'ימים',
  saved: 'תקופות השמירה נשמרו.',
  shorterTitle: 'להסיר נתונים ישנים?',
  shorterText: (names: string) => `מעכשיו יישמר פחות: ${names}. מה שישן יותר מוסר בתוך שעה, ולא ניתן לשחזור.`,
  shorten: 'הסרת נתונים ישנים',
};
