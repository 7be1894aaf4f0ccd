import { type Chapter, inFile, row } from '../row.ts';

const buttons = inFile('chat-api/buttons');
const api = inFile('chat-api/api');
const faults = inFile('chat/platform-faults');
const windows = inFile('chat/windows');
const platform = inFile('chat-platform/messages');

/** The interface, A4, and its table of reasons; reasons by their numbers. */
export const chatButtons: Chapter = {
  title: 'A4: `send-buttons`',
  bothForms: false,
  rows: [
    row(
      'answer',
      '`success`, `ans` with all its fields and the echoes; it arrives',
      buttons('1: accepted, answered with every field, and it arrives'),
      buttons('a field that is not given is told as an empty text'),
    ),
    row(
      'header, headerURL',
      '1 none; 2 image jpg, png; 3 video mp4; 4 document pdf, by https',
      buttons('13: the link of a header is missing, not https, of another type, or too large'),
      platform('reply buttons with a header, a footer and three replies'),
    ),
    row(
      'buttonExternal',
      '`button1` opens a website, calls or writes an e-mail; the others are not looked at',
      buttons('a button that opens an address, calls or writes; the other buttons are not looked at'),
      platform('a button that opens a website, calls or writes an e-mail'),
      inFile('chat-platform/external')('the page behind buttons that call or write an e-mail'),
    ),
    row(
      'replyTo',
      'quotes a message of the client; one that is not theirs: 3',
      buttons('a message of the client is quoted'),
      buttons('3: there is no such message of the client to quote'),
    ),
    row('1', 'OK', buttons('1: accepted, answered with every field, and it arrives')),
    row(
      '2',
      '`source` is no business number of the account; a body that is not JSON: HTTP 400',
      buttons('2: the source is missing or not of the account'),
      api('a body that is not JSON is 400 with reason 2, in the form of the operation'),
    ),
    row(
      '3',
      'general error',
      buttons('3: without credit beyond the thousand that are free, or suspended'),
      inFile('chat-api/fault')('3: a fault of the service is HTTP 500 with a request id, and stores nothing'),
    ),
    row('4', '`destination` empty or no number', buttons('4: the destination is missing or no number')),
    row('5', '`body` empty; over 1,024 characters', buttons('5: the body is empty or too long')),
    row(
      '6',
      'never at the answer: what the platform refuses is told by `chat.status` `failed`',
      faults('refused by the platform: failed with its reason, and the price comes back'),
    ),
    row(
      '7',
      'more than 24 hours since the client’s last message, or a template without an answer',
      buttons('7: a day after the client wrote'),
      buttons("7: over 24 hours since the client's last message, or a template waits for their answer"),
      windows('templates and buttons at once: no button goes once a template waits'),
    ),
    row('8', 'the client has never written', buttons('8: the client has never written')),
    row('9', '`header` missing or none of the four', buttons('9: the header is missing or none of the four')),
    row('10', 'the footer is too long', buttons('10: the footer is too long, or no text')),
    row(
      '11',
      '`button1` missing or over 20 characters; an emoji beside `buttonExternal`',
      buttons('11: the first button is missing or too long, or has an emoji beside an address'),
    ),
    row(
      '12',
      '`button2` or `button3` over 20 characters',
      buttons('12: the second or third button is too long, or says the same as another'),
    ),
    row(
      '13',
      '`headerURL` missing for a media header, or not to be used',
      buttons('13: the link of a header is missing, not https, of another type, or too large'),
    ),
    row('14', '`buttonExternal` invalid', buttons('14: the address of a button is none')),
    row(
      '15',
      'over the rate limit: HTTP 429',
      api('over the rate limit it is 429 with the reason of the operation'),
    ),
    row(
      'order',
      'source, destination, window, then the fields: the first that fails',
      buttons('the order of checks: source, destination, window, then the fields of the table'),
      inFile('chat/sender')('buttons: the first problem in the order source, destination, window, fields'),
    ),
  ],
};
