import type { Language } from '../../../kit/text/language.ts';

/** Texts of the pages behind the links in emails. `{from}` is the sender, `{list}` the name of a list. */
export interface MailWords {
  readonly removeText: string;
  readonly removeButton: string;
  readonly removedText: string;
  readonly restoredText: string;
  readonly address: string;
  readonly list: string;
  readonly confirmTitle: string;
  readonly confirmText: string;
  readonly confirmButton: string;
  readonly confirmedTitle: string;
  readonly confirmedText: string;
}

export const mailWords: Readonly<Record<Language, MailWords>> = {
  he: {
    removeText: 'לחיצה על הכפתור תפסיק את ההודעות מאת {from} לכתובת הדוא"ל הזו.',
    removeButton: 'הסירו אותי',
    removedText: 'לא יישלחו עוד הודעות מאת {from} לכתובת הדוא"ל הזו.',
    restoredText: 'הודעות מאת {from} יישלחו שוב לכתובת הדוא"ל הזו.',
    address: 'כתובת דוא"ל',
    list: 'רשימת תפוצה',
    confirmTitle: 'אישור הרשמה',
    confirmText: 'לחיצה על הכפתור תצרף את הכתובת שלך לרשימת התפוצה {list} של {from}.',
    confirmButton: 'אישור ההרשמה',
    confirmedTitle: 'ההרשמה אושרה',
    confirmedText: 'הכתובת שלך רשומה ברשימת התפוצה {list} של {from}.',
  },
  en: {
    removeText: 'Press the button to stop emails from {from} to this address.',
    removeButton: 'Unsubscribe',
    removedText: 'No more emails from {from} are sent to this address.',
    restoredText: 'Emails from {from} are sent to this address again.',
    address: 'Email address',
    list: 'Mailing list',
    confirmTitle: 'Confirm your subscription',
    confirmText: 'Press the button to add your address to the mailing list {list} of {from}.',
    confirmButton: 'Confirm',
    confirmedTitle: 'You are subscribed',
    confirmedText: 'Your address is in the mailing list {list} of {from}.',
  },
  ar: {
    removeText: 'اضغط على الزر لإيقاف الرسائل الواردة من {from} إلى هذا العنوان.',
    removeButton: 'إيقاف الرسائل',
    removedText: 'لن تُرسل بعد الآن رسائل من {from} إلى هذا العنوان.',
    restoredText: 'ستُرسل الرسائل من {from} إلى هذا العنوان مجددًا.',
    address: 'عنوان البريد الإلكتروني',
    list: 'القائمة البريدية',
    confirmTitle: 'تأكيد الاشتراك',
    confirmText: 'اضغط على الزر لإضافة عنوانك إلى القائمة البريدية {list} الخاصة بـ {from}.',
    confirmButton: 'تأكيد الاشتراك',
    confirmedTitle: 'تم تأكيد الاشتراك',
    confirmedText: 'عنوانك مسجل في القائمة البريدية {list} الخاصة بـ {from}.',
  },
  ru: {
    removeText: 'Нажмите кнопку, чтобы больше не получать письма от {from} на этот адрес.',
    removeButton: 'Отписаться',
    removedText: 'Письма от {from} больше не будут приходить на этот адрес.',
    restoredText: 'Письма от {from} снова будут приходить на этот адрес.',
    address: 'Адрес электронной почты',
    list: 'Список рассылки',
    confirmTitle: 'Подтвердите подписку',
    confirmText: 'Нажмите кнопку, чтобы добавить ваш адрес в список рассылки {list} ({from}).',
    confirmButton: 'Подтвердить',
    confirmedTitle: 'Подписка подтверждена',
    confirmedText: 'Ваш адрес в списке рассылки {list} ({from}).',
  },
};
