import { createPrivateKey, hash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import { normalizeDomain } from 'nodemailer/lib/shared';

/** Signs mails (RFC 6376). */
export interface DkimSettings {
  readonly domainName: string;
  readonly keySelector: string;
  /** PEM of an RSA key. */
  readonly privateKey: string;
}

/** Fields that a signature covers (RFC 6376, 5.4.1); RFC 8058, 4 asks for those of removal. */
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
/** Characters of a line, at most. */
const MAX_LINE = 76;
const signAside = promisify(sign);

/** Writes the signatures of mails. The key is used in a thread of libuv: RSA of 2,048 bits takes 0.3 ms. */
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
   * The field `DKIM-Signature` of a mail, folded, without the CRLF at its end.
   *
   * @param fields - of the header, each with its name and without the CRLF at its end; a name stands there once
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

/** The name of a field in lower case and its value (RFC 6376, 3.4.2). */
function relaxedField(field: string): [name: string, value: string] {
  const at = field.indexOf(':');
  const value = field
    .slice(at + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ');
  const from = value.startsWith(' ') ? 1 : 0;
  return [field.slice(0, at).toLowerCase(), value.slice(from, value.endsWith(' ') ? -1 : undefined)];
}

/** RFC 6376, 3.4.4. */
function relaxedBody(body: string): string {
  const relaxed = body.replace(/[ \t]{2,}|\t/g, ' ').replaceAll(' \r\n', '\r\n');
  let end = relaxed.length;
  while (end > 0 && relaxed.startsWith('\r\n', end - 2)) end -= 2;
  return end === 0 ? '' : `${relaxed.slice(0, end)}\r\n`;
}

/** A signature in lines, the first one behind ` b=`. */
function folded(signature: string): string {
  const lines = [signature.slice(0, MAX_LINE - 3)];
  for (let at = MAX_LINE - 3; at < signature.length; at += MAX_LINE - 1) {
    lines.push(signature.slice(at, at + MAX_LINE - 1));
  }
  return lines.join('\r\n ');
}
