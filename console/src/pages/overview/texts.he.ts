import type { Dictionary } from '../../i18n/en.ts';

export const overview: Dictionary['overview'] = {
  title: 'מבט על',
  lead: (name) => `הודעות של החשבון ${name}: נשלחו, נמסרו ונכשלו.`,
  lastDay: '24 השעות האחרונות',
  channel: 'ערוץ',
  allChannels: 'הכול',
  sent: 'נשלחו',
  balance: 'יתרה',
  runway: (days, text) =>
    days === 0
      ? 'תספיק לפחות מיום בקצב ההוצאות הנוכחי'
      : days === 1
        ? 'תספיק ליום אחד בקצב ההוצאות הנוכחי'
        : days === 2
          ? 'תספיק ליומיים בקצב ההוצאות הנוכחי'
          : `תספיק ל־${text} ימים בקצב ההוצאות הנוכחי`,
  runwayLong: 'תספיק ליותר משנתיים בקצב ההוצאות הנוכחי',
  noSpending: 'לא הייתה עלות ב־7 הימים האחרונים',
  change: (share, weeks) =>
    weeks === 1
      ? `${share} לעומת השבוע הקודם`
      : weeks === 2
        ? `${share} לעומת שבועיים קודם`
        : `${share} לעומת ${weeks} שבועות קודם`,
  points: (points, weeks) =>
    weeks === 1
      ? `${points} נקודות לעומת השבוע הקודם`
      : weeks === 2
        ? `${points} נקודות לעומת שבועיים קודם`
        : `${points} נקודות לעומת ${weeks} שבועות קודם`,
  nothingBefore: (weeks) =>
    weeks === 1 ? 'אין בשבוע הקודם' : weeks === 2 ? 'אין שבועיים קודם' : `אין ${weeks} שבועות קודם`,
  delivered: 'נמסרו',
  deliveryRate: 'שיעור מסירה',
  deliveredHint: (delivered) => `${delivered} נמסרו`,
  failed: 'נכשלו',
  spent: 'עלות',
  messages: 'הודעות',
  messagesByHour: 'לפי השעה שבה התקבלו',
  messagesByDay: 'לפי היום שבו התקבלו',
  spending: 'הוצאות',
  spendingHint: 'קרדיטים, לפי ערוץ',
  byChannel: 'מסירה לפי ערוץ',
  byChannelHint: (weeks) =>
    weeks === 1
      ? 'שיעור שירד לעומת השבוע הקודם מסומן.'
      : weeks === 2
        ? 'שיעור שירד לעומת שבועיים קודם מסומן.'
        : `שיעור שירד לעומת ${weeks} שבועות קודם מסומן.`,
  byPrefix: 'מסירה לפי קידומת',
  byPrefixHint: 'תחילה קידומות ששיעור המסירה שלהן ירד, ואחריהן אלה עם מספר ההודעות הגדול ביותר.',
  byPrefixSample: (count) => `מתוך ${count} ההודעות האחרונות. תחילה קידומות ששיעור המסירה שלהן ירד.`,
  prefix: 'קידומת',
  fellFrom: (rate) => `היה ${rate}`,
  accepted: 'התקבלו',
  outcome: 'תוצאה',
  underWay: 'בדרך',
  asTable: 'הצגה כטבלה',
  chartOf: (delivered, underWay, failed) =>
    `תרשים הודעות לאורך זמן: ${delivered} נמסרו, ${underWay} בדרך, ${failed} נכשלו.`,
  chartOfSpending: (spent) => `תרשים הוצאות לאורך זמן: ${spent} קרדיטים בסך הכול.`,
  time: 'זמן',
  countedAt: 'עודכן',
  queue: 'ממתינות עכשיו',
  queueEmpty: 'התור ריק.',
  lanes: { otp: 'קודים חד־פעמיים', single: 'הודעות בודדות', bulk: 'קמפיינים' },
  due: 'לשליחה',
  later: 'למועד אחר',
  paused: 'מושהות',
  held: 'מעוכבות',
  oldest: (seconds) =>
    seconds < 90 ? `הוותיקה ממתינה ${seconds} שנ׳` : `הוותיקה ממתינה ${Math.round(seconds / 60)} דק׳`,
  failures: 'מדוע הודעות נכשלו',
  failuresHint: 'ב־24 השעות האחרונות',
  failuresOfLast: (count) => `${count} הכישלונות האחרונים`,
  goTo: (page) => `אל ${page}`,
  latest: 'האחרונה:',
  noFailures: 'אין כישלונות ב־24 השעות האחרונות.',
  allFailures: 'הצגת כל הכישלונות',
  none: 'דבר לא נשלח בתקופה הזו',
  noneHint: 'הודעות חדשות יופיעו כאן בתוך שניות.',
  send: 'שליחת הודעה',
  firstSteps: {
    title: 'הגדרת החשבון',
    done: (done, all) => `הושלמו ${done} מתוך ${all}`,
    hide: 'הסתרת הרשימה',
    isDone: 'הושלם',
    isOpen: 'טרם הושלם',
    steps: {
      sender: { title: 'הוספת מזהה שולח', hint: 'אמתו מספר שלכם, או בקשו שם שיוצג לנמענים.' },
      send: { title: 'שליחת הודעה ראשונה', hint: 'מסרון לטלפון שלכם יציג כאן את סטטוס המסירה שלו.' },
      contacts: { title: 'הוספת רשימת אנשי קשר', hint: 'ייבאו קובץ CSV או הוסיפו אנשי קשר אחד אחד.' },
      token: { title: 'יצירת אסימון API', hint: 'התוכנות שלכם שולחות באמצעותו.' },
      webhook: { title: 'רישום Webhook', hint: 'המערכת שלכם תקבל עדכונים על מסירות ותשובות.' },
      factor: { title: 'הגדרת אימות דו־שלבי', hint: 'קוד מהטלפון מגן על הכניסה שלכם.' },
    },
  },
};
