import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { whole } from '../../../api/sms/wire/fields.ts';
import { MAX_TEXT } from '../free-form-rules.ts';
import { buttonTypes, describeCards, echoCards, readCards } from './cards.ts';
import { fieldReader, looseText, optionalText, textUpTo } from './fields.ts';
import { messageOperation } from './message-operation.ts';
import { destination, readAddresses, readQuoted, replyTo, source } from './operation.ts';
import { carouselReasons } from './reasons.ts';

const schema = z.object({
  source,
  destination,
  message: textUpTo(MAX_TEXT).describe('Text above the cards.'),
  buttons: whole({ min: buttonTypes.external, max: buttonTypes.twoReplies }).describe(
    'Buttons of each card: `1` a button that opens an address, `2` one reply button, `3` two reply buttons.',
  ),
  replyTo,
  showRequest: optionalText.describe('`1` returns the request in `request`, without this field.'),
});

const link = 'https://www.example.com/';

/** Sends several cards side by side inside the customer's window (interface, A5). */
export const carousel = messageOperation({
  paths: ['send-carousel'],
  about: {
    id: 'sendCarousel',
    title: 'Send a carousel',
    description:
      "Sends a text and 2 to 10 cards, each with an image or a video and buttons, within 24 hours of the client's last message. The first 1,000 messages a month are free, together with button messages; each further one costs 0.5 credits.",
    schema,
    numbered: describeCards(),
    example: {
      source: '972550000001',
      destination: '972501234567',
      message: 'Two for you',
      buttons: 2,
      card1_headerLink: `${link}red.jpg`,
      card1_body: 'Red',
      card1_button1: 'This one',
      card1_button1ID: 'red',
      card2_headerLink: `${link}blue.jpg`,
      card2_body: 'Blue',
      card2_button1: 'This one',
      card2_button1ID: 'blue',
    },
    echoes: {
      card1_headerLink: out.text('Image or video of the card, as in the request.', `${link}red.jpg`),
      card1_body: answered(
        z.string().optional(),
        'Text of the card, as in the request; only cards that have one.',
        'Red',
      ),
      card2_headerLink: out.text('Image or video of card 2; further cards follow.', `${link}blue.jpg`),
      card2_body: answered(z.string().optional(), 'Text of card 2; further cards follow.', 'Blue'),
    },
  },
  reasons: carouselReasons,
  bodyField: 'message',
  echo: echoCards,
  showsRequest: (content) => looseText(content.showRequest) === '1',
  async send(content, call, sendKey) {
    const addresses = await readAddresses(content, call);
    return call.services.sender.carousel(
      {
        ...addresses,
        content: async () => {
          const read = fieldReader(schema, content);
          const body = read('message');
          const cards = await readCards(content, read('buttons'), call.services);
          const quoted = await readQuoted(content, call, addresses.accountId);
          return { kind: 'carousel', body, cards, ...(quoted !== undefined && { replyTo: quoted }) };
        },
      },
      sendKey,
    );
  },
});
