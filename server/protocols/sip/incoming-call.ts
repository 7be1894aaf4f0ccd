import { parseNameAddress, type SipRequest } from './message.ts';
import type { IncomingCall } from './options.ts';
import { parseSipUri } from './uri.ts';

/** Returns caller and callee. The caller that the trunk asserts has priority over the one that the caller states. */
export function incomingCall({ headers, uri }: SipRequest): IncomingCall {
  const [asserted] = headers.list('P-Asserted-Identity');
  const to = digitsOf(uri) || digitsOf(parseNameAddress(headers.get('To')!)?.uri);
  return { from: digitsOf(parseNameAddress(asserted ?? headers.get('From')!)?.uri), to };
}

/** Returns the digits of a `sip:` or `tel:` URI; '' when its user is not a number. */
function digitsOf(uri = ''): string {
  const user = parseSipUri(uri)?.user ?? /^tel:([^;]*)/i.exec(uri)?.[1] ?? '';
  return /^\+?[\d().-]+$/.test(user) ? user.replace(/\D/g, '') : '';
}
