import type { synonyms as en } from './synonyms.en.ts';

export const synonyms: typeof en = {
  tokens: 'מפתחות API, מפתח, הרשאות גישה, api key',
  requests: 'לוגים, יומן API, logs',
  wallet: 'חיוב, קרדיט, תשלומים, חשבוניות, טעינה, billing',
  account: 'מותג, לוגו, שם העסק, פרופיל',
  timeZone: 'timezone, UTC, שעה מקומית',
  people: 'צוות, משתמשים, הזמנה, תפקידים, הרשאות, invite',
  secondFactor: '2FA, MFA, אימות דו-שלבי',
  blacklist: 'מספרים חסומים, חסימה, הסרה',
  sendingPolicy: 'שבת, חגים, הגבלת תדירות',
  smppClients: 'שרת SMPP, חיבורים, bind, Kannel, Jasmin',
  webhooks: 'התראות לשרת, אירועים, דוחות מסירה, callback, DLR',
  senders: 'שם השולח, אימות מספר, sender ID',
  reference: 'תיעוד, מפתחים, docs, OpenAPI',
  audit: 'היסטוריה, שינויים, לוגים, logs',
};
