import { domainToASCII } from 'node:url';
import { mailAddressKey } from '../../text/mail-address-key.ts';

/** Octets of an address, and of the part before the @, at most (RFC 5321, 4.5.3.1). */
const MAX_ADDRESS = 254;
const MAX_LOCAL = 64;

/** An address that mail can be sent to. */
export interface MailAddress {
  /** As it was given, without white space around. */
  readonly address: string;
  /** The same for all spellings of one address: without case, the domain in ASCII. */
  readonly key: string;
}

// Atoms of RFC 5322 with dots between, and what RFC 6531 adds: anything that is not ASCII but white space, controls,
// marks of direction, and what no standard has given a meaning.
const local = /^[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*$/u;
const unusable = /[\p{C}\p{Z}]/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const octets = (text: string) => Buffer.byteLength(text);

/**
 * Reads an e-mail address, with letters of any script in it (RFC 6531). Addresses are compared without case (decisions,
 * section 3); `a+b@…` and `a@…` are two. Quoted local parts and addresses of hosts (`user@[192.0.2.1]`) are not taken:
 * nobody's list has one, and they are what headers are broken with.
 *
 * @returns undefined for a text that is no address
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
  // `1.2` is a host of IPv4 to the URL standard.
  if (labels.length < 2 || !labels.every((one) => label.test(one)) || /^\d+$/.test(labels.at(-1)!)) {
    return undefined;
  }
  const key = mailAddressKey(address);
  return domain.length <= 253 && octets(key) <= 320 ? { address, key } : undefined;
}
