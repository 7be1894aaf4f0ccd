import { createHmac, type KeyObject } from 'node:crypto';
import { DateTime } from 'luxon';
import { statusTexts } from '../../kit/statuses.ts';
import type { EndpointKind, Event, EventData, EventType, Item, StatusCallback } from './types.ts';

/** Formats E.164 digits for the SMS family. */
export type DisplayNumber = (digits: string) => string;

/** Returns the content type of the bodies for an endpoint. */
export const contentTypeOf = (kind: EndpointKind): string =>
  kind === 'webhook' ? 'application/json' : 'application/x-www-form-urlencoded';

/** Returns the body of a push, in an account's time zone. */
export type PushBodies = (event: Event, zone: string) => string;

/** Properties of a delivery's request that are the same in every attempt. */
export interface RequestOfDelivery {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
}

/** Returns the request that sends an event to an endpoint. */
export function requestOf(
  { kind, url }: { readonly kind: EndpointKind; readonly url: string },
  event: Event,
  pushBody: PushBodies,
  zone: string,
): RequestOfDelivery {
  if (event.type === 'status.callback') {
    const { method, path, body } = event.data;
    return { method, url: new URL(path, url).href, contentType: contentTypeOf(kind), body };
  }
  const body = kind === 'webhook' ? webhookBody(event) : pushBody(event, zone);
  return { method: 'POST', url, contentType: contentTypeOf(kind), body };
}

/** Returns the path and query of a callback as it is sent: a GET has its form fields in the query. */
export function callbackPath({
  method,
  path,
  body,
}: Pick<StatusCallback, 'method' | 'path' | 'body'>): string {
  if (method === 'POST' || body === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${body}`;
}

const PLAIN = /^[\w.-]*$/;

function encode(value: string): string {
  return PLAIN.test(value) ? value : encodeURIComponent(value.toWellFormed());
}

/**
 * Creates bodies of pushes: form fields of the matching report of the interface (B8, B10) plus `phone`, with dates as
 * `dd/mm/yy hh:mm` in the account's time zone. Encoded status texts and minutes are cached, since they are the same in
 * thousands of pushes.
 */
export function createPushBodies(displayNumber: DisplayNumber): PushBodies {
  const texts = new Map<number, string>();
  const minutes = new Map<string, Map<number, string>>();

  const statusFields = (status: number): string => {
    let fields = texts.get(status);
    if (fields === undefined) {
      const { en, he } = statusTexts(status);
      fields = `&status=${status}&he_message=${encode(he)}&en_message=${encode(en)}`;
      texts.set(status, fields);
    }
    return fields;
  };

  const date = (at: number, zone: string): string => {
    let known = minutes.get(zone);
    if (!known) {
      known = new Map();
      minutes.set(zone, known);
    }
    const minute = Math.floor(at / 60_000);
    let text = known.get(minute);
    if (text === undefined) {
      if (known.size >= 1_000) known.clear();
      text = encode(DateTime.fromMillis(minute * 60_000, { zone }).toFormat('dd/MM/yy HH:mm'));
      known.set(minute, text);
    }
    return text;
  };

  // A source may be a name.
  const number = (value: string) => encode(/^\d+$/.test(value) ? displayNumber(value) : value);

  return ({ type, at, data }, zone) => {
    switch (type) {
      case 'message.status':
        return `external_id=${encode(data.external_id ?? '')}${statusFields(data.status)}&date=${date(at, zone)}&shipment_id=${data.shipment_id}&phone=${number(data.phone)}${data.channel ? `&channel=${data.channel}` : ''}`;
      case 'sms.incoming':
        return `source=${number(data.source)}&destination=${number(data.destination)}&message=${encode(data.message)}&date=${date(at, zone)}&phone=${number(data.source)}`;
      case 'blacklist.added':
        return `phone=${number(data.phone)}&date=${date(at, zone)}`;
      default:
        throw new Error(`no push is about ${type}`);
    }
  };
}

/** Ids in the data of events, which are recorded as numbers. */
const ids = [
  'message_id',
  'shipment_id',
  'campaign_id',
  'user_id',
  'reply_to',
  'about_id',
  'conversation_id',
  'assignee_id',
  'portfolio_id',
  'rule_id',
  'request_id',
  'alert_id',
] as const;
type IdName = (typeof ids)[number];

/** Data of an event in a webhook: ids are strings, as in answers (decisions, section 8). */
type WithTextIds<Data> = {
  readonly [Name in keyof Data]: Name extends IdName
    ? string | Extract<Data[Name], null | undefined>
    : Data[Name];
};

function withTextIds<Data extends object>(data: Data): WithTextIds<Data> {
  const shown = { ...data } as { [Name in IdName]?: unknown };
  for (const name of ids) if (typeof shown[name] === 'number') shown[name] = String(shown[name]);
  return shown as WithTextIds<Data>;
}

/** `data` of a webhook, by event type. */
export type WebhookData = {
  readonly [Type in EventType]: WithTextIds<EventData[Type]> & {
    readonly date: string;
  } & (Type extends 'message.status'
      ? { readonly en_message: string; readonly he_message: string }
      : unknown);
};

/**
 * Returns the body of a webhook: `{type, timestamp, data}`; phone numbers are E.164 digits, ids strings, times ISO 8601
 * in UTC.
 */
export function webhookBody(event: Event): string {
  if (event.type === 'status.callback') throw new Error('a status callback is in no webhook');
  const { type, at, data } = event;
  const timestamp = new Date(at).toISOString();
  let more: { en_message?: string; he_message?: string; date: string } = { date: timestamp };
  if (type === 'message.status') {
    const { en, he } = statusTexts(data.status);
    more = { en_message: en, he_message: he, date: timestamp };
  }
  return JSON.stringify({ type, timestamp, data: { ...withTextIds(data), ...more } });
}

/**
 * Returns the headers that make a webhook verifiable (Standard Webhooks 1.0, "Webhook headers" and "Signature scheme").
 * `keys` are the valid secrets without `whsec_`, decoded: two during a rotation. `now` is the time of this attempt in
 * milliseconds.
 */
export function webhookHeaders(
  keys: readonly (Buffer | KeyObject)[],
  { key: id }: Pick<Item, 'key'>,
  now: number,
  body: string,
): string[] {
  const timestamp = Math.floor(now / 1000);
  const signed = `${id}.${timestamp}.${body}`;
  let signatures = signature(keys[0]!, signed);
  for (let i = 1; i < keys.length; i++) signatures += ` ${signature(keys[i]!, signed)}`;
  return ['webhook-id', id, 'webhook-timestamp', String(timestamp), 'webhook-signature', signatures];
}

const signature = (key: Buffer | KeyObject, text: string) =>
  `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
