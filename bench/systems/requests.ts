/* Requests of the load generator to each system, with the same numbers, sender and texts. */

/** Address of a system, and the values that its requests need. */
export type LoadTarget =
  | { readonly kind: 'carillon'; readonly port: number; readonly username: string; readonly token: string }
  | { readonly kind: 'kannel'; readonly port: number; readonly callbackPort: number };

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

/** Whether an answer accepts the request. */
export function isAccepted(target: LoadTarget, response: string): boolean {
  if (target.kind === 'kannel') return response.startsWith('HTTP/1.1 202');
  return response.startsWith('HTTP/1.1 200') && /"status":"?0[",}]/.test(response);
}
