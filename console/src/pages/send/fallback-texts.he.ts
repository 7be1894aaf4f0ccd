import type * as en from './fallback-texts.en.ts';

export const fallback: typeof en.fallback = {
  title: 'אם ההודעה נכשלת',
  second: 'הודעה שנייה',
  none: 'בלי הודעה שנייה',
  by: { sms: 'שליחה ב־SMS', voice: 'שיחה', chat: 'שליחה בצ׳אט' },
  within: 'אם לא נמסרה בתוך',
  minutes: (count: number) => `${count} דקות`,
  hours: (count: number) => (count === 1 ? 'שעה' : count === 2 ? 'שעתיים' : `${count} שעות`),
  template: 'התבנית של ההודעה השנייה',
  templateHint: 'בחרו תבנית בלי משתנים',
  noTemplates: 'אין תבנית מאושרת בלי משתנים',
  header: 'קישור לקובץ שבכותרת',
  text: 'הטקסט של ההודעה השנייה',
  sameText: 'ריק: אותו טקסט',
  ownText: 'חובה: בטקסט שלמעלה יש שדות של אנשי קשר',
  hint: 'גם כשההודעה נדחית, אבל לא לנמענים שברשימה השחורה או בלי הסכמה. להודעה שנייה יש מחיר משלה.',
  about: (messages: string, credits: string) =>
    `כ־${messages} הודעות שניות לפי שיעור הכישלונות בשבעת הימים האחרונים, עד ${credits} קרדיטים נוספים.`,
};
