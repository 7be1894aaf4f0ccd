import { domainToASCII } from 'node:url';

/** The same for all spellings of a mail address: without case, the domain in ASCII ('' for one that is no domain). */
export function mailAddressKey(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at).toLowerCase()}@${domainToASCII(address.slice(at + 1))}`;
}
