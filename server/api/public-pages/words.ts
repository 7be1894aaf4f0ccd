import type { Language } from '../../kit/text/language.ts';

/** Texts of the public pages. `{from}` is the sender of the message. */
export interface Words {
  readonly removeTitle: string;
  readonly removeText: string;
  readonly removeButton: string;
  readonly removedTitle: string;
  readonly removedText: string;
  readonly undoButton: string;
  readonly restoredTitle: string;
  readonly restoredText: string;
  readonly phone: string;
  readonly unknownTitle: string;
  readonly unknownText: string;
  readonly laterTitle: string;
  readonly laterText: string;
}

export const words: Readonly<Record<Language, Words>> = {
  he: {
    removeTitle: 'הסרה מרשימת התפוצה',
    removeText: 'לחיצה על הכפתור תפסיק את ההודעות מאת {from} למספר הטלפון הזה.',
    removeButton: 'הסירו אותי',
    removedTitle: 'הוסרת מרשימת התפוצה',
    removedText: 'לא יישלחו עוד הודעות מאת {from} למספר הטלפון הזה.',
    undoButton: 'ביטול ההסרה',
    restoredTitle: 'ההסרה בוטלה',
    restoredText: 'הודעות מאת {from} יישלחו שוב למספר הטלפון הזה.',
    phone: 'מספר טלפון',
    unknownTitle: 'הקישור אינו תקף',
    unknownText: 'הקישור שגוי או שפג תוקפו. יש לבדוק שהועתק במלואו מההודעה.',
    laterTitle: 'נסו שוב עוד מעט',
    laterText: 'לא ניתן לטפל בבקשה כרגע. נסו שוב בעוד דקה.',
  },
  en: {
    removeTitle: 'Unsubscribe',
    removeText: 'Press the button to stop messages from {from} to this phone number.',
    removeButton: 'Unsubscribe',
    removedTitle: 'You are unsubscribed',
    removedText: 'No more messages from {from} are sent to this phone number.',
    undoButton: 'Undo',
    restoredTitle: 'You are subscribed again',
    restoredText: 'Messages from {from} are sent to this phone number again.',
    phone: 'Phone number',
    unknownTitle: 'This link is not valid',
    unknownText: 'The link is wrong or has expired. Check that it was copied from the message as a whole.',
    laterTitle: 'Try again soon',
    laterText: 'This cannot be done right now. Try again in a minute.',
  },
  ar: {
    removeTitle: 'إلغاء الاشتراك',
    removeText: 'اضغط على الزر لإيقاف الرسائل الواردة من {from} إلى رقم الهاتف هذا.',
    removeButton: 'إيقاف الرسائل',
    removedTitle: 'تم إلغاء الاشتراك',
    removedText: 'لن تُرسل بعد الآن رسائل من {from} إلى رقم الهاتف هذا.',
    undoButton: 'تراجع',
    restoredTitle: 'تمت إعادة الاشتراك',
    restoredText: 'ستُرسل الرسائل من {from} إلى رقم الهاتف هذا مجددًا.',
    phone: 'رقم الهاتف',
    unknownTitle: 'الرابط غير صالح',
    unknownText: 'الرابط خاطئ أو انتهت صلاحيته. تأكد من نسخه كاملًا من الرسالة.',
    laterTitle: 'حاول مرة أخرى بعد قليل',
    laterText: 'لا يمكن تنفيذ الطلب الآن. حاول مرة أخرى بعد دقيقة.',
  },
  ru: {
    removeTitle: 'Отписаться от рассылки',
    removeText: 'Нажмите кнопку, чтобы больше не получать сообщения от {from} на этот номер телефона.',
    removeButton: 'Отписаться',
    removedTitle: 'Вы отписались',
    removedText: 'Сообщения от {from} больше не будут приходить на этот номер телефона.',
    undoButton: 'Отменить',
    restoredTitle: 'Вы снова подписаны',
    restoredText: 'Сообщения от {from} снова будут приходить на этот номер телефона.',
    phone: 'Номер телефона',
    unknownTitle: 'Ссылка недействительна',
    unknownText: 'Ссылка неверна или устарела. Проверьте, что она скопирована из сообщения целиком.',
    laterTitle: 'Попробуйте ещё раз позже',
    laterText: 'Сейчас это невозможно. Попробуйте ещё раз через минуту.',
  },
};
