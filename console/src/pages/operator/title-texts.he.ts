import type { Dictionary } from '../../i18n/en.ts';

export const operatorTitles: Dictionary['operatorTitles'] = {
  home: 'מבט על למפעיל',
  accounts: 'חשבונות',
  prices: 'מחירון',
  destinations: 'יעדים',
  network: 'ספקים ותורים',
  connectors: 'חיבורים',
  routes: 'ניתובים',
  webhooks: 'Webhooks שנכשלים',
  work: 'עבודות רקע',
  chat: 'מספרים עסקיים',
  sandbox: 'ארגז החול',
};
