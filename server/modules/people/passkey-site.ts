import { isIP } from 'node:net';
import { Refusal } from '../../kit/errors.ts';

/** The site that passkeys are bound to: the address under which browsers reach the console. */
export interface PasskeySite {
  /** As browsers write it: `https://carillon.example`. */
  readonly origin: string;
  /** The RP ID: the host. Browsers do not offer passkeys of another host. */
  readonly host: string;
}

const LOOPBACK = ['127.0.0.1', '[::1]'];

/**
 * Returns the site that passkeys are bound to. WebAuthn accepts only host names, so for a loopback address it is
 * `localhost`. Throws Refusal `not-now` for any other numeric address.
 *
 * @param base URL of the service's pages
 */
export function passkeySiteOf(base: string): PasskeySite {
  const url = new URL(base);
  if (LOOPBACK.includes(url.hostname)) url.hostname = 'localhost';
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    throw new Refusal('not-now', 'passkeys need a host name: set PUBLIC_URL to one', undefined, {
      reason: 'no-host-name',
    });
  }
  return { origin: url.origin, host: url.hostname };
}
