import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { mapInSlices } from '../../kit/time-slices.ts';
import { meaningOf } from './errors.ts';
import type {
  AtNumber,
  EchoFact,
  MessageFact,
  PlatformError,
  PlatformFact,
  PreferenceFact,
  StatusFact,
  TemplateCategoryFact,
  UnknownFact,
} from './facts.ts';
import { readContent, readOrigin } from './incoming-content.ts';
import { arrayOf, idOf, integerOf, type JsonObject, objectOf, parseJson, textOf } from './json.ts';
import { digitsOf, qualityOf, secondsOf, wordOf } from './notice-values.ts';
import { readStanding } from './standings.ts';
import { templateStatusOf } from './template-status.ts';

/** Maximum length of the platform's notifications, in bytes. */
export const LONGEST_NOTIFICATION = 3 * 1024 * 1024;

/**
 * Returns whether `signature`, the header `X-Hub-Signature-256`, is valid for exactly these bytes: `sha256=` and the
 * hexadecimal HMAC-SHA256 keyed with the app's secret. Must be checked before any of the body is used. Takes the same
 * time wherever the signature is wrong.
 */
export function isSigned(body: Uint8Array, signature: string | undefined, appSecret: string): boolean {
  const match = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '');
  if (!match) return false;
  const expected = createHmac('sha256', appSecret).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(match[1]!, 'hex'));
}

/**
 * Answers the platform's verification of a callback address (`GET` with `hub.mode`, `hub.verify_token` and
 * `hub.challenge`). Returns the body to send back, or null when the request must be refused with 403.
 */
export function answerChallenge(
  query: Readonly<Record<string, unknown>>,
  verifyToken: string,
): string | null {
  if (verifyToken === '') return null;
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
  if (mode !== 'subscribe' || typeof token !== 'string' || typeof challenge !== 'string') return null;
  // Digests are compared because a comparison in constant time needs equal lengths.
  const same = timingSafeEqual(hash('sha256', token, 'buffer'), hash('sha256', verifyToken, 'buffer'));
  return same && /^[\w.-]{1,200}$/.test(challenge) ? challenge : null;
}

type ParsedNotification =
  | { readonly facts: readonly PlatformFact[]; readonly refusal?: undefined }
  /** `not-json`: the body cannot be parsed. `not-ours`: it is not a notification of a business account. */
  | { readonly facts?: undefined; readonly refusal: 'not-json' | 'not-ours' };

/**
 * Parses the body of a notification into facts, in their order. Pure; never throws. A fact without its own time gets
 * `receivedAt` (milliseconds since the epoch).
 */
export function parseNotification(body: Uint8Array | string, receivedAt: number): ParsedNotification {
  const parsed = parseJson(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  const { notification, refusal } = notificationOf(parsed);
  return refusal ? { refusal } : { facts: [...factsOf(notification, receivedAt)] };
}

/**
 * Like `parseNotification`, for a long body, in time slices (time-slices.ts).
 *
 * @param document result of `JSON.parse` for the body; undefined when it cannot be parsed
 */
export async function parseLongNotification(
  document: unknown,
  receivedAt: number,
): Promise<ParsedNotification> {
  const { notification, refusal } = notificationOf(document);
  return refusal
    ? { refusal }
    : { facts: await mapInSlices(factsOf(notification, receivedAt), (fact) => fact) };
}

type Notification =
  | { readonly notification: JsonObject; readonly refusal?: undefined }
  | { readonly notification?: undefined; readonly refusal: 'not-json' | 'not-ours' };

function notificationOf(document: unknown): Notification {
  if (document === undefined) return { refusal: 'not-json' };
  const notification = objectOf(document);
  return notification.object === 'whatsapp_business_account' ? { notification } : { refusal: 'not-ours' };
}

function* factsOf(notification: JsonObject, receivedAt: number): Generator<PlatformFact> {
  for (const each of arrayOf(notification.entry)) {
    const entry = objectOf(each);
    const at = timeOf(entry.time, receivedAt);
    for (const change of arrayOf(entry.changes)) yield* readChange(textOf(entry.id), objectOf(change), at);
  }
}

function* readChange(accountId: string, change: JsonObject, at: number): Generator<PlatformFact> {
  const field = textOf(change.field);
  const value = objectOf(change.value);
  switch (field) {
    case 'messages':
      yield* readMessages(value, at);
      return;
    case 'message_template_status_update': {
      const event = wordOf(value.event);
      const reason = wordOf(value.reason);
      const status = templateStatusOf(event, reason);
      yield { kind: 'template-status', ...templateOf(accountId, value), status, event, reason, at };
      return;
    }
    case 'message_template_quality_update': {
      const quality = qualityOf(value.new_quality_score);
      yield { kind: 'template-quality', ...templateOf(accountId, value), quality, at };
      return;
    }
    case 'template_category_update':
      yield readCategory(accountId, value, at);
      return;
    case 'message_template_components_update':
      yield { kind: 'template-changed', accountId };
      return;
    case 'phone_number_quality_update':
    case 'phone_number_name_update':
    case 'business_capability_update':
    case 'account_update':
    case 'account_review_update':
    case 'account_alerts':
      yield* readStanding(field, accountId, value, at);
      return;
    case 'user_preferences':
      for (const each of arrayOf(value.user_preferences)) yield* readPreference(value, objectOf(each), at);
      return;
    case 'smb_message_echoes':
    case 'message_echoes':
      yield* readEchoes(value, at);
      return;
    default:
      yield { kind: 'unknown', field };
  }
}

function readCategory(accountId: string, value: JsonObject, at: number): TemplateCategoryFact {
  return {
    kind: 'template-category',
    ...templateOf(accountId, value),
    previous: wordOf(value.previous_category),
    category: wordOf(value.new_category),
    // The new category of a change announced a day before.
    next: wordOf(value.correct_category),
    changesAt: secondsOf(value.category_update_timestamp),
    at,
  };
}

function* readPreference(
  value: JsonObject,
  preference: JsonObject,
  at: number,
): Generator<PreferenceFact | UnknownFact> {
  const word = textOf(preference.value);
  const from = digitsOf(preference.wa_id);
  const userId = idOf(preference.user_id);
  const isKnown = word === 'stop' || word === 'resume' || word === 'signup';
  if (textOf(preference.category) !== 'marketing_messages' || !isKnown || (from === '' && userId === '')) {
    yield { kind: 'unknown', field: 'user_preferences' };
    return;
  }
  const stops = word === 'stop';
  yield {
    kind: 'preference',
    ...numberOf(value),
    from,
    userId,
    stops,
    at: timeOf(preference.timestamp, at),
  };
}

function* readEchoes(value: JsonObject, at: number): Generator<EchoFact | UnknownFact> {
  const contactOf = contactsOf(arrayOf(value.contacts).slice(0, MAX_CONTACTS).map(objectOf));
  for (const each of arrayOf(value.message_echoes)) {
    const echo = objectOf(each);
    const message = { ...echo, from: echo.to, from_user_id: echo.to_user_id };
    const fact = readMessage(message, contactOf, numberOf(value), at);
    yield fact.kind === 'message' ? { ...fact, kind: 'echo' } : fact;
  }
}

function numberOf(value: JsonObject): AtNumber {
  const metadata = objectOf(value.metadata);
  return {
    phoneNumberId: textOf(metadata.phone_number_id),
    businessNumber: digitsOf(metadata.display_phone_number),
  };
}

function templateOf(accountId: string, value: JsonObject) {
  return {
    accountId,
    templateId: textOf(value.message_template_id),
    name: textOf(value.message_template_name),
    language: textOf(value.message_template_language),
  };
}

function* readMessages(value: JsonObject, at: number): Generator<PlatformFact> {
  const number = numberOf(value);
  for (const status of arrayOf(value.statuses)) yield readStatus(objectOf(status), number, at);
  const contactOf = contactsOf(arrayOf(value.contacts).slice(0, MAX_CONTACTS).map(objectOf));
  for (const message of arrayOf(value.messages)) yield readMessage(objectOf(message), contactOf, number, at);
  for (const error of arrayOf(value.errors)) yield { kind: 'trouble', ...number, error: readError(error) };
}

/** Maximum number of contacts read from one change. A change has one per message, so a few. */
const MAX_CONTACTS = 1_000;

/** The platform's data about a client; missing texts are empty. */
interface Contact {
  readonly userId: string;
  readonly name: string;
  readonly username: string;
}

/** Returns the first contact with this number (digits) or this user id. */
type ContactOf = (number: string, userId: string) => Contact;

function contactsOf(contacts: readonly JsonObject[]): ContactOf {
  const byNumber = new Map<string, number>();
  const byUser = new Map<string, number>();
  for (const [index, { wa_id, user_id }] of contacts.entries()) {
    const number = digitsOf(wa_id);
    const user = idOf(user_id);
    if (number !== '' && !byNumber.has(number)) byNumber.set(number, index);
    if (user !== '' && !byUser.has(user)) byUser.set(user, index);
  }
  return (number, userId) => {
    const first = Math.min(byNumber.get(number) ?? Infinity, byUser.get(userId) ?? Infinity);
    const contact = objectOf(contacts[first]);
    const profile = objectOf(contact.profile);
    const username = textOf(profile.username) || textOf(contact.username);
    return { userId: idOf(contact.user_id), name: textOf(profile.name), username };
  };
}

const statuses: Readonly<Record<string, StatusFact['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // The client listened to a voice message.
  played: 'read',
  failed: 'failed',
};

function readStatus(status: JsonObject, number: AtNumber, at: number): StatusFact | UnknownFact {
  const word = textOf(status.status);
  const platformId = idOf(status.id);
  if (!Object.hasOwn(statuses, word) || platformId === '') {
    return { kind: 'unknown', field: `messages.statuses.${word}` };
  }
  return {
    kind: 'status',
    ...number,
    platformId,
    status: statuses[word]!,
    at: timeOf(status.timestamp, at),
    recipient: digitsOf(status.recipient_id),
    reference: textOf(status.biz_opaque_callback_data),
    error: word === 'failed' ? readError(arrayOf(status.errors)[0]) : null,
  };
}

function readMessage(
  message: JsonObject,
  contactOf: ContactOf,
  number: AtNumber,
  at: number,
): MessageFact | UnknownFact {
  const platformId = idOf(message.id);
  const from = digitsOf(message.from);
  const userId = idOf(message.from_user_id);
  if (platformId === '' || (from === '' && userId === ''))
    return { kind: 'unknown', field: 'messages.messages' };
  const contact = contactOf(from, userId);
  return {
    kind: 'message',
    ...number,
    platformId,
    from,
    ...contact,
    userId: userId || contact.userId,
    at: timeOf(message.timestamp, at),
    replyTo: idOf(objectOf(message.context).id),
    content: readContent(message),
    origin: readOrigin(message),
  };
}

function readError(each: unknown): PlatformError {
  const error = objectOf(each);
  const code = integerOf(error.code) ?? -1;
  const title = textOf(error.title) || textOf(error.message);
  return { ...meaningOf(code), code, title };
}

/** Seconds since the epoch as milliseconds. */
const timeOf = (value: unknown, otherwise: number): number => secondsOf(value) ?? otherwise;
