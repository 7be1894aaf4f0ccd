import { type Chapter, inFile, row } from '../row.ts';

const check = inFile('chat/template-check');
const fill = inFile('chat/fill');
const buttons = inFile('chat-api/buttons');
const carousel = inFile('chat-api/carousel');
const media = inFile('http/media-check');

/** The interface, "Limits", as far as they are of chat. */
export const chatLimits: Chapter = {
  title: 'Limits of chat',
  bothForms: false,
  rows: [
    row(
      'template.name',
      '512 characters',
      check('what is just within the limits is taken, as it is submitted'),
    ),
    row(
      'template.body',
      '1,024 characters with its variables',
      fill('body and variables have 1,024 characters at most'),
    ),
    row(
      'template.variables',
      '1 to 5; no line break, no four spaces',
      fill('a variable has no line break, no tab, and not four spaces in a row'),
      fill('there are no more variables than the template has; empty ones are none'),
      check('what is just within the limits is taken, as it is submitted'),
    ),
    row('coupon', '15 digits', fill('a coupon code has 1 to 15 digits where the template has one')),
    row(
      'otp',
      '15 characters',
      fill('a template for one-time codes needs one of at most 15 characters, any of them'),
    ),
    row('media', 'image 5 MB, document 100 MB, video 16 MB', media('the limits by kind, to the byte')),
    row(
      'unanswered',
      'two template messages without a reply',
      inFile('chat/windows')('two templates without an answer, and no third however long it waits'),
    ),
    row(
      'buttons',
      '20 characters',
      buttons('11: the first button is missing or too long, or has an emoji beside an address'),
      buttons('12: the second or third button is too long, or says the same as another'),
    ),
    row(
      'carousel',
      '2 to 10 cards',
      carousel('10: cards are not numbered from 1 without gaps, or there are not 2 to 10'),
    ),
    row('carousel.message', '1,024 characters', carousel('5: the message is empty or over 1,024 characters')),
    row(
      'carousel.body',
      '160 characters and two line breaks',
      carousel('13: the text of a card is too long, has three line breaks, or is not on all cards'),
    ),
    row(
      'carousel.link',
      '2,000 characters; image 5 MB, video 16 MB',
      carousel('12: the link of a card is missing, too long, of another type, or too large'),
    ),
    row(
      'carousel.buttons',
      'an address 1,000, a text 20, an id 200 characters',
      carousel('14: the address of a button is missing or none, or replies were asked for'),
      carousel('16: the first reply button is missing or too long, or an address was asked for'),
      carousel('17: the id of the first button is too long or no text'),
    ),
    row(
      'billing',
      '1,000 a month, then 0.5 credits each',
      inFile('chat/billing')(
        'the first 1,000 button and carousel messages of a month are free, the next cost half a credit',
      ),
    ),
    row(
      'tier',
      '250 to 1,000,000 recipients',
      inFile('chat/messaging-limit')('as many new clients as the tier has, and not one more'),
    ),
    row(
      'throttle',
      '80 messages a second of a number, one to a client in 6 seconds, unless set otherwise',
      inFile('chat-platform/connector')(
        'as fast as the number may be: a platform that counts each second refuses none',
      ),
      inFile('chat-platform/connector')(
        'a pause between two messages to one client, and none between clients',
      ),
    ),
  ],
};
