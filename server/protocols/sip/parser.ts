import { Headers, parseNameAddress, type SipMessage, type Via } from './message.ts';
import { parseParams } from './uri.ts';

/** Maximum sizes of a message in bytes (and fields), far beyond those of real peers. */
export const limits = { message: 65_535, header: 32_768, line: 8_192, fields: 256 } as const;

/** The bytes are not a usable SIP message. */
export class SipParseError extends Error {}

const TOKEN = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
const REQUEST_LINE = /^([A-Za-z0-9\-.!%*_+`'~]{1,64}) ([^\s]{1,2048}) SIP\/2\.0$/i;
const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i;
const VIA =
  /^SIP\s*\/\s*2\.0\s*\/\s*[A-Za-z0-9\-.!%*_+`'~]+\s+(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)\s*(?::\s*(\d{1,5})\s*)?((?:;.*)?)$/i;
const CSEQ = /^(\d{1,10})\s+([A-Za-z0-9\-.!%*_+`'~]{1,64})$/;
const END_OF_HEADER = Buffer.from('\r\n\r\n');

/**
 * Parses one message (RFC 3261, 7) in a datagram. Ignores bytes after Content-Length; without it, the body extends to
 * the end.
 *
 * @throws SipParseError when a part that this stack uses is malformed
 */
export function parseMessage(bytes: Buffer): SipMessage {
  if (bytes.length > limits.message) throw new SipParseError('too long');
  const end = bytes.indexOf(END_OF_HEADER);
  if (end < 0) throw new SipParseError('no end of the header');
  const { first, headers } = parseHead(bytes.subarray(0, end));
  const rest = bytes.subarray(end + END_OF_HEADER.length);
  const length = contentLength(headers) ?? rest.length;
  if (length > rest.length) throw new SipParseError('the body is shorter than Content-Length');
  return assemble(first, headers, rest.subarray(0, length));
}

/**
 * Returns Content-Length; undefined when the field is missing.
 *
 * @throws SipParseError when it is not a number or has contradicting values
 */
export function contentLength(headers: Headers): number | undefined {
  const given = headers.lines('Content-Length');
  if (given.length === 0) return undefined;
  if (!given.every((value) => value === given[0]) || !/^\d{1,8}$/.test(given[0]!)) {
    throw new SipParseError('Content-Length');
  }
  return Number(given[0]);
}

/**
 * Parses the first line and the header fields, including folded lines (7.3.1).
 *
 * @throws SipParseError when they are malformed
 */
export function parseHead(bytes: Buffer): { first: string; headers: Headers } {
  if (bytes.length > limits.header) throw new SipParseError('the header is too long');
  const lines = bytes
    .toString('utf8')
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  if (lines.length > limits.fields) throw new SipParseError('too many header fields');
  const headers = new Headers();
  const first = lines.shift()!;
  for (const line of lines) {
    if (line.length > limits.line) throw new SipParseError('a line is too long');
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimEnd();
    if (!TOKEN.test(name)) throw new SipParseError('a header field without a name');
    const value = line.slice(colon + 1).trim();
    // Another parser would read a lone CR, LF or NUL as a new field.
    if (/[\r\n\0]/.test(value)) throw new SipParseError('a control character in a header field');
    headers.add(name, value);
  }
  return { first, headers };
}

/**
 * Builds a message from its parts.
 *
 * @throws SipParseError when a required field is missing or malformed
 */
export function assemble(first: string, headers: Headers, body: Buffer): SipMessage {
  const cseq = CSEQ.exec(headers.get('CSeq') ?? '');
  const callId = headers.get('Call-ID') ?? '';
  const sequence = Number(cseq?.[1]);
  if (!cseq || sequence >= 2 ** 31) throw new SipParseError('CSeq');
  if (callId === '' || callId.length > 512) throw new SipParseError('Call-ID');
  const common = {
    headers,
    body,
    via: parseVia(headers.list('Via')[0]),
    callId,
    fromTag: tagOf(headers, 'From'),
    toTag: tagOf(headers, 'To'),
    sequence,
    cseqMethod: cseq[2]!,
  };
  const status = STATUS_LINE.exec(first);
  if (status) return { kind: 'response', status: Number(status[1]), reason: status[2] ?? '', ...common };
  const request = REQUEST_LINE.exec(first);
  if (!request) throw new SipParseError('the first line');
  const [, method, uri] = request;
  if (method !== common.cseqMethod) throw new SipParseError('the method of CSeq is another');
  return { kind: 'request', method: method!, uri: uri!, ...common };
}

function parseVia(text = ''): Via {
  const read = VIA.exec(text);
  if (!read) throw new SipParseError('Via');
  const params = parseParams(read[3]!);
  const port = read[2] === undefined ? undefined : Number(read[2]);
  if (port !== undefined && (port === 0 || port > 65_535)) throw new SipParseError('the port of Via');
  return { host: read[1]!.replace(/^\[|\]$/g, ''), port, branch: params.get('branch') ?? '', params };
}

function tagOf(headers: Headers, name: 'From' | 'To'): string {
  const address = parseNameAddress(headers.get(name) ?? '');
  if (!address) throw new SipParseError(name);
  return address.params.get('tag') ?? '';
}
