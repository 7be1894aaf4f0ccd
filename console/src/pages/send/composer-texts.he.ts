import type * as en from './composer-texts.en.ts';

export const composer: typeof en.composer = {
  content: 'תוכן',
  schedule: 'תזמון',
  prices: {
    sms: (price) => `${price} לחלק`,
    chat: (price) => `${price} לשיחה`,
    mail: (price) => `${price} לאימייל`,
    voice: (price) => `${price} לשיחה שנענתה`,
    code: (price) => `${price} לחלק`,
  },
  balanceAfter: 'יתרה אחרי השליחה',
  testToPhone: 'שליחה לטלפון הזה',
  testToAddresses: 'שליחה לכתובות האלה',
};
