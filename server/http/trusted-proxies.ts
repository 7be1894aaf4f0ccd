import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressesIn, isPublicAddress } from './addresses.ts';

/** Which proxies are believed when they say whom they pass on (`X-Forwarded-For`, `-Proto`, `-Host`). */
export interface TrustedProxies {
  /**
   * Whether the machine at `address` is a proxy of ours. `hop` is its distance: 0 for the peer of the connection, 1 for
   * the last entry of `X-Forwarded-For`, and so on.
   */
  readonly trusts: (address: string, hop: number) => boolean;
}

/** Names of networks, as in Express and Fastify. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const MAX_HOPS = 10;
/** More entries than any chain of proxies has; what is further away is not read. */
const MAX_ENTRIES = 20;

/** What TRUST_PROXY may be; the message of the error that `readTrustedProxies` throws. */
const TRUST_PROXY_RULE = `must be off, the number of proxies in front (1 to ${MAX_HOPS}), or their addresses and networks with commas between, like 127.0.0.1,10.0.0.0/8,uniquelocal`;

/**
 * Reads TRUST_PROXY; undefined for `off`: nothing that a request says of its origin is believed. A number counts proxies
 * from the service outwards, and holds only for connections from a private or loopback address: a public peer may be
 * anyone, so such a proxy is trusted by its address alone. Throws RangeError with what to write instead.
 */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'off') return undefined;
  if (['on', 'true', 'yes', 'all', '*'].includes(text.toLowerCase())) {
    throw new RangeError(
      `${TRUST_PROXY_RULE}; "${text}" would let every client choose its own address: for one proxy in front write 1, or better its address`,
    );
  }
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops < 1 || hops > MAX_HOPS) throw new RangeError(TRUST_PROXY_RULE);
    return { trusts: (address, hop) => hop < hops && (hop > 0 || isOurs(address)) };
  }
  const trusted = addressesIn(text.split(',').flatMap((entry) => networksOf(entry.trim())));
  return { trusts: (address) => trusted(address) };
}

/** A peer whose address is an internal one. */
const isOurs = (address: string): boolean => isIP(address) !== 0 && !isPublicAddress(address);

function networksOf(entry: string): readonly string[] {
  if (Object.hasOwn(named, entry)) return named[entry]!;
  const [address = '', bits, ...more] = entry.split('/');
  const family = isIP(address);
  const length = family === 6 ? 128 : 32;
  const known = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= length);
  if (family === 0 || !known || more.length > 0) throw new RangeError(TRUST_PROXY_RULE);
  if (Number(bits) === 0) throw new RangeError(`${TRUST_PROXY_RULE}; ${entry} would trust everybody`);
  const mapped = family === 6 && (ipaddr.parse(address) as ipaddr.IPv6).isIPv4MappedAddress();
  if (!mapped) return [`${address}/${bits ?? length}`];
  // Connections over IPv4 to a socket of IPv6 have such addresses; they are compared as IPv4.
  if (bits !== undefined && Number(bits) < 97) throw new RangeError(TRUST_PROXY_RULE);
  return [`${ipaddr.process(address)}/${Number(bits ?? 128) - 96}`];
}

/**
 * The entries of an `X-Forwarded-For` in one spelling each: ports, brackets and quotes taken off, IPv4-mapped addresses
 * as IPv4. An entry that is no address (`unknown`, `_hidden`, whatever a client wrote) ends the chain: it is left out with
 * all that stand before it. '' when nothing is left.
 */
export function normaliseForwardedFor(header: string): string {
  const entries = header.split(',').slice(-MAX_ENTRIES).reverse();
  const read: string[] = [];
  for (const entry of entries) {
    const address = addressOf(entry.trim());
    if (address === undefined) break;
    read.unshift(address);
  }
  return read.join(', ');
}

function addressOf(entry: string): string | undefined {
  const plain = entry.replace(/^"(.*)"$/, '$1');
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(plain)?.[1] ?? plain;
  const text = isIP(bare) === 0 ? bare.replace(/:\d{1,5}$/, '') : bare;
  return isIP(text) === 0 ? undefined : ipaddr.process(text).toString();
}
