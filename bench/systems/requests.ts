import { createHmac } from 'node:crypto';

/* Requests of the load generator to each system, with the same numbers, sender and texts. */

/** Address of a system, and the values that its requests need. */
export type LoadTarget =
  | { readonly kind: 'carillon'; readonly port: number; readonly username: string; readonly token: string }
  | { readonly kind: 'kannel'; readonly port: number; readonly callbackPort: number }
  | ChatSends
  | ChatWebhooks;

/** Templates without variables, each to another client. */
export interface ChatSends {
  readonly kind: 'chat';
  readonly port: number;
  readonly token: string;
  /** The business number. */
  readonly source: string;
  readonly template: string;
}

/** Webhooks of the chat platform, each with one text of a client. */
export interface ChatWebhooks {
  readonly kind: 'chat-webhooks';
  readonly port: number;
  readonly appSecret: string;
  /** Business numbers that the clients write to, in turns. */
  readonly numbers: readonly BusinessNumber[];
  /** Number of clients, who write in turns. */
  readonly clients: number;
}

/** A business number, with its id and that of its business account on the platform. */
export interface BusinessNumber {
  readonly businessId: string;
  readonly numberId: string;
  readonly number: string;
}

const SOURCE = 'Carillon';
/** Numbers whose last four digits are below 1000 have a simulated outcome in the sandbox. */
const PER_BLOCK = 9_000;

/** Returns the mobile number of a message, `05xxxxxxxx`: different for nine million consecutive messages. */
export function phoneOf(message: number): string {
  const block = String(Math.floor(message / PER_BLOCK) % 1_000).padStart(3, '0');
  return `050${block}${1_000 + (message % PER_BLOCK)}`;
}

/** Prefix of the numbers of probes, in E.164 digits; `phoneOf` never returns it. */
export const PROBE_PREFIX = '97254';

/** Returns the number of a probe, `054xxxxxxx`: different for nine thousand probes. */
export const probePhoneOf = (probe: number) => `054100${1_000 + (probe % PER_BLOCK)}`;

export const textOf = (message: number) =>
  `Hello, your order ${message} is on its way and will be with you tomorrow before noon.`;

/**
 * Returns a complete HTTP request for `size` messages: more than one make a `bulk`. With `keyed` it has a unique send
 * key.
 */
export function requestFor(target: LoadTarget, first: number, size: number, keyed = false): string {
  if (target.kind === 'kannel') return kannelRequest(target, first);
  if (target.kind === 'chat') return templateRequest(target, first);
  if (target.kind === 'chat-webhooks') return webhookRequest(target, first);
  if (size === 1) return post(target, 'sms', messageFor(phoneOf(first), first), keyed ? first : undefined);
  let list = '';
  for (let message = first; message < first + size; message++) {
    list += `${list && ','}{${messageFor(phoneOf(message), message)}}`;
  }
  return post(target, 'bulk', `"messages":{"sms":[${list}]}`);
}

/** Returns a request for one message to a number that the SMSC can distinguish from all others. */
export function probeRequest(target: LoadTarget & { kind: 'carillon' }, probe: number): string {
  return post(target, 'sms', messageFor(probePhoneOf(probe), probe));
}

const messageFor = (phone: string, message: number) =>
  `"source":"${SOURCE}","destinations":{"phone":{"$":{"id":"${message}"},"_":"${phone}"}},"message":"${textOf(message)}"`;

/** As long as a UUID, which clients use. */
const keyOf = (message: number) => `8e03978e-40d5-43e8-bc93-${String(message).padStart(12, '0')}`;

function post(
  target: LoadTarget & { kind: 'carillon' },
  root: string,
  fields: string,
  keyFor?: number,
): string {
  const body = `{"${root}":{"user":{"username":"${target.username}"},${fields}}}`;
  const key = keyFor === undefined ? '' : `Idempotency-Key: "${keyOf(keyFor)}"\r\n`;
  // The body is ASCII, so its length in characters equals that in octets.
  return `POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${target.token}\r\nContent-Type: application/json\r\n${key}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** dlr-mask 3: a callback for a delivery (1) and for a failure (2), like our `dlr` push. */
function kannelRequest(target: LoadTarget & { kind: 'kannel' }, message: number): string {
  const callback = encodeURIComponent(
    `http://127.0.0.1:${target.callbackPort}/dlr?external_id=${message}&status=%d&phone=%p`,
  );
  const text = encodeURIComponent(textOf(message));
  const to = `972${phoneOf(message).slice(1)}`;
  return `GET /cgi-bin/sendsms?username=bench&password=bench&from=${SOURCE}&to=${to}&dlr-mask=3&dlr-url=${callback}&text=${text} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
}

/** Returns the number of a client: mobile, E.164 digits. */
export const clientOf = (index: number) => String(972_520_000_000 + index);

function templateRequest({ token, source, template }: ChatSends, message: number): string {
  const destination = `972${phoneOf(message).slice(1)}`;
  const body = `{"source":"${source}","destination":"${destination}","templateId":"${template}"}`;
  return `POST /chat-api/send-template-message HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A text of a client, as the platform writes and signs it. */
function webhookRequest({ appSecret, numbers, clients }: ChatWebhooks, message: number): string {
  const { businessId, numberId, number } = numbers[message % numbers.length]!;
  const client = message % clients;
  const from = clientOf(client);
  // As long as an id of the platform.
  const id = `wamid.${String(message).padStart(54, '0')}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number, phone_number_id: numberId },
    contacts: [{ wa_id: from, profile: { name: `Client ${client}` } }],
    messages: [{ from, id, timestamp, type: 'text', text: { body: 'Is it open today?' } }],
  };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: businessId, changes: [{ field: 'messages', value }] }],
  });
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return `POST /chat-webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Hub-Signature-256: sha256=${signature}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Whether an answer accepts the request. */
export function isAccepted(target: LoadTarget, response: string): boolean {
  if (target.kind === 'kannel') return response.startsWith('HTTP/1.1 202');
  if (target.kind === 'chat-webhooks') return response.startsWith('HTTP/1.1 200');
  if (target.kind === 'chat') return response.startsWith('HTTP/1.1 200') && response.includes('"reason":1}');
  return response.startsWith('HTTP/1.1 200') && /"status":"?0[",}]/.test(response);
}
