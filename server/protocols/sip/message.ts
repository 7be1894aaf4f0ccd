import { randomBytes } from 'node:crypto';
import { hostPort, parseParams } from './uri.ts';

/** Header fields that are stored in their usual spelling; others keep the spelling received. */
const names = [
  'Via', 'From', 'To', 'Call-ID', 'CSeq', 'Contact', 'Max-Forwards', 'Route', 'Record-Route', 'Content-Type',
  'Content-Length', 'Allow', 'Supported', 'Require', 'Unsupported', 'Expires', 'Retry-After', 'Reason', 'User-Agent',
  'WWW-Authenticate', 'Authorization', 'Proxy-Authenticate', 'Proxy-Authorization', 'Session-Expires', 'Min-SE',
  'P-Asserted-Identity', 'Min-Expires', 'Accept', 'Timestamp',
]; // biome-ignore format: a table
/** Compact forms (RFC 3261, 7.3.3; RFC 4028). */
const compact: Readonly<Record<string, string>> = {
  v: 'Via', f: 'From', t: 'To', i: 'Call-ID', m: 'Contact', c: 'Content-Type', l: 'Content-Length', k: 'Supported',
  x: 'Session-Expires',
}; // biome-ignore format: a table
const spelling: ReadonlyMap<string, string> = new Map([
  ...names.map((name): [string, string] => [name.toLowerCase(), name]),
  ...Object.entries(compact),
]);

/** Header fields of a message, in order. */
export class Headers {
  readonly #fields: [name: string, value: string][] = [];

  /** Appends a field after existing ones. `name` may have any spelling. */
  add(name: string, value: string): this {
    this.#fields.push([canonical(name), value]);
    return this;
  }

  /** Replaces all fields of this name. */
  set(name: string, value: string): this {
    const wanted = canonical(name);
    const at = this.#fields.findIndex(([field]) => field === wanted);
    if (at < 0) return this.add(wanted, value);
    this.#fields[at] = [wanted, value];
    for (let i = this.#fields.length - 1; i > at; i--) {
      if (this.#fields[i]![0] === wanted) this.#fields.splice(i, 1);
    }
    return this;
  }

  /** Returns the value of the first field of this name. */
  get(name: string): string | undefined {
    const wanted = canonical(name);
    return this.#fields.find(([field]) => field === wanted)?.[1];
  }

  /** Returns all values of this name; fields with several values are split at commas. */
  list(name: string): string[] {
    const wanted = canonical(name);
    return this.#fields.flatMap(([field, value]) => (field === wanted ? splitList(value) : []));
  }

  /**
   * Returns the unsplit values of all fields of this name: for challenges, whose parameters are separated by commas.
   */
  lines(name: string): string[] {
    const wanted = canonical(name);
    return this.#fields.flatMap(([field, value]) => (field === wanted ? [value] : []));
  }

  /** Whether a list like Allow or Supported contains the word. */
  has(name: string, word: string): boolean {
    return this.list(name).some((item) => item.toLowerCase() === word.toLowerCase());
  }

  [Symbol.iterator](): Iterator<readonly [name: string, value: string]> {
    return this.#fields[Symbol.iterator]();
  }
}

function canonical(name: string): string {
  return spelling.get(name.toLowerCase()) ?? name;
}

/** Splits at commas outside quotes and angle brackets. Takes linear time for any input. */
function splitList(value: string): string[] {
  if (!value.includes(',')) return [value];
  const items: string[] = [];
  let begin = 0;
  let closing = '';
  for (let i = 0; i <= value.length; i++) {
    const character = value[i];
    if (closing === '"' && character === '\\') i++;
    else if (closing !== '' && character === closing) closing = '';
    else if (closing === '' && character === '"') closing = '"';
    else if (closing === '' && character === '<') closing = '>';
    else if (i >= value.length || (closing === '' && character === ',')) {
      const item = value.slice(begin, i).trim();
      if (item !== '') items.push(item);
      begin = i + 1;
    }
  }
  return items;
}

/** Value of From, To, Contact and similar fields (RFC 3261, 20.10). */
interface NameAddress {
  readonly uri: string;
  readonly params: ReadonlyMap<string, string>;
}

/** Parses `"Name" <uri>;params` or `uri;params`; undefined for anything else. */
export function parseNameAddress(text: string): NameAddress | undefined {
  const bracketed = /^(?:"(?:[^"\\]|\\.)*"\s*|[^<"]*)<([^<>\s]+)>\s*((?:;.*)?)$/.exec(text);
  const [, uri, params] = bracketed ?? /^([a-z][a-z0-9+.-]*:[^\s<>;"]+)\s*((?:;.*)?)$/i.exec(text) ?? [];
  if (uri === undefined) return undefined;
  return { uri, params: parseParams(params!) };
}

/** The topmost Via: the destination of the answer and the transaction it belongs to. */
export interface Via {
  readonly host: string;
  readonly port: number | undefined;
  readonly branch: string;
  readonly params: ReadonlyMap<string, string>;
}

interface Common {
  readonly headers: Headers;
  readonly body: Buffer;
  readonly via: Via;
  readonly callId: string;
  readonly fromTag: string;
  /** '' before the dialog has a To tag. */
  readonly toTag: string;
  readonly sequence: number;
  /** Method in CSeq. */
  readonly cseqMethod: string;
}

export interface SipRequest extends Common {
  readonly kind: 'request';
  readonly method: string;
  readonly uri: string;
}

export interface SipResponse extends Common {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
}

/** A parsed message. The fields that every part of the stack needs are present and valid. */
export type SipMessage = SipRequest | SipResponse;

const reasons: Readonly<Record<number, string>> = {
  100: 'Trying', 180: 'Ringing', 200: 'OK', 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden',
  404: 'Not Found', 405: 'Method Not Allowed', 408: 'Request Timeout', 415: 'Unsupported Media Type',
  420: 'Bad Extension', 480: 'Temporarily Unavailable', 481: 'Call/Transaction Does Not Exist', 482: 'Loop Detected',
  486: 'Busy Here', 487: 'Request Terminated', 488: 'Not Acceptable Here', 489: 'Bad Event', 491: 'Request Pending',
  500: 'Server Internal Error', 503: 'Service Unavailable', 603: 'Decline', 604: 'Does Not Exist Anywhere',
}; // biome-ignore format: a table

/** Encodes a request and adds Content-Length. */
export function writeRequest(method: string, uri: string, headers: Headers, body?: Buffer): Buffer {
  return write(`${method} ${uri} SIP/2.0`, headers, body);
}

/** Encodes a response with the reason phrase of RFC 3261 for the status. */
export function writeResponse(status: number, headers: Headers, body?: Buffer): Buffer {
  return write(`SIP/2.0 ${status} ${reasons[status] ?? 'Other'}`, headers, body);
}

function write(first: string, headers: Headers, body: Buffer = Buffer.alloc(0)): Buffer {
  let text = `${first}\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  text += `Content-Length: ${body.length}\r\n\r\n`;
  const length = Buffer.byteLength(text);
  // Not from Node's pool: transactions keep messages for half a minute, and each would keep 8 KiB of the pool alive.
  const bytes = Buffer.allocUnsafeSlow(length + body.length);
  bytes.write(text);
  body.copy(bytes, length);
  return bytes;
}

/** Returns our Via; `rport` asks for the answer at the port of the request's sender (RFC 3581). */
export function viaOf(protocol: string, host: string, port: number, branch: string): string {
  return `SIP/2.0/${protocol} ${hostPort(host, port)};branch=${branch};rport`;
}

/** Branches of RFC 3261 begin with this (8.1.1.7). */
const COOKIE = 'z9hG4bK';

export const newBranch = () => COOKIE + randomBytes(12).toString('hex');
export const newTag = () => randomBytes(8).toString('hex');
export const newCallId = () => randomBytes(16).toString('hex');
