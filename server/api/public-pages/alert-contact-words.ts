import type { Language } from '../../kit/text/language.ts';

/** Texts of the page. `{account}` is the sender of the alerts, `{recipient}` the address or number. */
interface AlertContactWords {
  readonly askTitle: string;
  readonly askText: string;
  readonly askButton: string;
  readonly doneTitle: string;
  readonly doneText: string;
}

export const alertContactWords: Readonly<Record<Language, AlertContactWords>> = {
  he: {
    askTitle: 'אישור קבלת התראות',
    askText:
      '{account} מבקש לשלוח התראות אל {recipient}. אם הבקשה מוכרת לך, יש ללחוץ על הכפתור. אם לא, אפשר לסגור את הדף.',
    askButton: 'אישור',
    doneTitle: 'אושר',
    doneText: '{account} יכול לשלוח התראות אל {recipient}.',
  },
  en: {
    askTitle: 'Confirm alerts',
    askText:
      '{account} asks to send alerts to {recipient}. If you expect this, press the button. If not, close this page.',
    askButton: 'Confirm',
    doneTitle: 'Confirmed',
    doneText: '{account} can send alerts to {recipient}.',
  },
  ar: {
    askTitle: 'تأكيد استلام التنبيهات',
    askText:
      'يطلب {account} إرسال تنبيهات إلى {recipient}. إذا كنت تتوقع هذا الطلب، فاضغط على الزر. وإلا فأغلق هذه الصفحة.',
    askButton: 'تأكيد',
    doneTitle: 'تم التأكيد',
    doneText: 'يمكن لـ {account} إرسال تنبيهات إلى {recipient}.',
  },
  ru: {
    askTitle: 'Подтверждение оповещений',
    askText:
      '{account} хочет отправлять оповещения на {recipient}. Если вы ждали этого запроса, нажмите кнопку. Если нет, закройте страницу.',
    askButton: 'Подтвердить',
    doneTitle: 'Подтверждено',
    doneText: '{account} может отправлять оповещения на {recipient}.',
  },
};
