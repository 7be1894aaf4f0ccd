import { z } from 'zod';
import type { Queryable } from '../../../database/connection.ts';
import type { ChatProblem } from '../../../errors.ts';
import type { MediaCheck } from '../../../http/media-check.ts';
import { iso, out } from '../../../interfaces/openapi/out.ts';
import { field, oneOf } from '../../../interfaces/v1/kit/fields.ts';
import { resource } from '../../../interfaces/v1/kit/route.ts';
import { storable } from '../../../interfaces/v1/kit/text-fields.ts';
import { lanes } from '../../../messages/lanes.ts';
import type { NumberReader } from '../../../numbers/numbers.ts';
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

const body = field(storable(MAX_TEXT), 'The text.', 'Shall we come tomorrow?');
const replyTo = storable(20).optional().meta({
  description: 'The id of a message of the client to quote, as the event `chat.message` has it.',
  examples: [],
});

const opens = (maxTarget: number) =>
  field(
    z
      .object({
        text: field(storable(MAX_BUTTON_TEXT), 'The text of the button, without emoji.', 'Our shop'),
        target: field(
          storable(maxTarget),
          'What it opens: an https address, a phone number or an e-mail address.',
          link,
        ),
      })
      .nullable()
      .default(null),
    'One button that opens something, in place of `replies`.',
    null,
  );
const replies = (max: number) =>
  field(
    z
      .array(
        z.object({
          text: field(storable(MAX_BUTTON_TEXT), 'The text of the button.', 'Yes'),
          id: field(
            storable(MAX_BUTTON_ID).optional(),
            'What the event of a press has as `button_id`; its place, from 1, without it.',
            'yes',
          ),
        }),
      )
      .max(max, `over ${max} buttons`)
      .default([]),
    'Buttons that the client answers with, each with another text.',
    [{ text: 'Yes' }, { text: 'No' }],
  );

/** What a message with buttons has beside its addresses. */
export const buttonsContent = {
  header: field(
    z
      .object({
        kind: field(oneOf(['image', 'video', 'document']), 'What it is.', 'image'),
        link: field(
          storable(MAX_LINK),
          'Its https address. Images jpg, png to 5 MB; videos mp4 to 16 MB; documents pdf to 100 MB.',
          `${link}spring.jpg`,
        ),
      })
      .nullable()
      .default(null),
    'Above the text.',
    null,
  ),
  body,
  footer: field(storable(MAX_FOOTER).default(''), 'In small letters below the text.', 'Answer by tonight'),
  replies: replies(MAX_REPLIES),
  opens: opens(MAX_TARGET),
};
const buttonsBody = z.object({ source, to, ...buttonsContent, reply_to: replyTo });

/** What a carousel has beside its addresses. */
export const carouselContent = {
  body: body.meta({ description: 'The text above the cards.', examples: ['Two for you'] }),
  cards: field(
    z
      .array(
        z.object({
          media: field(
            storable(MAX_LINK),
            'The address of an image (jpg, png to 5 MB) or a video (mp4, 3gpp to 16 MB); on all cards the same kind.',
            `${link}red.jpg`,
          ),
          body: field(
            storable(MAX_CARD_TEXT).default(''),
            'A text with at most two line breaks; on all cards or on none.',
            'Red',
          ),
          replies: replies(MAX_CARD_REPLIES),
          opens: opens(MAX_CARD_TARGET),
        }),
      )
      .min(CARDS.min, `fewer than ${CARDS.min} cards`)
      .max(CARDS.max, `over ${CARDS.max} cards`),
    'On all cards as many replies, or a button that opens something.',
    ['red', 'blue'].map((colour) => ({
      media: `${link}${colour}.jpg`,
      body: colour,
      replies: [{ text: 'This one', id: colour }],
    })),
  ),
};
const carouselBody = z.object({ source, to, ...carouselContent, reply_to: replyTo });

const estimateAnswer = z.object({
  opens_conversation: out.flag('Whether it would open a conversation, which is charged.', false),
  free_left: out.count(
    'Messages with buttons and carousels of the calendar month that cost nothing beside their conversation.',
    998,
  ),
  ...money,
});

const windowProblems = ['never-written', 'window-closed', 'unanswered'] as const;
const windowAnswer = z.object({
  open: out.flag('Whether messages with buttons and carousels can be sent.', true),
  problem: out.maybeOneOf(
    windowProblems,
    'Why not: the client has never written; their last message is over 24 hours old; a template since then has no answer.',
    null,
  ),
  client_wrote_at: out.maybeTime("The client's last message"),
  closes_at: out.maybeTime('24 hours after it'),
  conversation_ends_at: out.maybeTime(
    'When the conversation ends that is open; a message after it opens another one, which is charged',
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
const inWindow = "Within 24 hours of the client's last message (`GET /v1/chat/window`).";
const free = 'Buttons and carousels are free for the first 1,000 of a calendar month; then 0.5 credits each.';

/** Sends of messages with buttons and of carousels, by the rules of the chat API (interface, A4 and A5). */
export const chatFreeFormRoutes = [
  route('GET /v1/chat/window', {
    operationId: 'getChatWindow',
    title: 'Show the window of a recipient',
    description:
      'Messages with buttons and carousels can be sent for 24 hours after each message of the client. Afterwards, and to a client who has never written, only templates can.',
    refusals: addressProblems,
    query: z.object({
      source: z
        .string()
        .max(50)
        .describe('A business number.')
        .meta({ examples: ['972550000001'] }),
      to: z
        .string()
        .max(MAX_RECIPIENT)
        .describe('The recipient, in any spelling.')
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
    operationId: 'sendChatButtons',
    title: 'Send a message with buttons',
    description: `A text with one to three replies, or with one button that opens something. ${inWindow} ${free}`,
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
    operationId: 'estimateChatButtons',
    title: 'Estimate a message with buttons',
    description: 'Checks the message, and answers what it would cost now. Nothing is sent.',
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
    operationId: 'sendChatCarousel',
    title: 'Send a carousel',
    description: `A text and 2 to 10 cards side by side, each with an image or a video and buttons. ${inWindow} ${free}`,
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
    operationId: 'estimateChatCarousel',
    title: 'Estimate a carousel',
    description: 'Checks the message, and answers what it would cost now. Nothing is sent.',
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

/** The message that is quoted. Source and recipient have been found right before. */
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
