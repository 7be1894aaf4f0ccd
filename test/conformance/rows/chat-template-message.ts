import { type Chapter, inFile, row } from '../row.ts';

const message = inFile('chat-api/template-message');
const fill = inFile('chat/fill');
const api = inFile('chat-api/api');
const sender = inFile('chat/sender');
const faults = inFile('chat/platform-faults');

/** The interface, A2, and its table of reasons; reasons by their numbers. */
export const chatTemplateMessage: Chapter = {
  title: 'A2: `send-template-message`',
  bothForms: false,
  rows: [
    row(
      'answer',
      '`success`, `ans` with all its fields; it arrives',
      message('1: accepted, answered with every field, and it arrives'),
    ),
    row(
      'paths',
      'at `send-template-message`, `send-template` and the segment with the brand, under each alias',
      api('A2 answers at three segments, all under each prefix, with a slash at the end or without'),
    ),
    row(
      'source, destination',
      'numbers or texts, in any spelling',
      message('numbers may be numbers, in any spelling, and variables numbers or the text of an object'),
    ),
    row(
      'dynamicFieldsObject',
      'keys `1` to `5`, single values, an object or the text of one',
      message('numbers may be numbers, in any spelling, and variables numbers or the text of an object'),
      message('12: no such template, or variables that are no object of single values'),
      fill('variables go to their places, by number, and as often as the body has them'),
    ),
    row(
      'headerLink',
      'image (png, jpg, gif, jpeg) 5 MB, video (mp4, avi, 3gpp) 16 MB, document (…) 100 MB',
      message('15: the link of a header is missing, no address, too large or leads nowhere'),
      message('15: videos and documents have their own types and sizes'),
      inFile('http/media-check')('the limits by kind, to the byte'),
    ),
    row(
      'websiteVariable, websiteVariable2',
      'the values of the first and second website button',
      message('18: the variable of a website button is missing or cannot stand in an address'),
      fill('dynamic websites need their variables, the first and the second theirs'),
    ),
    row(
      'couponCode, couponExpiration',
      'up to 15 digits; `dd/mm/yyyy hh:mm` to come, daylight saving included',
      message('20: the coupon or its end is missing, too long or invalid'),
      fill('the end of an offer follows daylight saving'),
    ),
    row(
      'otp',
      'up to 15 characters, any of them',
      fill('a template for one-time codes needs one of at most 15 characters, any of them'),
    ),
    row(
      'not asked for',
      'what the template does not ask for is passed over',
      message('fields that the template does not ask for are passed over'),
    ),
    row('1', 'not a failure', message('1: accepted, answered with every field, and it arrives')),
    row(
      '2',
      '`source` is no business number of the account; a body that is not JSON: HTTP 400',
      message('2: the source is missing, no number, not a business number, or of another account'),
      api('a body that is not JSON is 400 with reason 2, in the form of the operation'),
      api('JSON that is no object has no fields: reason 2 for the source'),
    ),
    row(
      '3',
      'general error: no credit, a suspended account, a fault of the service',
      message('3: without credit, or suspended'),
      inFile('chat-api/fault')('3: a fault of the service is HTTP 500 with a request id, and stores nothing'),
    ),
    row('4', '`destination` empty or no number', message('4: the destination is missing or no number')),
    row(
      '6',
      'the template is in a status that cannot be sent',
      message('6: a template that is not approved, in every status; and paused ones after six hours'),
    ),
    row(
      '6, 21 later',
      'what the platform refuses, or does not take for its volume, is not known at the answer: `chat.status` `failed`, or tried again',
      faults('refused by the platform: failed with its reason, and the price comes back'),
      faults('the platform is slow, full, or at fault for a while: everything goes out in the end'),
    ),
    row(
      '12',
      'no such template, or variables of another structure',
      message('12: no such template, or variables that are no object of single values'),
    ),
    row(
      '13',
      'a language that is given and is another',
      message('13: a language is given, and it is not that of the template'),
    ),
    row(
      '14',
      'a header of another type; variables with line breaks or four spaces',
      message('14: another type than that of the header, or variables with line breaks or four spaces'),
      fill('a variable has no line break, no tab, and not four spaces in a row'),
    ),
    row(
      '15',
      'the header’s variable or link is missing or cannot be used',
      message('15: the link of a header is missing, no address, too large or leads nowhere'),
      message('15: the variable of a text header is missing or has formatting'),
    ),
    row(
      '17',
      'not as many variables as the template has, or an empty one',
      message('17: not as many variables as the template has, or an empty one'),
      message('17: the code of an authentication template is missing or over 15 characters'),
    ),
    row(
      '18',
      'a website variable is missing',
      message('18: the variable of a website button is missing or cannot stand in an address'),
    ),
    row(
      '19',
      'over 1,024 characters with its variables',
      message('19: over 1,024 characters with the variables'),
      fill('body and variables have 1,024 characters at most'),
    ),
    row(
      '20',
      'coupon or its end missing, too long, invalid',
      message('20: the coupon or its end is missing, too long or invalid'),
    ),
    row(
      '21',
      'never at the answer: what the platform does not take for its volume waits here and is tried again',
      faults('the platform is slow, full, or at fault for a while: everything goes out in the end'),
    ),
    row(
      '22',
      'over the rate limit (HTTP 429), or over the messaging limit',
      api('over the rate limit it is 429 with the reason of the operation'),
      message('22: the messaging limit of the portfolio'),
    ),
    row(
      '23',
      'two template messages unanswered',
      message('23: two templates without an answer are the most, until the client writes'),
      sender('many sends at once to one client: two are accepted, and one is paid for'),
    ),
    row(
      'order',
      'source, destination, template, window, then the fields: the first that fails',
      message('the order of checks: source, destination, template, unanswered, then the fields of the table'),
      fill('of several faults the first in the order of the table is told'),
      sender(
        'of several problems the first is told: source, destination, template, window, fields, tier, credit',
      ),
    ),
    row(
      'subscriber',
      'a parent’s token sends from its subscriber’s number, who pays',
      message(
        'a number of a subscriber is sent from with the token of its parent, and paid by the subscriber',
      ),
    ),
  ],
};
