import type { standing as texts } from './standing-texts.en.ts';

export const standing: typeof texts = {
  quality: 'דירוג איכות',
  qualities: { high: 'גבוה', medium: 'בינוני', low: 'נמוך', unknown: 'אין דירוג' },
  qualityHints: {
    high: 'מעט נמענים חוסמים אותה או מדווחים עליה.',
    medium: 'יש נמענים שחוסמים אותה או מדווחים עליה. הפלטפורמה עלולה להשהות אותה.',
    low: 'נמענים רבים חוסמים אותה או מדווחים עליה. הפלטפורמה תשהה אותה בקרוב.',
    unknown: 'הפלטפורמה עדיין לא דירגה אותה.',
  },
  nextCategory: (category) => `הפלטפורמה תשנה את הקטגוריה ל"${category}"`,
  nextCategoryHint: 'התוכן אינו מתאים לקטגוריה. מחיר השיחה עשוי להשתנות איתה.',
  from: 'מועד השינוי:',
  until: 'עד',
  told: 'דווח',
  reason: 'סיבה',
  problems: 'דיווחי הפלטפורמה',
  ban: {
    SCHEDULE_FOR_DISABLE: 'החשבון העסקי עומד להיחסם. בקשו בדיקה במערכת הניהול של הפלטפורמה.',
    DISABLE: 'החשבון העסקי חסום. אי אפשר לשלוח ממנו הודעות.',
  },
  restriction: {
    RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'אי אפשר להוסיף מספרים עסקיים.',
    RESTRICTED_BIZ_INITIATED_MESSAGING: 'אי אפשר לשלוח תבניות. תשובות בתוך 24 שעות עדיין נשלחות.',
    RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'אי אפשר לענות להודעות של נמענים.',
    RESTRICTED_UTILITY_TEMPLATES: 'אי אפשר ליצור תבניות שירות.',
    RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES: 'אי אפשר לשלוח תבניות שירות ישירות.',
    RESTRICTED_BUSINESS_INITIATED_CALLING: 'אי אפשר להתקשר מהמספר העסקי.',
    RESTRICTED_USER_INITIATED_CALLING: 'אי אפשר להתקשר אל המספר העסקי.',
    RESTRICTED_BIZ_INITIATED_AND_USER_INITIATED_CALLING: 'אי אפשר להתקשר מהמספר העסקי או אליו.',
    RESTRICTED_USER_INITIATED_CALLING_CALL_BUTTON_HIDDEN: 'נמענים אינם רואים את כפתור השיחה.',
  },
  connection: {
    ACCOUNT_DELETED: 'החשבון העסקי נמחק בפלטפורמה.',
    ACCOUNT_OFFBOARDED: 'החשבון העסקי נותק מהפלטפורמה.',
    PARTNER_REMOVED: 'החשבון העסקי אינו משותף עוד עם השירות.',
  },
  review: { REJECTED: 'הפלטפורמה דחתה את החשבון העסקי בבדיקה.' },
  alert: {
    INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED:
      'הגדלת מגבלת ההודעות נדחתה למועד אחר. השתמשו במספר עוד כמה ימים.',
    INCREASED_CAPABILITIES_ELIGIBILITY_FAILED: 'הבקשה להגדלת מגבלת ההודעות סורבה.',
    INCREASED_CAPABILITIES_ELIGIBILITY_NEED_MORE_INFO: 'להגדלת מגבלת ההודעות יש לאמת את העסק.',
    OBA_REJECTED: 'הפלטפורמה לא אישרה אותו כחשבון עסקי רשמי.',
    PROFILE_PICTURE_LOST: 'תמונת הפרופיל העסקי הוסרה.',
  },
  name: { REJECTED: 'שם התצוגה נדחה.', DECLINED: 'שם התצוגה נדחה.' },
  lowQuality: 'נמענים רבים חוסמים את המספר או מדווחים עליו. הפלטפורמה עלולה להגביל אותו.',
  violation: 'הפלטפורמה מצאה הפרה של הכללים שלה',
  other: 'הפלטפורמה מדווחת',
};
