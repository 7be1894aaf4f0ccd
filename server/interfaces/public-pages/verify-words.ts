import type { Language } from '../../text/language.ts';

/** The words of the page of verification. `{account}` is who asks, `{phone}` the number. */
export interface VerifyWords {
  readonly askTitle: string;
  readonly askText: string;
  readonly askButton: string;
  readonly doneTitle: string;
  readonly doneText: string;
}

export const verifyWords: Readonly<Record<Language, VerifyWords>> = {
  he: {
    askTitle: 'אימות מספר טלפון',
    askText:
      '{account} מבקש לשלוח הודעות מהמספר {phone}. אם המספר שלך והבקשה מוכרת לך, יש ללחוץ על הכפתור. אם לא, אפשר לסגור את הדף.',
    askButton: 'אישור המספר',
    doneTitle: 'המספר אומת',
    doneText: '{account} יכול לשלוח הודעות מהמספר {phone}.',
  },
  en: {
    askTitle: 'Verify a phone number',
    askText:
      '{account} asks to send messages from the number {phone}. If the number is yours and you expect this, press the button. If not, close this page.',
    askButton: 'Verify the number',
    doneTitle: 'The number is verified',
    doneText: '{account} can send messages from the number {phone}.',
  },
  ar: {
    askTitle: 'التحقق من رقم هاتف',
    askText:
      'يطلب {account} إرسال رسائل من الرقم {phone}. إذا كان الرقم لك وكنت تتوقع هذا الطلب، فاضغط على الزر. وإلا فأغلق هذه الصفحة.',
    askButton: 'تأكيد الرقم',
    doneTitle: 'تم التحقق من الرقم',
    doneText: 'يمكن لـ {account} إرسال رسائل من الرقم {phone}.',
  },
  ru: {
    askTitle: 'Подтверждение номера',
    askText:
      '{account} хочет отправлять сообщения с номера {phone}. Если это ваш номер и вы ждали этого запроса, нажмите кнопку. Если нет, закройте страницу.',
    askButton: 'Подтвердить номер',
    doneTitle: 'Номер подтверждён',
    doneText: '{account} может отправлять сообщения с номера {phone}.',
  },
};
