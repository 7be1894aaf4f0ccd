import { domainToASCII } from 'node:url';
import { mailAddressKey } from '../../kit/text/mail-address-key.ts';

/** Maximum octets of an address, and of the part before the @ (RFC 5321, 4.5.3.1). */
const MAX_ADDRESS = 254;
const MAX_LOCAL = 64;

/** A valid email address. */
export interface MailAddress {
  /** As written, without surrounding white space. */
  readonly address: string;
  /** Equal for all spellings of an address: lower case, with the domain in ASCII. */
  readonly key: string;
}

// Atoms of RFC 5322 with dots between, plus the additions of RFC 6531: all non-ASCII characters except white space,
// controls, direction marks, and unassigned characters.
const local = /^[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*$/u;
const unusable = /[\p{C}\p{Z}]/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const octets = (text: string) => Buffer.byteLength(text);

/**
 * Parses an email address, with letters of any script (RFC 6531). Addresses are compared without case (decisions,
 * section 3); `a+b@…` and `a@…` differ. Quoted local parts and addresses of hosts (`user@[192.0.2.1]`) are refused:
 * lists do not contain them, and attackers use them to break headers.
 *
 * @returns undefined for a text that is not an address
 */
export function readMailAddress(text: string): MailAddress | undefined {
  const address = text.trim().normalize('NFC');
  const at = address.lastIndexOf('@');
  if (at < 1 || octets(address) > MAX_ADDRESS || unusable.test(address)) return undefined;
  const name = address.slice(0, at);
  const given = address.slice(at + 1);
  if (octets(name) > MAX_LOCAL || !local.test(name) || !/^[^\s@:/?#[\]\\%]+$/.test(given)) return undefined;
  const domain = domainToASCII(given);
  const labels = domain.split('.');
  // In the URL standard, `1.2` is an IPv4 host.
  if (labels.length < 2 || !labels.every((one) => label.test(one)) || /^\d+$/.test(labels.at(-1)!)) {
    return undefined;
  }
  const key = mailAddressKey(address);
  return domain.length <= 253 && octets(key) <= 320 ? { address, key } : undefined;
}
