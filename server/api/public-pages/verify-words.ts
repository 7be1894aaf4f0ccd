import type { Language } from '../../kit/text/language.ts';

/** Texts of the verification page. `{account}` is the requesting account, `{phone}` the number. */
interface VerifyWords {
  readonly askTitle: string;
  readonly askText: string;
  readonly askButton: string;
  /** For a landline; `{number}` is the number to call. */
  readonly codeText: string;
  readonly codeLabel: string;
  readonly codeWrong: string;
  readonly doneTitle: string;
  readonly doneText: string;
}

export const verifyWords: Readonly<Record<Language, VerifyWords>> = {
  he: {
    askTitle: 'אימות מספר טלפון',
    askText:
      '{account} מבקש לשלוח הודעות מהמספר {phone}. אם המספר שלך והבקשה מוכרת לך, יש ללחוץ על הכפתור. אם לא, אפשר לסגור את הדף.',
    askButton: 'אישור המספר',
    codeText:
      '{account} מבקש לשלוח הודעות מהמספר {phone}. יש להתקשר ממנו אל {number}: השיחה תידחה, ומיד תגיע אל המספר שיחה שמקריאה קוד. אם המספר שלך והבקשה מוכרת לך, יש להקליד כאן את הקוד.',
    codeLabel: 'הקוד מהשיחה',
    codeWrong: 'הקוד אינו נכון, או שכבר אינו בתוקף. אחרי שלוש טעויות יש להתקשר שוב.',
    doneTitle: 'המספר אומת',
    doneText: '{account} יכול לשלוח הודעות מהמספר {phone}.',
  },
  en: {
    askTitle: 'Verify a phone number',
    askText:
      '{account} asks to send messages from the number {phone}. If the number is yours and you expect this, press the button. If not, close this page.',
    askButton: 'Verify the number',
    codeText:
      '{account} asks to send messages from the number {phone}. Call {number} from it: the call is declined, and the number is called back and hears a code. If the number is yours and you expect this, enter the code here.',
    codeLabel: 'Code from the call',
    codeWrong: 'The code is wrong or no longer valid. After three wrong codes, call again.',
    doneTitle: 'The number is verified',
    doneText: '{account} can send messages from the number {phone}.',
  },
  ar: {
    askTitle: 'التحقق من رقم هاتف',
    askText:
      'يطلب {account} إرسال رسائل من الرقم {phone}. إذا كان الرقم لك وكنت تتوقع هذا الطلب، فاضغط على الزر. وإلا فأغلق هذه الصفحة.',
    askButton: 'تأكيد الرقم',
    codeText:
      'يطلب {account} إرسال رسائل من الرقم {phone}. اتصل منه بالرقم {number}: ستُرفض المكالمة، ثم تصل إليه مكالمة تنطق رمزًا. إذا كان الرقم لك وكنت تتوقع هذا الطلب، فأدخل الرمز هنا.',
    codeLabel: 'الرمز من المكالمة',
    codeWrong: 'الرمز غير صحيح أو لم يعد صالحًا. بعد ثلاثة رموز خاطئة اتصل مرة أخرى.',
    doneTitle: 'تم التحقق من الرقم',
    doneText: 'يمكن لـ {account} إرسال رسائل من الرقم {phone}.',
  },
  ru: {
    askTitle: 'Подтверждение номера',
    askText:
      '{account} хочет отправлять сообщения с номера {phone}. Если это ваш номер и вы ждали этого запроса, нажмите кнопку. Если нет, закройте страницу.',
    askButton: 'Подтвердить номер',
    codeText:
      '{account} хочет отправлять сообщения с номера {phone}. Позвоните с него на {number}: звонок будет отклонён, и на номер поступит звонок, который продиктует код. Если это ваш номер и вы ждали этого запроса, введите код здесь.',
    codeLabel: 'Код из звонка',
    codeWrong: 'Код неверен или больше не действует. После трёх ошибок позвоните ещё раз.',
    doneTitle: 'Номер подтверждён',
    doneText: '{account} может отправлять сообщения с номера {phone}.',
  },
};
