import { type External, externalUrl } from './external.ts';

/*
 * The messages that the platform accepts, and their wire format (POST /{phone number id}/messages). Nothing is
 * validated here: the domain has the rules and their error codes.
 */

interface Addressed {
  /** Recipient: E.164 digits, or the platform's id of a client who hides their number. */
  readonly to: string;
  /** Our id of this message. Every status contains it, even when the answer to the send was lost. */
  readonly reference: string;
  /** The platform's id of the message to quote. */
  readonly replyTo?: string;
}

/** Kinds of file that a message can be. */
export type MediaType = 'image' | 'video' | 'document' | 'audio' | 'sticker';

/** A picture, video or document that the platform downloads from an address. */
export interface LinkedMedia {
  readonly kind: 'image' | 'video' | 'document';
  readonly link: string;
}

export interface TextMessage extends Addressed {
  readonly kind: 'text';
  readonly body: string;
}

/** A value for one button of a template; `index` is the button's position in the template, from 0. */
export type ButtonValue =
  | { readonly index: number; readonly kind: 'url'; readonly text: string }
  | { readonly index: number; readonly kind: 'coupon'; readonly code: string };

/** Values of a template's variables (`fillTemplate` in templates.ts makes them). */
export interface TemplateValues {
  readonly header: LinkedMedia | { readonly kind: 'text'; readonly text: string } | null;
  readonly body: readonly string[];
  readonly buttons: readonly ButtonValue[];
  /** End of a limited-time offer, in milliseconds since the epoch. */
  readonly offerEndsAt: number | null;
}

export interface TemplateMessage extends Addressed {
  readonly kind: 'template';
  readonly name: string;
  /** The platform's language code, like `he` or `en_US`. */
  readonly language: string;
  readonly values: TemplateValues;
}

export interface ReplyButton {
  readonly id: string;
  readonly title: string;
}

export interface ButtonsMessage extends Addressed {
  readonly kind: 'buttons';
  readonly header: LinkedMedia | null;
  readonly body: string;
  readonly footer: string;
  /** One to three reply buttons, or one button that opens something outside the chat. */
  readonly action: readonly ReplyButton[] | { readonly title: string; readonly external: External };
}

export interface CarouselCard {
  readonly header: { readonly kind: 'image' | 'video'; readonly link: string };
  /** Text of the body; may be empty. */
  readonly body: string;
  readonly action: readonly ReplyButton[] | { readonly title: string; readonly external: External };
}

export interface CarouselMessage extends Addressed {
  readonly kind: 'carousel';
  readonly body: string;
  readonly cards: readonly CarouselCard[];
}

/** A file uploaded to the platform (`uploadMedia`). */
export interface MediaMessage extends Addressed {
  readonly kind: 'media';
  /** Caption; may be empty. Sounds and stickers have no caption. */
  readonly body: string;
  readonly media: {
    readonly kind: MediaType;
    /** The platform's id. */
    readonly id: string;
    /** Name shown with a document; may be empty. */
    readonly fileName: string;
    /** Whether a sound was recorded in the chat. */
    readonly isVoice: boolean;
  };
}

export type PlatformMessage = TextMessage | TemplateMessage | ButtonsMessage | CarouselMessage | MediaMessage;

/**
 * Returns the request body of a message. `contactPage` is the address of the page that replaces call and email buttons
 * (external.ts).
 */
export function encodeMessage(message: PlatformMessage, contactPage: string): string {
  const [type, content] = contentOf(message, contactPage);
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipientOf(message.to),
    biz_opaque_callback_data: message.reference,
    context: message.replyTo === undefined ? undefined : { message_id: message.replyTo },
    type,
    [type]: content,
  });
}

function recipientOf(to: string): object {
  // Without the plus sign the platform would prefix the country code of the business number.
  return /^\d+$/.test(to) ? { to: `+${to}` } : { recipient: to };
}

function contentOf(message: PlatformMessage, contactPage: string): [type: string, content: object] {
  switch (message.kind) {
    case 'text':
      return ['text', { body: message.body, preview_url: false }];
    case 'template':
      return ['template', templateContent(message)];
    case 'buttons':
      return ['interactive', buttonsContent(message, contactPage)];
    case 'carousel':
      return ['interactive', carouselContent(message, contactPage)];
    case 'media':
      return [message.media.kind, fileContent(message)];
  }
}

function fileContent({ body, media: { kind, id, fileName, isVoice } }: MediaMessage): object {
  return {
    id,
    caption: body === '' ? undefined : body,
    filename: kind === 'document' && fileName !== '' ? fileName : undefined,
    voice: kind === 'audio' && isVoice ? true : undefined,
  };
}

function templateContent({ name, language, values }: TemplateMessage): object {
  const components: object[] = [];
  if (values.header) components.push({ type: 'header', parameters: [headerParameter(values.header)] });
  if (values.body.length > 0) {
    components.push({ type: 'body', parameters: values.body.map((text) => ({ type: 'text', text })) });
  }
  if (values.offerEndsAt !== null) {
    const offer = { expiration_time_ms: values.offerEndsAt };
    components.push({
      type: 'limited_time_offer',
      parameters: [{ type: 'limited_time_offer', limited_time_offer: offer }],
    });
  }
  for (const button of values.buttons) {
    const url = button.kind === 'url';
    components.push({
      type: 'button',
      sub_type: url ? 'url' : 'copy_code',
      index: String(button.index),
      parameters: [
        url ? { type: 'text', text: button.text } : { type: 'coupon_code', coupon_code: button.code },
      ],
    });
  }
  return { name, language: { code: language }, components };
}

function headerParameter(header: NonNullable<TemplateValues['header']>): object {
  return header.kind === 'text' ? { type: 'text', text: header.text } : mediaObject(header);
}

function mediaObject({ kind, link }: LinkedMedia): object {
  // Without a name the phone shows "Untitled" and does not know which program opens the file.
  const filename = kind === 'document' ? fileName(link) : undefined;
  return { type: kind, [kind]: { link, filename } };
}

/** Returns the last segment of the link's path, decoded; undefined when it is empty. */
function fileName(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const last = new URL(link).pathname.split('/').at(-1)!;
  try {
    return decodeURIComponent(last) || undefined;
  } catch {
    return last;
  }
}

function buttonsContent(message: ButtonsMessage, contactPage: string): object {
  const { header, body, footer, action } = message;
  const replies = isReplies(action);
  return {
    type: replies ? 'button' : 'cta_url',
    header: header ? mediaObject(header) : undefined,
    body: { text: body },
    footer: footer === '' ? undefined : { text: footer },
    action: replies
      ? { buttons: action.map((reply) => ({ type: 'reply', reply })) }
      : linkAction(action, contactPage),
  };
}

function carouselContent({ body, cards }: CarouselMessage, contactPage: string): object {
  return {
    type: 'carousel',
    body: { text: body },
    action: {
      cards: cards.map(({ header, body, action }, index) => ({
        card_index: index,
        // Also used for cards with quick replies: the platform recognizes the kind of button by the action.
        type: 'cta_url',
        header: mediaObject(header),
        body: body === '' ? undefined : { text: body },
        action: isReplies(action)
          ? {
              buttons: action.map(({ id, title }) => ({
                type: 'quick_reply',
                quick_reply: { id: cardButtonId(index + 1, id), title },
              })),
            }
          : linkAction(action, contactPage),
      })),
    },
  };
}

const cardId = /^card(10|[1-9]):/;

/**
 * Returns the wire id of a card's button. The platform wants distinct ids within a message and cards often repeat
 * theirs, so the card's number (from 1) is prefixed.
 */
function cardButtonId(card: number, id: string): string {
  return `card${card}:${id}`;
}

/**
 * Returns the card and the id as they were before `encodeMessage`; the card is null for a button that is on no card.
 */
export function readCardButtonId(wireId: string): { readonly card: number | null; readonly id: string } {
  const match = cardId.exec(wireId);
  return match ? { card: Number(match[1]), id: wireId.slice(match[0].length) } : { card: null, id: wireId };
}

function linkAction(action: { title: string; external: External }, contactPage: string): object {
  return {
    name: 'cta_url',
    parameters: { display_text: action.title, url: externalUrl(action.external, contactPage) },
  };
}

const isReplies = (action: ButtonsMessage['action']): action is readonly ReplyButton[] =>
  Array.isArray(action);
