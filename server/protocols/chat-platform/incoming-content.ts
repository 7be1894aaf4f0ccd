import { arrayOf, idOf, integerOf, type JsonObject, objectOf, parseJson, textOf, tidy } from './json.ts';
import { type MediaType, readCardButtonId } from './messages.ts';

/*
 * Content of a client's message, parsed from the platform's webhook. `details` are stored and reported exactly in this
 * form: their names are those of our events, in the platform's spelling where the platform has one.
 */

export type IncomingType =
  | 'text'
  | 'button'
  | 'list'
  | MediaType
  | 'location'
  | 'contacts'
  | 'order'
  | 'flow'
  | 'reaction'
  | 'edited'
  | 'deleted'
  | 'system'
  | 'unsupported'
  | 'other';

export interface IncomingContent {
  readonly type: IncomingType;
  /** Readable form: the text, the caption, the title of a choice, the emoji, or latitude and longitude. */
  readonly body: string;
  /** Id of a pressed button as the message defined it, payload of a template's button, or id of a list choice. */
  readonly buttonId: string | null;
  /** Carousel card of the button, from 1. */
  readonly card: number | null;
  /** The platform's id of the message that this one reacts to, edits or deletes; empty otherwise. */
  readonly about: string;
  /** Content that `body` does not include. */
  readonly details: JsonObject | null;
  /** File of the message. */
  readonly media: IncomingMedia | null;
}

/** A file on the platform, as a message describes it. */
export interface IncomingMedia {
  readonly kind: MediaType;
  /** The platform's id. */
  readonly id: string;
  readonly mimeType: string;
  /** Name of a document; empty for other kinds. */
  readonly fileName: string;
  /** Base64. */
  readonly sha256: string;
}

/** Returns the origin of the message: an advertisement, a product, or a forwarded message. Null when it names none. */
export function readOrigin(message: JsonObject): JsonObject | null {
  const context = objectOf(message.context);
  const referral = objectOf(message.referral);
  const product = objectOf(context.referred_product);
  return onlyFilled({
    referral: onlyFilled({
      source_type: textOf(referral.source_type),
      source_id: idOf(referral.source_id),
      source_url: textOf(referral.source_url),
      headline: textOf(referral.headline),
      body: textOf(referral.body),
      media_type: textOf(referral.media_type),
      image_url: textOf(referral.image_url),
      video_url: textOf(referral.video_url),
      thumbnail_url: textOf(referral.thumbnail_url),
      ctwa_clid: textOf(referral.ctwa_clid),
    }),
    product: onlyFilled({
      catalog_id: idOf(product.catalog_id),
      product_retailer_id: idOf(product.product_retailer_id),
    }),
    forwarded: context.forwarded === true || context.frequently_forwarded === true || null,
    frequently_forwarded: context.frequently_forwarded === true || null,
  });
}

/** Parses `message[message.type]`. Never throws; content of an unknown form is kept complete, as `other`. */
export function readContent(message: JsonObject): IncomingContent {
  const type = textOf(message.type);
  const part = partOf(message, type);
  switch (type) {
    case 'text':
      return content('text', { body: textOf(part.body) });
    case 'button':
      return content('button', { body: textOf(part.text), buttonId: textOf(part.payload) });
    case 'interactive':
      return readInteractive(message, part);
    case 'image':
    case 'video':
    case 'document':
    case 'audio':
    case 'sticker':
      return content(type, {
        body: textOf(part.caption),
        details: mediaDetails(part),
        media: mediaOf(type, part),
      });
    case 'location':
      return readLocation(message, part);
    case 'contacts':
      return readContacts(message);
    case 'order':
      return readOrder(part);
    case 'reaction':
      return content('reaction', { body: textOf(part.emoji), about: idOf(part.message_id) });
    case 'edit':
      return readEdit(part);
    case 'revoke':
      return content('deleted', { about: idOf(part.original_message_id) });
    case 'system':
      return content('system', { body: textOf(part.body), details: systemOf(part) });
    case 'unsupported':
      return content('unsupported', { details: unsupportedOf(part, message) });
    default:
      return unknown(message);
  }
}

function content(type: IncomingType, more: Partial<IncomingContent>): IncomingContent {
  return { type, body: '', buttonId: null, card: null, about: '', details: null, media: null, ...more };
}

const partOf = (of: JsonObject, type: string): JsonObject =>
  objectOf(Object.hasOwn(of, type) ? of[type] : undefined);

/** Keeps all of a message whose type or form this version does not know. */
function unknown(message: JsonObject): IncomingContent {
  const { type, ...rest } = message;
  const word = textOf(type);
  const raw = word !== '' && Object.hasOwn(rest, word) ? rest[word] : null;
  return content('other', {
    details: { platform_type: word, raw: tidy(raw), ...onlyFilled({ errors: errorsOf(message) }) },
  });
}

function readInteractive(message: JsonObject, part: JsonObject): IncomingContent {
  const type = textOf(part.type);
  const reply = partOf(part, type);
  const body = textOf(reply.title);
  switch (type) {
    case 'button_reply': {
      const { id, card } = readCardButtonId(textOf(reply.id));
      return content('button', { body, buttonId: id, card });
    }
    case 'list_reply': {
      const details = onlyFilled({ description: textOf(reply.description) });
      return content('list', { body, buttonId: textOf(reply.id), details });
    }
    case 'nfm_reply': {
      // The answers are JSON inside the JSON; unreadable answers are kept as text.
      const json = textOf(reply.response_json);
      const response = tidy(parseJson(json) ?? json);
      return content('flow', {
        body: textOf(reply.body),
        details: { name: textOf(reply.name), response },
      });
    }
    default:
      return unknown(message);
  }
}

function mediaOf(kind: MediaType, part: JsonObject): IncomingMedia | null {
  const id = idOf(part.id);
  if (id === '') return null;
  const [mimeType, fileName, sha256] = [part.mime_type, part.filename, part.sha256].map(textOf);
  return { kind, id, mimeType: mimeType!, fileName: fileName!, sha256: sha256! };
}

function mediaDetails(part: JsonObject): JsonObject {
  return {
    mime_type: textOf(part.mime_type),
    sha256: textOf(part.sha256),
    ...onlyFilled({
      file_name: textOf(part.filename),
      voice: part.voice === true || null,
      animated: part.animated === true || null,
    }),
  };
}

function readLocation(message: JsonObject, part: JsonObject): IncomingContent {
  const { latitude, longitude, name, address, url } = part;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return unknown(message);
  const about = onlyFilled({ name: textOf(name), address: textOf(address), url: textOf(url) });
  return content('location', {
    body: `${latitude},${longitude}`,
    details: { latitude, longitude, ...about },
  });
}

function readContacts(message: JsonObject): IncomingContent {
  const cards = arrayOf(message.contacts).map((each) => {
    const card = objectOf(each);
    const name = objectOf(card.name);
    const { company, department, title } = objectOf(card.org);
    return {
      name: textOf(name.formatted_name) || [name.first_name, name.last_name].map(textOf).join(' ').trim(),
      ...onlyFilled({
        phones: arrayOf(card.phones).map((phone) => fieldsOf(phone, ['phone', 'wa_id', 'user_id', 'type'])),
        emails: arrayOf(card.emails).map((email) => fieldsOf(email, ['email', 'type'])),
        urls: arrayOf(card.urls).map((url) => fieldsOf(url, ['url', 'type'])),
        addresses: arrayOf(card.addresses).map((address) =>
          fieldsOf(address, ['street', 'city', 'state', 'zip', 'country', 'type']),
        ),
        company: textOf(company),
        department: textOf(department),
        title: textOf(title),
        birthday: textOf(card.birthday),
      }),
    };
  });
  return content('contacts', {
    body: cards.map(({ name }) => name).join(', '),
    details: { contacts: cards },
  });
}

function readOrder(part: JsonObject): IncomingContent {
  const items = arrayOf(part.product_items).map((each) => {
    const item = objectOf(each);
    return {
      product_retailer_id: idOf(item.product_retailer_id),
      quantity: integerOf(item.quantity) ?? 0,
      item_price: textOf(item.item_price),
      currency: textOf(item.currency),
    };
  });
  return content('order', {
    body: textOf(part.text),
    details: { catalog_id: idOf(part.catalog_id), items },
  });
}

/** An edit contains the new message. An edit of anything but a text or a caption changes nothing readable. */
function readEdit(part: JsonObject): IncomingContent {
  const { type, body, details } = readContent(withoutEdit(objectOf(part.message)));
  return content('edited', {
    body,
    about: idOf(part.original_message_id),
    details: { type, ...details },
  });
}

/** An edit inside an edit is ignored, which limits the nesting. */
const withoutEdit = (message: JsonObject): JsonObject => (message.type === 'edit' ? {} : message);

function systemOf(part: JsonObject): JsonObject {
  return {
    event: textOf(part.type),
    ...onlyFilled({
      new_number: textOf(part.wa_id) || textOf(part.new_wa_id),
      user_id: idOf(part.user_id),
      previous_user_id: idOf(part.previous_user_id),
    }),
  };
}

function unsupportedOf(part: JsonObject, message: JsonObject): JsonObject | null {
  return onlyFilled({ platform_type: textOf(part.type), errors: errorsOf(message) });
}

const errorsOf = (message: JsonObject) =>
  arrayOf(message.errors).map((each) => {
    const error = objectOf(each);
    return {
      code: integerOf(error.code),
      title: textOf(error.title),
      ...onlyFilled({ details: textOf(objectOf(error.error_data).details) }),
    };
  });

const fieldsOf = (of: unknown, names: readonly string[]): JsonObject | null =>
  onlyFilled(Object.fromEntries(names.map((name) => [name, textOf(objectOf(of)[name])])));

/** Removes empty texts, empty lists and nulls. Returns null when nothing is left. */
function onlyFilled(fields: JsonObject): JsonObject | null {
  const filled = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return filled.length === 0 ? null : Object.fromEntries(filled);
}
