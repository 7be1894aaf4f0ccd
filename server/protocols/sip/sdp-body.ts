import type { SipMessage } from './message.ts';

/** Maximum number of parts read from a body, and of nested bodies. */
const MAX_PARTS = 20;
const MAX_DEPTH = 4;
const SDP = 'application/sdp';

/**
 * Returns the session description in a message's body: the whole body, or a part of a `multipart` body (RFC 5621, 3.1;
 * carriers send ISUP in another part). Empty when there is no session description.
 */
export function sdpOf({ headers, body }: SipMessage): Buffer {
  return find(headers.get('Content-Type') ?? SDP, body, 0) ?? Buffer.alloc(0);
}

function find(contentType: string, body: Buffer, depth: number): Buffer | undefined {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (type === SDP) return body;
  if (!type.startsWith('multipart/') || depth === MAX_DEPTH) return undefined;
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  for (const part of partsOf(body, boundary)) {
    const found = findInPart(part, depth);
    if (found) return found;
  }
  return undefined;
}

function findInPart(part: Buffer, depth: number): Buffer | undefined {
  const at = part.indexOf('\r\n\r\n');
  if (at < 0) return undefined;
  const head = part.toString('latin1', 0, at);
  const type = /^(?:content-type|c)[ \t]*:[ \t]*(.*)$/im.exec(head.replace(/\r\n[ \t]+/g, ' '))?.[1];
  return type === undefined ? undefined : find(type, part.subarray(at + 4), depth + 1);
}

/** Yields the parts between the boundaries (RFC 2046, 5.1.1). */
function* partsOf(body: Buffer, boundary: string): Generator<Buffer> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first boundary may be at the very beginning.
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  let from = whole.indexOf(delimiter);
  for (let parts = 0; from >= 0 && parts < MAX_PARTS; parts++) {
    const line = from + delimiter.length;
    if (whole.toString('latin1', line, line + 2) === '--') return;
    const begin = whole.indexOf('\r\n', line);
    if (begin < 0) return;
    const next = whole.indexOf(delimiter, begin);
    if (next < 0) return;
    yield whole.subarray(begin + 2, next);
    from = next;
  }
}
