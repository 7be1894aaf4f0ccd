import type { FastifyRequest } from 'fastify';
import { badField } from '../../kit/errors.ts';
import { Form, queryOf } from '../http-interfaces/form.ts';
import type { Method, NumberSettings } from './numbers.ts';

const SECOND_MS = 1_000;
const MAX_VALIDITY_SECONDS = 36_000;
const YEAR_MS = 366 * 86_400_000;
const DAY_MS = 86_400_000;

/** Fields that this service has nothing for. */
const unsupported = ['MessagingServiceSid', 'MediaUrl', 'ContentSid', 'ApplicationSid', 'PersistentAction'];

/** A read send. */
export interface MessageInput {
  readonly to: string;
  readonly from: string | undefined;
  readonly body: string | undefined;
  readonly statusCallback: string | undefined;
  readonly validityMs: number | undefined;
  /** Milliseconds since the epoch; null: now. */
  readonly dueAt: number | null;
}

/** Reads the form of a send. Throws Refusal `bad-field`. */
export function readMessage(request: FastifyRequest, now: number): MessageInput {
  const form = new Form((request.body as Buffer | undefined) ?? '');
  for (const name of unsupported) {
    if (form.text(name)) throw badField(name, 'is not supported', 'wrong-format');
  }
  const to = form.text('To');
  if (!to) throw badField('phones', 'missing', 'missing');
  const validity = form.text('ValidityPeriod');
  if (validity !== undefined && !(Number(validity) >= 1 && Number(validity) <= MAX_VALIDITY_SECONDS))
    throw badField('ValidityPeriod', `must be 1 to ${MAX_VALIDITY_SECONDS} seconds`, 'wrong-format');
  return {
    to,
    from: form.text('From') || undefined,
    body: form.text('Body'),
    statusCallback: form.text('StatusCallback') || undefined,
    validityMs: validity === undefined ? undefined : Number(validity) * SECOND_MS,
    dueAt: readSendAt(form, now),
  };
}

function readSendAt(form: Form, now: number): number | null {
  const text = form.text('SendAt');
  if (!text) return null;
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (form.text('ScheduleType') !== 'fixed' || !(at <= now + YEAR_MS))
    throw badField('SendAt', 'must be an ISO 8601 time with ScheduleType=fixed', 'wrong-format');
  return at;
}

/** The page of a list that a query asks for. */
export interface PageInput {
  readonly pageSize: number;
  readonly page: number;
  /** End of the previous page; undefined for the first. */
  readonly token: string | undefined;
  /** Names and values of the filters, for the address of the next page. */
  readonly filters: readonly (readonly [string, string])[];
}

const MAX_PAGE = 1_000;
const PAGE = 50;

/** Reads the page of a list. */
export function readPage(query: Form): PageInput {
  const token = query.text('PageToken');
  return {
    pageSize: Math.min(MAX_PAGE, Math.max(1, Number(query.text('PageSize')) || PAGE)),
    page: Math.max(0, Number(query.text('Page')) || 0),
    token: token && /^\d{1,16}$/.test(token) ? token : undefined,
    filters: query.entries.filter(([name]) => !['Page', 'PageToken', 'PageSize'].includes(name)),
  };
}

/** A read query of a list of messages. */
export interface ListInput extends PageInput {
  readonly to: string | undefined;
  /** Milliseconds since the epoch: from (inclusive), and to (exclusive). */
  readonly from: number | undefined;
  readonly before: number | undefined;
}

/** Reads the query of a list of messages. Throws Refusal `bad-field`. */
export function readList(request: FastifyRequest): ListInput {
  const query = new Form(queryOf(request.originalUrl));
  if (query.text('From')) throw badField('From', 'is not supported as a filter', 'wrong-format');
  const [start, end] = [readTime(query, 'DateSent>'), readTime(query, 'DateSent<')];
  const on = readTime(query, 'DateSent');
  const day = on === undefined ? undefined : on - (on % DAY_MS);
  return {
    ...readPage(query),
    to: query.text('To') || undefined,
    from: day ?? start,
    before: day === undefined ? end : day + DAY_MS,
  };
}

/** Returns a time; that of midnight (UTC) for a day. Throws Refusal `bad-field`. */
function readTime(query: Form, name: string): number | undefined {
  const text = query.text(name);
  if (!text) return undefined;
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw badField(name, 'must be a day like 2026-11-29, or an ISO 8601 time', 'wrong-format');
  return at;
}

/** Fields of an update of an incoming number that this service has nothing for. */
const unsupportedOfNumber = ['AccountSid', 'SmsApplicationSid'];

/** Reads the form of an update of an incoming number, of which it has the present settings. Throws Refusal `bad-field`. */
export function readNumberSettings(request: FastifyRequest, present: NumberSettings): NumberSettings {
  const form = new Form((request.body as Buffer | undefined) ?? '');
  for (const name of unsupportedOfNumber) {
    if (form.text(name)) throw badField(name, 'is not supported', 'wrong-format');
  }
  const name = form.text('FriendlyName');
  if (name !== undefined && name.length > MAX_FRIENDLY_NAME)
    throw badField('FriendlyName', `over ${MAX_FRIENDLY_NAME} characters`, 'too-long');
  const textOr = (field: string, known: string | null) => {
    const text = form.text(field);
    return text === undefined ? known : text || null;
  };
  const methodOr = (field: string, known: Method): Method => {
    const text = form.text(field)?.toUpperCase();
    if (text === undefined) return known;
    if (text !== 'GET' && text !== 'POST') throw badField(field, 'must be GET or POST', 'not-one-of');
    return text;
  };
  const settings = {
    friendlyName: textOr('FriendlyName', present.friendlyName),
    smsUrl: textOr('SmsUrl', present.smsUrl),
    smsMethod: methodOr('SmsMethod', present.smsMethod),
    smsFallbackUrl: textOr('SmsFallbackUrl', present.smsFallbackUrl),
    smsFallbackMethod: methodOr('SmsFallbackMethod', present.smsFallbackMethod),
  };
  if (settings.smsUrl === null && settings.smsFallbackUrl !== null)
    throw badField('SmsUrl', 'is needed with SmsFallbackUrl', 'missing');
  return settings;
}

const MAX_FRIENDLY_NAME = 64;
