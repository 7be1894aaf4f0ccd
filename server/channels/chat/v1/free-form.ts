import { z } from 'zod';
import { changes, dailyWork, reads, sends, withoutProof } from '../../../api/access/rules.ts';
import { iso, out } from '../../../api/openapi/out.ts';
import { field, oneOf } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import type { Queryable } from '../../../database/connection.ts';
import { lanes } from '../../../engine/messages/lanes.ts';
import type { ChatProblem } from '../../../kit/errors.ts';
import type { MediaCheck } from '../../../kit/http/media-check.ts';
import type { NumberReader } from '../../../kit/numbers/phone-numbers.ts';
import { readClient } from '../clients.ts';
import { readButtons, readCarousel } from '../free-form.ts';
import {
  CARDS,
  MAX_BUTTON_ID,
  MAX_BUTTON_TEXT,
  MAX_CARD_REPLIES,
  MAX_CARD_TARGET,
  MAX_CARD_TEXT,
  MAX_FOOTER,
  MAX_LINK,
  MAX_REPLIES,
  MAX_TARGET,
  MAX_TEXT,
} from '../free-form-rules.ts';
import { findQuoted } from '../quotes.ts';
import { DAY_MS, isConversationOpen } from '../windows.ts';
import {
  addressProblems,
  type ChatMessageDeps,
  MAX_RECIPIENT,
  money,
  moneyOf,
  sentAnswer,
  showSent,
  source,
  to,
} from './answers.ts';

const link = 'https://www.example.com/';

const body = field(storable(MAX_TEXT), 'Text of the message.', 'Shall we come tomorrow?');
const replyTo = storable(20).optional().meta({
  description: "Id of the client's message to quote, from the event `chat.message`.",
  examples: [],
});

const opens = (maxTarget: number) =>
  field(
    z
      .object({
        text: field(storable(MAX_BUTTON_TEXT), 'Text of the button, without emoji.', 'Our shop'),
        target: field(
          storable(maxTarget),
          'https address, phone number or email address that the button opens.',
          link,
        ),
      })
      .nullable()
      .default(null),
    'Button that opens an address, instead of `replies`.',
    null,
  );
const replies = (max: number) =>
  field(
    z
      .array(
        z.object({
          text: field(storable(MAX_BUTTON_TEXT), 'Text of the button.', 'Yes'),
          id: field(
            storable(MAX_BUTTON_ID).optional(),
            'Id of the button, `button_id` of the event when it is pressed; default: its position, from 1.',
            'yes',
          ),
        }),
      )
      .max(max, `over ${max} buttons`)
      .default([]),
    'Reply buttons, each with a different text.',
    [{ text: 'Yes' }, { text: 'No' }],
  );

/** Fields of a message with buttons, without its addresses. */
export const buttonsContent = {
  header: field(
    z
      .object({
        kind: field(oneOf(['image', 'video', 'document']), 'Kind of the file.', 'image'),
        link: field(
          storable(MAX_LINK),
          'https address of the file. Images jpg, png up to 5 MB; videos mp4 up to 16 MB; documents pdf up to 100 MB.',
          `${link}spring.jpg`,
        ),
      })
      .nullable()
      .default(null),
    'Header above the text.',
    null,
  ),
  body,
  footer: field(
    storable(MAX_FOOTER).default(''),
    'Footer, in small letters below the text.',
    'Answer by tonight',
  ),
  replies: replies(MAX_REPLIES),
  opens: opens(MAX_TARGET),
};
const buttonsBody = z.object({ source, to, ...buttonsContent, reply_to: replyTo });

/** Fields of a carousel, without its addresses. */
export const carouselContent = {
  body: body.meta({ description: 'Text above the cards.', examples: ['Two for you'] }),
  cards: field(
    z
      .array(
        z.object({
          media: field(
            storable(MAX_LINK),
            'Address of an image (jpg, png up to 5 MB) or a video (mp4, 3gpp up to 16 MB); the same kind on all cards.',
            `${link}red.jpg`,
          ),
          body: field(
            storable(MAX_CARD_TEXT).default(''),
            'Text with at most two line breaks; on all cards or on none.',
            'Red',
          ),
          replies: replies(MAX_CARD_REPLIES),
          opens: opens(MAX_CARD_TARGET),
        }),
      )
      .min(CARDS.min, `fewer than ${CARDS.min} cards`)
      .max(CARDS.max, `over ${CARDS.max} cards`),
    'Cards. All cards have the same number of replies, or all have a button that opens an address.',
    ['red', 'blue'].map((colour) => ({
      media: `${link}${colour}.jpg`,
      body: colour,
      replies: [{ text: 'This one', id: colour }],
    })),
  ),
};
const carouselBody = z.object({ source, to, ...carouselContent, reply_to: replyTo });

const estimateAnswer = z.object({
  opens_conversation: out.flag('Whether the message would open a conversation, which is charged.', false),
  free_left: out.count(
    'Remaining free messages with buttons and carousels in this calendar month, apart from the price of their conversation.',
    998,
  ),
  ...money,
});

const windowProblems = ['never-written', 'window-closed', 'unanswered'] as const;
const windowAnswer = z.object({
  open: out.flag('Whether messages with buttons and carousels can be sent.', true),
  problem: out.maybeOneOf(
    windowProblems,
    'Reason why they cannot be sent: the client has never written; their last message is over 24 hours old; a template since then has no reply.',
    null,
  ),
  client_wrote_at: out.maybeTime("Time of the client's last message"),
  closes_at: out.maybeTime('End of the window, 24 hours after that message'),
  conversation_ends_at: out.maybeTime(
    'End of the open conversation, after which a message opens and charges another one',
  ),
});

interface FreeFormDeps extends ChatMessageDeps {
  readonly sql: Queryable;
  readonly media: MediaCheck;
  readonly numbers: NumberReader;
}

const route = resource<FreeFormDeps>('chat');

const freeFormProblems: readonly ChatProblem[] = [
  ...addressProblems,
  'never-written',
  'window-closed',
  'bad-header',
  'bad-header-type',
  'bad-reply',
];
const fieldNames = { destination: 'to', replyTo: 'reply_to' };
const inWindow = "Allowed within 24 hours of the client's last message (`GET /v1/chat/window`).";
const free =
  'Messages with buttons and carousels are free for the first 1,000 of a calendar month; each further one costs 0.5 credits.';

/** Sends of messages with buttons and of carousels, by the rules of the chat API (interface, A4 and A5). */
export const chatFreeFormRoutes = [
  route('GET /v1/chat/window', {
    access: reads('sender', 'send'),
    operationId: 'getChatWindow',
    title: 'Show the reply window of a recipient',
    description:
      'Returns whether messages with buttons and carousels can be sent to the recipient: for 24 hours after each message of the client. Afterwards, and to a client who has never written, only templates can be sent.',
    refusals: addressProblems,
    query: z.object({
      source: z
        .string()
        .max(50)
        .describe('Business number.')
        .meta({ examples: ['972550000001'] }),
      to: z
        .string()
        .max(MAX_RECIPIENT)
        .describe('Recipient, in any spelling.')
        .meta({ examples: ['972501234567'] }),
    }),
    fieldNames,
    answer: windowAnswer,
    handler: async ({ accountId, query }, { sender }) => {
      const { window, now, problem } = await sender.window({
        accountId,
        source: query.source,
        destination: query.to,
      });
      const after = (start: number | null) => (start === null ? null : iso(start + DAY_MS));
      return {
        open: problem === null,
        problem,
        client_wrote_at: window.clientAt === null ? null : iso(window.clientAt),
        closes_at: after(window.clientAt),
        conversation_ends_at: isConversationOpen(window, now) ? after(window.conversationAt) : null,
      };
    },
  }),
  route('POST /v1/chat/buttons', {
    access: withoutProof(sends(changes('sender', 'send'))),
    operationId: 'sendChatButtons',
    title: 'Send a message with buttons',
    description: `Sends a text with one to three replies, or with one button that opens an address. ${inWindow} ${free}`,
    refusals: [...freeFormProblems, 'no-credit'],
    body: buttonsBody,
    fieldNames,
    answer: sentAnswer,
    status: 202,
    handler: async ({ accountId, body, once }, deps) =>
      once(
        async (use) =>
          showSent(await deps.sender.buttons(buttonsOf(accountId, body, deps), use?.answering(showSent))),
        { looksFirst: false },
      ),
  }),
  route('POST /v1/chat/buttons/estimate', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'estimateChatButtons',
    title: 'Estimate a message with buttons',
    description: 'Checks the message and returns what it would cost now. Sends nothing.',
    refusals: freeFormProblems,
    body: buttonsBody,
    fieldNames,
    answer: estimateAnswer,
    handler: async ({ accountId, body }, deps) =>
      estimateOf(
        accountId,
        deps,
        await deps.sender.checkFreeForm(buttonsOf(accountId, body, deps), 'buttons'),
      ),
  }),
  route('POST /v1/chat/carousels', {
    access: withoutProof(sends(changes('sender', 'send'))),
    operationId: 'sendChatCarousel',
    title: 'Send a carousel',
    description: `Sends a text and 2 to 10 cards side by side, each with an image or a video and buttons. ${inWindow} ${free}`,
    refusals: [...freeFormProblems, 'no-credit'],
    body: carouselBody,
    fieldNames,
    answer: sentAnswer,
    status: 202,
    handler: async ({ accountId, body, once }, deps) =>
      once(
        async (use) =>
          showSent(await deps.sender.carousel(carouselOf(accountId, body, deps), use?.answering(showSent))),
        { looksFirst: false },
      ),
  }),
  route('POST /v1/chat/carousels/estimate', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'estimateChatCarousel',
    title: 'Estimate a carousel',
    description: 'Checks the message and returns what it would cost now. Sends nothing.',
    refusals: freeFormProblems,
    body: carouselBody,
    fieldNames,
    answer: estimateAnswer,
    handler: async ({ accountId, body }, deps) =>
      estimateOf(
        accountId,
        deps,
        await deps.sender.checkFreeForm(carouselOf(accountId, body, deps), 'carousel'),
      ),
  }),
];

function buttonsOf(accountId: number, given: z.output<typeof buttonsBody>, deps: FreeFormDeps) {
  const { header, body, footer, replies, opens } = given;
  return {
    ...addressesOf(accountId, given),
    content: async () => ({
      ...(await readButtons({ header, body, footer, replies, opens }, deps)),
      ...(await quotedOf(accountId, given, deps)),
    }),
  };
}

function carouselOf(accountId: number, given: z.output<typeof carouselBody>, deps: FreeFormDeps) {
  const { body, cards } = given;
  return {
    ...addressesOf(accountId, given),
    content: async () => ({
      ...(await readCarousel({ body, cards }, deps)),
      ...(await quotedOf(accountId, given, deps)),
    }),
  };
}

interface Addressed {
  readonly source: string;
  readonly to: string;
  readonly reply_to?: string | undefined;
}

const addressesOf = (accountId: number, { source, to }: Addressed) => ({
  accountId,
  source,
  destination: to,
});

/** Returns the quoted message. Source and recipient must be checked before. */
async function quotedOf(
  accountId: number,
  { source, to, reply_to: id }: Addressed,
  { sql, numbers }: FreeFormDeps,
): Promise<{ replyTo?: string }> {
  if (id === undefined || id.trim() === '') return {};
  const phone = numbers.parse(source)!.digits;
  const client = (await readClient(sql, numbers, accountId, to))!;
  return { replyTo: await findQuoted(sql, { accountId, phone }, client, id.trim()) };
}

async function estimateOf(
  accountId: number,
  deps: ChatMessageDeps,
  {
    number,
    opensConversation,
    price,
    freeLeft,
  }: Awaited<ReturnType<ChatMessageDeps['sender']['checkFreeForm']>>,
) {
  return {
    opens_conversation: opensConversation,
    free_left: freeLeft,
    ...(await moneyOf(deps, accountId, price, 1, deps.clock.now(), number, lanes.single)),
  };
}
