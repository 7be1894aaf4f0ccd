import { createPublicKey, createVerify, type KeyObject } from 'node:crypto';

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

/**
 * Whether the signature of a mail holds for its headers (RFC 6376, relaxed), and what it says; undefined: there is none.
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
  const verifier = createVerify('RSA-SHA256').update(lines.join('') + own);
  const key = typeof publicKey === 'string' ? createPublicKey(publicKey) : publicKey;
  return { isValid: verifier.verify(key, tags.get('b')!, 'base64'), tags, signed };
}
