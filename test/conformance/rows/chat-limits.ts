import { chapter, row } from '../row.ts';

/** The interface, "Limits", as far as they are of chat. */
export const chatLimits = chapter({
  key: 'chatLimits',
  title: 'Limits of chat',
  bothForms: false,
  rows: [
    row('template.name', '512 characters'),
    row('template.body', '1,024 characters with its variables'),
    row('template.variables', '1 to 5; no line break, no four spaces'),
    row('coupon', '15 digits'),
    row('otp', '15 characters'),
    row('media', 'image 5 MB, document 100 MB, video 16 MB'),
    row('unanswered', 'two template messages without a reply'),
    row('buttons', '20 characters'),
    row('carousel', '2 to 10 cards'),
    row('carousel.message', '1,024 characters'),
    row('carousel.body', '160 characters and two line breaks'),
    row('carousel.link', '2,000 characters; image 5 MB, video 16 MB'),
    row('carousel.buttons', 'an address 1,000, a text 20, an id 200 characters'),
    row('billing', '1,000 a month, then 0.5 credits each'),
    row('tier', '250 to 1,000,000 recipients'),
    row('throttle', '80 messages a second of a number, one to a client in 6 seconds, unless set otherwise'),
  ],
});
