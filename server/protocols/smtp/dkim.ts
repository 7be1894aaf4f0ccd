import { createPrivateKey, hash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import { normalizeDomain } from 'nodemailer/lib/shared';

/** Settings for signing emails (RFC 6376). */
export interface DkimSettings {
  readonly domainName: string;
  readonly keySelector: string;
  /** PEM of an RSA key. */
  readonly privateKey: string;
}

/** Signed header fields (RFC 6376, 5.4.1); RFC 8058, 4 demands those of one-click unsubscription. */
const SIGNED = [
  'from',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'to',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
];
/** Maximum line length in characters. */
const MAX_LINE = 76;
const signAside = promisify(sign);

/** Signs emails. The key is used in a libuv thread, since RSA with 2,048 bits takes 0.3 ms. */
export class DkimSigner {
  readonly #key: KeyObject;
  readonly #tags: string;

  constructor({ domainName, keySelector, privateKey }: DkimSettings) {
    this.#key = createPrivateKey(privateKey);
    const tagged = (value: string) => value.replace(/[\p{Cc};=]/gu, '');
    const domain = normalizeDomain(tagged(domainName), false);
    this.#tags = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; q=dns/txt; s=${tagged(keySelector)}`;
  }

  /**
   * Returns the field `DKIM-Signature` of an email, folded, without the CRLF at its end.
   *
   * @param fields - header fields, each with its name and without the CRLF at its end; a name occurs once
   * @param body - with CRLF at the end of each line
   */
  async sign(fields: readonly string[], body: string): Promise<string> {
    const found = new Map(fields.map((field) => relaxedField(field)));
    const names = SIGNED.filter((name) => found.has(name));
    const bodyHash = hash('sha256', relaxedBody(body), 'base64');
    const tags = `DKIM-Signature: ${this.#tags}; bh=${bodyHash}; h=${names.join(':')}`;
    const field = `${foldLines(tags, MAX_LINE)};\r\n b=`;
    const lines = names.map((name) => `${name}:${found.get(name)}\r\n`).join('');
    const [name, value] = relaxedField(field);
    const signature = await signAside('sha256', Buffer.from(`${lines}${name}:${value}`), this.#key);
    return field + folded(signature.toString('base64'));
  }
}

/** Returns the name of a field in lower case, and its value (RFC 6376, 3.4.2). */
function relaxedField(field: string): [name: string, value: string] {
  const at = field.indexOf(':');
  const value = field
    .slice(at + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ');
  const from = value.startsWith(' ') ? 1 : 0;
  return [field.slice(0, at).toLowerCase(), value.slice(from, value.endsWith(' ') ? -1 : undefined)];
}

/** Canonicalizes a body (RFC 6376, 3.4.4). */
function relaxedBody(body: string): string {
  const relaxed = body.replace(/[ \t]{2,}|\t/g, ' ').replaceAll(' \r\n', '\r\n');
  let end = relaxed.length;
  while (end > 0 && relaxed.startsWith('\r\n', end - 2)) end -= 2;
  return end === 0 ? '' : `${relaxed.slice(0, end)}\r\n`;
}

/** Splits a signature into lines; the first one follows ` b=`. */
function folded(signature: string): string {
  const lines = [signature.slice(0, MAX_LINE - 3)];
  for (let at = MAX_LINE - 3; at < signature.length; at += MAX_LINE - 1) {
    lines.push(signature.slice(at, at + MAX_LINE - 1));
  }
  return lines.join('\r\n ');
}
