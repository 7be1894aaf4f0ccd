import { chapter, row } from '../row.ts';

/** The interface, A2, and its table of reasons; reasons by their numbers. */
export const chatTemplateMessage = chapter({
  key: 'A2',
  title: 'A2: `send-template-message`',
  bothForms: false,
  rows: [
    row('answer', '`success`, `ans` with all its fields; it arrives'),
    row(
      'paths',
      'at `send-template-message`, `send-template` and the segment with the brand, under each alias',
    ),
    row('source, destination', 'numbers or texts, in any spelling'),
    row('dynamicFieldsObject', 'keys `1` to `5`, single values, an object or the text of one'),
    row('headerLink', 'image (png, jpg, gif, jpeg) 5 MB, video (mp4, avi, 3gpp) 16 MB, document (…) 100 MB'),
    row('websiteVariable, websiteVariable2', 'the values of the first and second website button'),
    row(
      'couponCode, couponExpiration',
      'up to 15 digits; `dd/mm/yyyy hh:mm` to come, daylight saving included',
    ),
    row('otp', 'up to 15 characters, any of them'),
    row('not asked for', 'what the template does not ask for is passed over'),
    row('1', 'not a failure'),
    row('2', '`source` is no business number of the account; a body that is not JSON: HTTP 400'),
    row('3', 'general error: no credit, a suspended account, a fault of the service'),
    row('4', '`destination` empty or no number'),
    row('6', 'the template is in a status that cannot be sent'),
    row(
      '6, 21 later',
      'what the platform refuses, or does not take for its volume, is not known at the answer: `chat.status` `failed`, or tried again',
    ),
    row('12', 'no such template, or variables of another structure'),
    row('13', 'a language that is given and is another'),
    row('14', 'a header of another type; variables with line breaks or four spaces'),
    row('15', 'the header’s variable or link is missing or cannot be used'),
    row('17', 'not as many variables as the template has, or an empty one'),
    row('18', 'a website variable is missing'),
    row('19', 'over 1,024 characters with its variables'),
    row('20', 'coupon or its end missing, too long, invalid'),
    row(
      '21',
      'never at the answer: what the platform does not take for its volume waits here and is tried again',
    ),
    row('22', 'over the rate limit (HTTP 429), or over the messaging limit'),
    row('23', 'two template messages unanswered'),
    row('order', 'source, destination, template, window, then the fields: the first that fails'),
    row('subscriber', 'a parent’s token sends from its subscriber’s number, who pays'),
  ],
});
