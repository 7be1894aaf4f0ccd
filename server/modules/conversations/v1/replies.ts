import { z } from 'zod';
import { answers, answersUnaudited, dailyWork, sends, withoutProof } from '../../../api/access/rules.ts';
import { fieldName, inFieldNames } from '../../../api/field-names.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, flag, found, idOf, idText } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import { buttonsContent, carouselContent } from '../../../channels/chat/v1/free-form.ts';
import { messageFields, templateContent, templateFieldsOf } from '../../../channels/chat/v1/sending.ts';
import { badField, Refusal, type RefusalCode } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { formatAmount } from '../../accounts/money.ts';
import { findConversation } from '../list.ts';
import { type ReplyContent, type ReplyKind, replyKinds } from '../reply-channel.ts';
import { actorOf, type ConversationDeps } from './routes.ts';

const MAX_TEXT = 4_096;
const MAX_CAPTION = 1_024;

const optional = <T extends z.ZodType>(schema: T, description: string) =>
  schema.optional().meta({ description, examples: [] });

const contents = {
  text: field(storable(MAX_TEXT).optional(), 'Text; for an SMS up to 1,005 characters.', 'Yes, until 18:00'),
  media: optional(
    z.object({
      media_id: idText('a file').meta({
        description: 'File from `POST /v1/media`, or from a client.',
        examples: ['1774337460000002'],
      }),
      caption: field(
        storable(MAX_CAPTION).default(''),
        'Caption; not for audio and stickers.',
        'Our new menu',
      ),
    }),
    'Image, audio, video, document or sticker; chat only.',
  ),
  buttons: optional(z.object(buttonsContent), 'Message with buttons, as in `POST /v1/chat/buttons`.'),
  carousel: optional(z.object(carouselContent), 'Carousel, as in `POST /v1/chat/carousels`.'),
  template: optional(z.object(templateContent), 'Template message, as in `POST /v1/chat/messages`.'),
};
const replyBody = z.object({
  ...contents,
  reply_to: idText('a message')
    .optional()
    .meta({ description: 'Message of the client to quote; chat only.', examples: [] }),
  includes_international: field(
    flag.default(false),
    'Whether an SMS to a number of another country is allowed if its owner has not written in the last 24 hours.',
    false,
  ),
});

const sentAnswer = z.object({
  shipment_id: out.text('Id of the shipment.', '1774337460000065'),
});
const estimateAnswer = z.object({
  cost: out.text('Credits.', '0.25'),
  parts: out.count('Parts of an SMS; otherwise 1.', 1),
  balance: out.text('Balance of the account in credits.', '1200'),
  enough: out.flag('Whether the balance is sufficient.', true),
});

type ReplyDeps = ConversationDeps & Pick<CoreContext, 'wallets'>;

const route = resource<ReplyDeps>('conversations');
const id = idOf('conversation');

const refusals: readonly RefusalCode[] = [
  'not-now',
  'suspended',
  'unknown-source',
  'source-not-verified',
  'bad-destination',
  'all-blocked',
  'never-written',
  'window-closed',
  'two-unanswered',
  'tier-reached',
  'unknown-template',
  'template-not-usable',
  'bad-variables',
  'bad-variable-text',
  'bad-website-variable',
  'bad-coupon',
  'bad-otp',
  'bad-header',
  'bad-header-type',
  'too-long',
  'bad-reply',
];
const one =
  'The body has one of `text`, `media`, `buttons`, `carousel` and `template`; `replies` of the conversation lists those allowed now.';

/** Replies to clients. */
export const replyRoutes = [
  route('POST /v1/conversations/:id/replies', {
    access: withoutProof(sends(answers)),
    operationId: 'replyToConversation',
    title: 'Reply to a client',
    description: `Sends a message over the channel of the client's last message, from the number to which they wrote. A reply within 24 hours of the client's last message (by email, 7 days) is exempt from the sending policy of the account; other messages are subject to it like any send. ${one}`,
    refusals: [...refusals, 'no-credit'],
    id,
    body: replyBody,
    answer: sentAnswer,
    status: 202,
    handler: async ({ accountId, id, caller, body, once }, { sql, replies }) => {
      const row = found(await findConversation(sql, accountId, id), 'conversation');
      const content = contentOf(body);
      const show = ({ shipmentId }: { readonly shipmentId: number }) => ({ shipment_id: String(shipmentId) });
      return once((use) =>
        named(content.kind, async () =>
          show(
            await replies.send(
              accountId,
              row,
              { content, replyTo: body.reply_to, international: body.includes_international },
              actorOf(caller),
              use?.answering(show),
            ),
          ),
        ),
      );
    },
  }),
  route('POST /v1/conversations/:id/replies/estimate', {
    access: dailyWork(answersUnaudited),
    operationId: 'estimateReply',
    title: 'Estimate a reply',
    description: `Checks the reply and returns its price now. Sends nothing. ${one}`,
    refusals,
    id,
    body: replyBody,
    answer: estimateAnswer,
    handler: async ({ accountId, id, body }, { sql, replies, wallets }) => {
      const row = found(await findConversation(sql, accountId, id), 'conversation');
      const content = contentOf(body);
      const [{ price, parts }, balance] = await Promise.all([
        named(content.kind, () => replies.estimate(accountId, row, content)),
        wallets.balance(accountId),
      ]);
      return {
        cost: formatAmount(price),
        parts,
        balance: formatAmount(balance),
        enough: balance >= price,
      };
    },
  }),
];

/** Returns the content of a reply. Throws Refusal `bad-field` unless it has exactly one kind. */
function contentOf(body: z.output<typeof replyBody>): ReplyContent {
  const given = replyKinds.filter((kind) => body[kind] !== undefined);
  if (given.length !== 1) {
    const path = given[1] ?? 'text';
    const values = { values: replyKinds.join(', ') };
    if (given.length === 0) throw badField(path, 'missing', 'missing');
    throw badField(path, 'give one of them', 'not-one-of', values);
  }
  const { text, media, buttons, carousel, template } = body;
  if (text !== undefined) return { kind: 'text', text };
  if (media) return { kind: 'media', mediaId: Number(media.media_id), caption: media.caption };
  if (buttons) return { kind: 'buttons', ...buttons };
  if (carousel) return { kind: 'carousel', ...carousel };
  return { kind: 'template', templateId: template!.template_id, fields: templateFieldsOf(template!) };
}

/** Names of reply fields in the body, if they differ. */
const fieldsOf: Partial<Record<ReplyKind, Readonly<Record<string, string>>>> = {
  template: messageFields,
  media: { mediaId: 'media_id' },
};

/** Runs code that reads a reply; refusals get the field names of the body. */
function named<T>(kind: ReplyKind, work: () => Promise<T>): Promise<T> {
  return inFieldNames({ replyTo: 'reply_to' }, async () => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.path === undefined) throw error;
      const { path } = error;
      // Destination and source come from the conversation, not from the body.
      if (path === 'destination' || path === 'source') throw error.at(undefined);
      if (path === 'replyTo' || path === kind) throw error;
      throw error.at(`${kind}.${fieldsOf[kind] ? fieldName(fieldsOf[kind], path) : path}`);
    }
  });
}
