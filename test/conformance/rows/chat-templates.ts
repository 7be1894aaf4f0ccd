import { chapter, row } from '../row.ts';

/** The interface, A1 and "Template". */
export const chatTemplates = chapter({
  key: 'A1',
  title: 'A1: `get-phone-templates`',
  bothForms: false,
  rows: [
    row('answer', '`success` and `templates`, each with all its fields'),
    row('phone', '`phone`: in any spelling'),
    row('phone.others', 'a number of another account has no templates: `success` false; a subscriber’s has'),
    row('templateId', '`templateId`: that template alone; unknown: none'),
    row('language', '`language`: a number of ours as a text: 1 Hebrew, 2 English, 3 Arabic, 4 Russian, …'),
    row('headers, headerSample', '1 none, 2 image, 3 video, 4 document; the link of the example'),
    row(
      'buttons, callToAction',
      '`buttons` 1 to 4, `callToAction` 0 to 3, `callToActionWebsiteType` 1 and 2, their texts, address and number',
    ),
    row('quickReply1 to 3', 'the texts of the quick replies'),
    row('sign-in', 'without a token 401'),
  ],
});
