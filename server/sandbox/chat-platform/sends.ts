import { arrayOf, type JsonObject, objectOf, textOf } from '../../protocols/chat-platform/json.ts';
import { PlatformRefusal } from './errors.ts';
import { fileTypes } from './media-files.ts';
import type { ChatButton, ChatCard, ChatContent, ChatHeader, ChatMedia } from './phones.ts';
import { mediaLink } from './prepared.ts';
import type { TemplateStore } from './templates.ts';

/** A valid send request. */
export interface ReadSend {
  /** Digits, or a user id. */
  readonly to: string;
  /** Platform id of the message to quote; otherwise null. */
  readonly replyTo: string | null;
  readonly reference: string;
  /** Name of the template; null for other messages. */
  readonly template: string | null;
  /** Pricing category: that of the template, or `service`. */
  readonly category: string;
  readonly content: ChatContent;
}

const plain = { header: null, media: null, footer: '', buttons: [], cards: [] } as const;

/** Returns a file of the business by its id. Throws PlatformRefusal when no such file can be sent as this type. */
export type FileOf = (
  id: string,
  type: ChatMedia['type'],
) => { readonly url: string; readonly mimeType: string };

/**
 * Parses the body of a send. Throws PlatformRefusal for the first fault. Uses no schemas, since this is the hot path.
 */
export function readSend(
  body: unknown,
  {
    templates,
    fileOf,
    now,
  }: { readonly templates: TemplateStore; readonly fileOf: FileOf; readonly now: number },
): ReadSend {
  const send = objectOf(body);
  if (send.messaging_product !== 'whatsapp') {
    throw new PlatformRefusal(100, 'The parameter messaging_product is required.');
  }
  if (send.recipient_type !== undefined && send.recipient_type !== 'individual') {
    throw new PlatformRefusal(100, 'recipient_type must be individual');
  }
  const to = readRecipient(send);
  const reference = textOf(send.biz_opaque_callback_data);
  if (reference.length > 512) throw new PlatformRefusal(100, 'biz_opaque_callback_data: over 512 characters');
  const replyTo = textOf(objectOf(send.context).message_id) || null;
  const way = { to, replyTo, reference };
  if (send.type !== 'template') {
    return { ...way, template: null, category: 'service', content: readFreeForm(send, fileOf) };
  }
  const template = objectOf(send.template);
  const name = textOf(template.name);
  const language = textOf(objectOf(template.language).code);
  if (name === '' || language === '') {
    throw new PlatformRefusal(131008, 'template: name and language.code are required');
  }
  const prepared = templates.sendable(name, language);
  const content = prepared.fill(arrayOf(template.components), now);
  return { ...way, template: name, category: prepared.category, content };
}

function readRecipient(send: JsonObject): string {
  const to = textOf(send.to).replace(/^\+/, '');
  // As on the platform, the number has priority over the user id.
  if (to === '' && send.recipient !== undefined) {
    const userId = textOf(send.recipient);
    if (!isUserId(userId)) throw new PlatformRefusal(131009, 'recipient is not a valid user id');
    return userId;
  }
  if (to === '') throw new PlatformRefusal(100, 'The parameter to is required.');
  if (!/^\d{7,15}$/.test(to)) throw new PlatformRefusal(131009, 'to is not a valid phone number');
  return to;
}

/** Whether a text has the format of the platform's user ids. */
export const isUserId = (text: string): boolean => /^[A-Z]{2}\.[A-Za-z0-9.]{1,132}$/.test(text);

function readFreeForm(send: JsonObject, fileOf: FileOf): ChatContent {
  if (send.type === 'text') {
    return { type: 'text', ...plain, body: bounded(objectOf(send.text).body, 'text.body', 4096) };
  }
  if (isFileType(send.type)) return readMedia(send.type, objectOf(send[send.type]), fileOf);
  if (send.type !== 'interactive') {
    throw new PlatformRefusal(131051, `messages of type ${textOf(send.type)} are not supported here`);
  }
  const interactive = objectOf(send.interactive);
  const body = bounded(objectOf(interactive.body).text, 'interactive.body', 1024);
  if (interactive.type === 'carousel') {
    if (interactive.header !== undefined || interactive.footer !== undefined) {
      throw new PlatformRefusal(131009, 'interactive: a carousel has no header and no footer');
    }
    return { type: 'carousel', ...plain, body, cards: readCards(objectOf(interactive.action)) };
  }
  const header = interactive.header === undefined ? null : readHeader(objectOf(interactive.header));
  const footer =
    interactive.footer === undefined
      ? ''
      : bounded(objectOf(interactive.footer).text, 'interactive.footer', 60);
  const action = objectOf(interactive.action);
  let buttons: readonly ChatButton[];
  if (interactive.type === 'button') buttons = readReplies(arrayOf(action.buttons), 'reply', 3);
  else if (interactive.type === 'cta_url') buttons = [readLink(action)];
  else throw new PlatformRefusal(131009, 'interactive.type is not valid');
  return { type: 'buttons', media: null, header, body, footer, buttons, cards: [] };
}

const isFileType = (type: unknown): type is ChatMedia['type'] =>
  typeof type === 'string' && fileTypes.includes(type);

/** Reads a file that the message names by id or by link. */
function readMedia(type: ChatMedia['type'], media: JsonObject, fileOf: FileOf): ChatContent {
  const hasCaption = type !== 'audio' && type !== 'sticker';
  if (!hasCaption && media.caption !== undefined) throw new PlatformRefusal(131009, `${type} has no caption`);
  const id = textOf(media.id);
  const { url, mimeType } = id === '' ? { url: mediaLink(media, type), mimeType: '' } : fileOf(id, type);
  return {
    type: 'media',
    ...plain,
    body: media.caption === undefined ? '' : bounded(media.caption, `${type}.caption`, 1024),
    media: {
      type,
      url,
      mimeType,
      fileName: type === 'document' ? textOf(media.filename) : '',
      voice: type === 'audio' && media.voice === true,
    },
  };
}

function bounded(value: unknown, where: string, most: number): string {
  if (typeof value !== 'string' || value === '') throw new PlatformRefusal(131008, `${where} is required`);
  if (value.length > most) throw new PlatformRefusal(131009, `${where}: length must be at most ${most}`);
  return value;
}

function readHeader(header: JsonObject): ChatHeader {
  const { type } = header;
  if (type === 'text') return { type, text: bounded(header.text, 'header.text', 60) };
  if (type !== 'image' && type !== 'video' && type !== 'document') {
    throw new PlatformRefusal(131009, 'header.type is not valid');
  }
  return { type, link: mediaLink(objectOf(header[type]), 'header') };
}

function readReplies(buttons: readonly unknown[], type: 'reply' | 'quick_reply', most: number): ChatButton[] {
  if (buttons.length === 0 || buttons.length > most) {
    throw new PlatformRefusal(131009, `buttons: from 1 to ${most}`);
  }
  const read = buttons.map((each): ChatButton => {
    const button = objectOf(each);
    if (button.type !== type) throw new PlatformRefusal(131009, `buttons: type must be ${type}`);
    const reply = objectOf(button[type]);
    return {
      type: 'reply',
      id: bounded(reply.id, 'button id', 256),
      text: bounded(reply.title, 'button title', 20),
      payload: null,
    };
  });
  refuseRepeated(read);
  return read;
}

function refuseRepeated(buttons: readonly ChatButton[]): void {
  const ids = buttons.flatMap((button) => (button.type === 'reply' ? [button.id] : []));
  if (new Set(ids).size < ids.length) throw new PlatformRefusal(131009, 'buttons: ids must be unique');
}

function readLink(action: JsonObject): ChatButton {
  const parameters = objectOf(action.parameters);
  const text = bounded(parameters.display_text, 'display_text', 20);
  const url = bounded(parameters.url, 'url', 2000);
  if (action.name !== 'cta_url' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new PlatformRefusal(131009, 'action: url is not a valid URL');
  }
  return { type: 'url', text, url };
}

function readCards(action: JsonObject): ChatCard[] {
  const given = arrayOf(action.cards).map(objectOf);
  if (given.length < 2 || given.length > 10) throw new PlatformRefusal(131009, 'cards: from 2 to 10');
  const cards = given.map((card, index): ChatCard => {
    if (card.card_index !== index) throw new PlatformRefusal(131009, 'card_index: from 0, in order');
    const header = readHeader(objectOf(card.header));
    if (header.type !== 'image' && header.type !== 'video') {
      throw new PlatformRefusal(131009, 'cards: header must be an image or a video');
    }
    const body = card.body === undefined ? '' : bounded(objectOf(card.body).text, 'card body', 160);
    if (body.split('\n').length > 3) throw new PlatformRefusal(131009, 'card body: over 2 line breaks');
    const cardAction = objectOf(card.action);
    const buttons =
      cardAction.buttons === undefined
        ? [readLink(cardAction)]
        : readReplies(arrayOf(cardAction.buttons), 'quick_reply', 3);
    return { header, body, buttons };
  });
  const [first] = cards;
  const shapeOf = ({ header, body, buttons }: ChatCard) =>
    `${header.type} ${body === ''} ${buttons[0]!.type} ${buttons.length}`;
  if (cards.some((card) => shapeOf(card) !== shapeOf(first!))) {
    throw new PlatformRefusal(131009, 'cards: all must have the same parts and buttons');
  }
  refuseRepeated(cards.flatMap((card) => card.buttons));
  return cards;
}
