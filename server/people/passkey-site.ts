import { isIP } from 'node:net';
import { Refusal } from '../errors.ts';

/** What passkeys are bound to: the address under which browsers reach the console. */
export interface PasskeySite {
  /** As browsers say it: `https://carillon.example`. */
  readonly origin: string;
  /** The RP ID: the host. A passkey of another host is not offered. */
  readonly host: string;
}

const LOOPBACK = ['127.0.0.1', '[::1]'];

/**
 * What passkeys are bound to. WebAuthn knows host names alone, so a service on a loopback address has those of `localhost`.
 * Throws Refusal `not-now` for any other numeric address.
 *
 * @param base where the pages of the service are
 */
export function passkeySiteOf(base: string): PasskeySite {
  const url = new URL(base);
  if (LOOPBACK.includes(url.hostname)) url.hostname = 'localhost';
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    throw new Refusal('not-now', 'passkeys need a host name: set PUBLIC_URL to one');
  }
  return { origin: url.origin, host: url.hostname };
}
