import { harmlessName } from '../../../kit/text/harmless-name.ts';
import type { AlertLanguage } from '../condition.ts';

interface ContactWords {
  readonly subject: string;
  /** Contains `{account}` and `{link}`. */
  readonly mail: string;
  readonly sms: string;
}

const words: Readonly<Record<AlertLanguage, ContactWords>> = {
  en: {
    subject: 'Confirm alerts to this address',
    mail: 'The account {account} wants to send alerts to this address.\n\nTo allow it, open this page and press the button:\n{link}\n\nIf you do not know why you got this email, ignore it: no alerts are sent without your confirmation.\n',
    sms: 'The account {account} wants to send alerts to this number. To allow it: {link}',
  },
  he: {
    subject: 'אישור קבלת התראות',
    mail: 'החשבון {account} מבקש לשלוח התראות לכתובת הזו.\n\nכדי לאשר, יש לפתוח את הדף וללחוץ על הכפתור:\n{link}\n\nאם הבקשה אינה מוכרת לך, אפשר להתעלם: בלי אישור לא יישלחו התראות.\n',
    sms: 'החשבון {account} מבקש לשלוח התראות למספר הזה. לאישור: {link}',
  },
};

const fill = (text: string, account: string, link: string) =>
  text.replace(/\{(account|link)\}/g, (_place, name: string) =>
    name === 'link' ? link : harmlessName(account),
  );

/** Email that asks the owner of an address whether they want the alerts of an account. */
export const contactMail = (language: AlertLanguage, account: string, link: string) => ({
  subject: words[language].subject,
  text: fill(words[language].mail, account, link),
});

/** The same text as an SMS. */
export const contactSms = (language: AlertLanguage, account: string, link: string): string =>
  fill(words[language].sms, account, link);
