import { createHash, createPublicKey, createVerify, type KeyObject } from 'node:crypto';

/** Tags of a signature (RFC 6376, 3.2). */
const tagsOf = (value: string): Map<string, string> =>
  new Map(
    value.split(';').flatMap((tag) => {
      const at = tag.indexOf('=');
      return at === -1 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, '')]];
    }),
  );

/** A header in the relaxed form (RFC 6376, 3.4.2). */
const relaxed = (name: string, value: string) =>
  `${name.toLowerCase().trim()}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;

/** A body in the relaxed form (RFC 6376, 3.4.4). */
function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${line}\r\n`).join('');
}

/**
 * Whether the signature of a mail holds for its headers and its body (RFC 6376, relaxed), and what it says; undefined:
 * there is none. `raw` has a character for each octet.
 */
export function verifyDkim(
  raw: string,
  publicKey: KeyObject | string,
): { isValid: boolean; tags: Map<string, string>; signed: string[] } | undefined {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
  const headers = head.split(/\r\n(?![ \t])/).map((line) => {
    const at = line.indexOf(':');
    return { name: line.slice(0, at), value: line.slice(at + 1) };
  });
  const signature = headers.find(({ name }) => name.toLowerCase() === 'dkim-signature');
  if (!signature) return undefined;
  const tags = tagsOf(signature.value);
  const signed = tags.get('h')!.toLowerCase().split(':');
  const left = [...headers];
  const lines = signed.flatMap((wanted) => {
    const at = left.findLastIndex(({ name }) => name.toLowerCase() === wanted);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    return found ? [`${relaxed(found.name, found.value)}\r\n`] : [];
  });
  const own = relaxed(signature.name, signature.value.replace(/\bb=[^;]*/, 'b='));
  const body = relaxedBody(raw.slice(head.length + 4));
  const isBodyHeld = createHash('sha256').update(body, 'latin1').digest('base64') === tags.get('bh');
  const verifier = createVerify('RSA-SHA256').update(lines.join('') + own, 'latin1');
  const key = typeof publicKey === 'string' ? createPublicKey(publicKey) : publicKey;
  return { isValid: isBodyHeld && verifier.verify(key, tags.get('b')!, 'base64'), tags, signed };
}
