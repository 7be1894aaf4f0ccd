import type { Language } from '../../kit/text/language.ts';

/** `{{account}}` is the sending account, `{{list}}` the name of the list: fields of the email. */
interface Words {
  readonly subject: string;
  readonly text: string;
  readonly button: string;
  readonly otherwise: string;
}

const words: Readonly<Record<Language, Words>> = {
  he: {
    subject: 'אישור הרשמה: {{list}}',
    text: 'התקבלה בקשה לצרף את הכתובת הזו לרשימת התפוצה "{{list}}" של {{account}}. כדי לאשר יש לפתוח את הקישור וללחוץ על הכפתור.',
    button: 'אישור ההרשמה',
    otherwise: 'אם לא ביקשת זאת, אפשר להתעלם מההודעה: לא יישלח דבר נוסף.',
  },
  en: {
    subject: 'Please confirm: {{list}}',
    text: 'Somebody asked to add this address to the mailing list "{{list}}" of {{account}}. To confirm it, open the link and press the button.',
    button: 'Confirm',
    otherwise: 'If it was not you, ignore this email: nothing else will be sent.',
  },
  ar: {
    subject: 'تأكيد الاشتراك: {{list}}',
    text: 'طلب أحدهم إضافة هذا العنوان إلى القائمة البريدية "{{list}}" الخاصة بـ {{account}}. للتأكيد افتح الرابط واضغط على الزر.',
    button: 'تأكيد الاشتراك',
    otherwise: 'إذا لم تطلب ذلك فتجاهل هذه الرسالة: لن يُرسل أي شيء آخر.',
  },
  ru: {
    subject: 'Подтвердите подписку: {{list}}',
    text: 'Поступила просьба добавить этот адрес в список рассылки «{{list}}» ({{account}}). Чтобы подтвердить, откройте ссылку и нажмите кнопку.',
    button: 'Подтвердить',
    otherwise: 'Если это были не вы, не обращайте внимания на это письмо: больше ничего не придёт.',
  },
};

/** The field of the email with the link to the page. */
export const LINK_FIELD = 'link';

/**
 * The email that asks users to confirm a list, with the link to the confirmation page. Its fields are `account`, `list`
 * and `link`, in `{{…}}`.
 */
export function confirmationMail(language: Language): {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
} {
  const { subject, text, button, otherwise } = words[language];
  const direction = language === 'he' || language === 'ar' ? 'rtl' : 'ltr';
  return {
    subject,
    text: `${text}\n\n{{${LINK_FIELD}}}\n\n${otherwise}\n`,
    html: `<!DOCTYPE html>
<html lang="${language}" dir="${direction}">
<body style="font: 16px/1.5 sans-serif">
<p>${text}</p>
<p><a href="{{${LINK_FIELD}}}">${button}</a></p>
<p>${otherwise}</p>
</body>
</html>
`,
  };
}
