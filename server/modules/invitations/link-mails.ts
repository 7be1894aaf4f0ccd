import type { Person } from '../people/person.ts';

type Language = NonNullable<Person['language']>;

/** Reason of a link: the person is new, somebody else reset their password, or they have forgotten it. */
export type LinkReason = 'invited' | 'reset' | 'forgotten';

interface LinkWords {
  readonly subject: string;
  /** Contains `{username}` and `{link}`. */
  readonly text: string;
}

// No text that people have written: whoever adds people chooses the addresses, and the service is the sender.
const words: Readonly<Record<Language, Readonly<Record<LinkReason, LinkWords>>>> = {
  en: {
    invited: {
      subject: 'Your invitation to Carillon',
      text: 'You were invited to Carillon.\n\nChoose a password on this page:\n{link}\n\nThe link works once, within 24 hours. Your user name is {username}.\n\nIf you do not expect this invitation, ignore it.\n',
    },
    reset: {
      subject: 'Choose a new password for Carillon',
      text: 'A person who manages your account created this link for you, {username}.\n\nChoose a new password on this page:\n{link}\n\nThe link works once, within 24 hours. Your old password works until then.\n',
    },
    forgotten: {
      subject: 'Choose a new password for Carillon',
      text: 'A new password was requested for the user {username}.\n\nChoose it on this page:\n{link}\n\nThe link works once, within 24 hours. If you did not request it, ignore this email: your password stays the same.\n',
    },
  },
  he: {
    invited: {
      subject: 'הזמנה ל־Carillon',
      text: 'הוזמנתם ל־Carillon.\n\nבחרו סיסמה בדף הזה:\n{link}\n\nהקישור תקף פעם אחת, ובמשך 24 שעות. שם המשתמש שלכם: {username}\n\nאם ההזמנה אינה מוכרת לכם, אפשר להתעלם ממנה.\n',
    },
    reset: {
      subject: 'בחירת סיסמה חדשה ל־Carillon',
      text: 'מי שמנהל את החשבון שלכם יצר עבורכם את הקישור הזה. שם המשתמש: {username}\n\nבחרו סיסמה חדשה בדף הזה:\n{link}\n\nהקישור תקף פעם אחת, ובמשך 24 שעות. עד אז הסיסמה הישנה ממשיכה לעבוד.\n',
    },
    forgotten: {
      subject: 'בחירת סיסמה חדשה ל־Carillon',
      text: 'התקבלה בקשה לסיסמה חדשה עבור המשתמש {username}.\n\nבחרו אותה בדף הזה:\n{link}\n\nהקישור תקף פעם אחת, ובמשך 24 שעות. אם לא ביקשתם, אפשר להתעלם: הסיסמה אינה משתנה.\n',
    },
  },
};

/** Email with a link for choosing a password. */
export function linkMail(language: Language, reason: LinkReason, username: string, link: string) {
  const { subject, text } = words[language][reason];
  return {
    subject,
    text: text.replace(/\{(username|link)\}/g, (_place, name: string) => (name === 'link' ? link : username)),
  };
}
