import { type Chapter, inFile, row } from '../row.ts';

const carousel = inFile('chat-api/carousel');
const api = inFile('chat-api/api');
const windows = inFile('chat/windows');

/** The interface, A5, and its table of reasons; reasons by their numbers. */
export const chatCarousel: Chapter = {
  title: 'A5: `send-carousel`',
  bothForms: false,
  rows: [
    row(
      'answer',
      '`success`, `ans` with all its fields and the echoes of the cards; it arrives',
      carousel('1: accepted, answered with every field and the cards, and it arrives'),
    ),
    row(
      'cards',
      '2 to 10, of one kind of buttons and one kind of media',
      carousel('each of the three kinds of buttons, 2 to 10 cards, pictures or films'),
      inFile('chat-platform/messages')(
        'carousels: quick replies whose ids repeat from card to card, and links',
      ),
    ),
    row(
      'cardX_button1ID, cardX_button2ID',
      'what webhooks bring; by default 1 and 2',
      carousel('ids of buttons are those given, else 1 and 2'),
      inFile('chat/events')(
        'chat.button: of a message with buttons, of a template, and of carousels with ids and without',
      ),
    ),
    row(
      'showRequest',
      '1 answers the request, without the key',
      carousel('showRequest 1: the request is answered, without the key; accepted or not'),
    ),
    row(
      'replyTo',
      'quotes a message of the client',
      carousel('3: suspended, or there is no such message to quote'),
    ),
    row('1', 'OK', carousel('1: accepted, answered with every field and the cards, and it arrives')),
    row(
      '2',
      '`source` is no business number of the account; a body that is not JSON: HTTP 400',
      carousel('2: the source is missing or not of the account'),
      api('a body that is not JSON is 400 with reason 2, in the form of the operation'),
    ),
    row(
      '3',
      'general error',
      carousel('3: suspended, or there is no such message to quote'),
      inFile('chat-api/fault')('3: a fault of the service is HTTP 500 with a request id, and stores nothing'),
    ),
    row('4', '`destination` empty or no number', carousel('4: the destination is missing or no number')),
    row(
      '5',
      '`message` empty; over 1,024 characters',
      carousel('5: the message is empty or over 1,024 characters'),
    ),
    row(
      '6',
      'never at the answer: what the platform refuses is told by `chat.status` `failed`',
      inFile('chat/platform-faults')(
        'refused by the platform: failed with its reason, and the price comes back',
      ),
    ),
    row(
      '7',
      'more than 24 hours since the client’s last message, or a template without an answer',
      carousel('7: a template waits for an answer; 8: the client has never written'),
      windows("carousel: from the client's message until 24 hours after it"),
      windows('carousel: not while a template waits for its answer'),
    ),
    row(
      '8',
      'the client has never written',
      carousel('7: a template waits for an answer; 8: the client has never written'),
      windows('carousel: not to a client who has never written, templates before or not'),
    ),
    row(
      '9',
      'over the rate limit: HTTP 429',
      api('over the rate limit it is 429 with the reason of the operation'),
    ),
    row(
      '10',
      'cards not in order, or not 2 to 10',
      carousel('10: cards are not numbered from 1 without gaps, or there are not 2 to 10'),
    ),
    row('11', '`buttons` incorrect', carousel('11: buttons is none of the three')),
    row(
      '12',
      'a `cardX_headerLink` is incorrect',
      carousel('12: the link of a card is missing, too long, of another type, or too large'),
      carousel('12: all cards have pictures, or all have films'),
    ),
    row(
      '13',
      'a `cardX_body` too long, over two line breaks, or not on all cards',
      carousel('13: the text of a card is too long, has three line breaks, or is not on all cards'),
    ),
    row(
      '14',
      '`cardX_buttonExternal` required or wrong',
      carousel('14: the address of a button is missing or none, or replies were asked for'),
    ),
    row(
      '15',
      '`cardX_buttonExternalText` required or wrong',
      carousel('15: the text of a button is missing or over 20 characters, or replies were asked for'),
    ),
    row(
      '16',
      '`cardX_button1` required or wrong',
      carousel('16: the first reply button is missing or too long, or an address was asked for'),
    ),
    row('17', '`cardX_button1ID` wrong', carousel('17: the id of the first button is too long or no text')),
    row(
      '18',
      '`cardX_button2` required or wrong',
      carousel('18: the second reply button is missing, too long or the first again, or was not asked for'),
    ),
    row(
      '19',
      '`cardX_button2ID` wrong',
      carousel('19: the id of the second button is too long, no text, or that of the first'),
    ),
    row(
      'order',
      'source, destination, window, then the fields through all cards: the first that fails',
      carousel(
        'the order of checks: source, destination, window, then the fields of the table through all cards',
      ),
      carousel('14 comes before 15, and both after 13'),
      inFile('chat/sender')('carousel: the first problem in the order source, destination, window, fields'),
    ),
  ],
};
