import { type Chapter, inFile, row } from '../row.ts';

const list = inFile('chat-api/templates');
const api = inFile('chat-api/api');
const fields = inFile('chat-platform/templates');

/** The interface, A1 and "Template". */
export const chatTemplates: Chapter = {
  title: 'A1: `get-phone-templates`',
  bothForms: false,
  rows: [
    row(
      'answer',
      '`success` and `templates`, each with all its fields',
      list('all templates of a number, with every field'),
    ),
    row('phone', '`phone`: in any spelling', list('the number in any spelling')),
    row(
      'phone.others',
      'a number of another account has no templates: `success` false; a subscriber’s has',
      list('a number that is not of the account has no templates; that of a subscriber has'),
    ),
    row(
      'templateId',
      '`templateId`: that template alone; unknown: none',
      list('one template by its id, none for an unknown one'),
    ),
    row(
      'language',
      '`language`: a number of ours as a text: 1 Hebrew, 2 English, 3 Arabic, 4 Russian, …',
      list('numbers of languages: the first four are given, none is there twice'),
      inFile('docs/chat-api-tables')('the languages of the docs are those of the code'),
    ),
    row(
      'headers, headerSample',
      '1 none, 2 image, 3 video, 4 document; the link of the example',
      list('all templates of a number, with every field'),
      fields('the fields of A1'),
    ),
    row(
      'buttons, callToAction',
      '`buttons` 1 to 4, `callToAction` 0 to 3, `callToActionWebsiteType` 1 and 2, their texts, address and number',
      list('all templates of a number, with every field'),
      list('a footer, both kinds of buttons, and a language that is not in the table'),
      fields('the fields of A1'),
    ),
    row(
      'quickReply1 to 3',
      'the texts of the quick replies',
      list('all templates of a number, with every field'),
    ),
    row(
      'sign-in',
      'without a token 401',
      api('without a token, or with one that is unknown, expired or revoked, it is 401'),
    ),
  ],
};
