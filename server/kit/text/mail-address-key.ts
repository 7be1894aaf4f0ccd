import { domainToASCII } from 'node:url';

/**
 * Returns a key that is equal for all spellings of an email address: lower case, with the domain in ASCII ('' for an
 * invalid domain).
 */
export function mailAddressKey(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at).toLowerCase()}@${domainToASCII(address.slice(at + 1))}`;
}
