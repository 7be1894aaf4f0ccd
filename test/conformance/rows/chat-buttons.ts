import { chapter, row } from '../row.ts';

/** The interface, A4, and its table of reasons; reasons by their numbers. */
export const chatButtons = chapter({
  key: 'A4',
  title: 'A4: `send-buttons`',
  bothForms: false,
  rows: [
    row('answer', '`success`, `ans` with all its fields and the echoes; it arrives'),
    row('header, headerURL', '1 none; 2 image jpg, png; 3 video mp4; 4 document pdf, by https'),
    row(
      'buttonExternal',
      '`button1` opens a website, calls or writes an e-mail; the others are not looked at',
    ),
    row('replyTo', 'quotes a message of the client; one that is not theirs: 3'),
    row('1', 'OK'),
    row('2', '`source` is no business number of the account; a body that is not JSON: HTTP 400'),
    row('3', 'general error'),
    row('4', '`destination` empty or no number'),
    row('5', '`body` empty; over 1,024 characters'),
    row('6', 'never at the answer: what the platform refuses is told by `chat.status` `failed`'),
    row('7', 'more than 24 hours since the client’s last message, or a template without an answer'),
    row('8', 'the client has never written'),
    row('9', '`header` missing or none of the four'),
    row('10', 'the footer is too long'),
    row('11', '`button1` missing or over 20 characters; an emoji beside `buttonExternal`'),
    row('12', '`button2` or `button3` over 20 characters'),
    row('13', '`headerURL` missing for a media header, or not to be used'),
    row('14', '`buttonExternal` invalid'),
    row('15', 'over the rate limit: HTTP 429'),
    row('order', 'source, destination, window, then the fields: the first that fails'),
  ],
});
