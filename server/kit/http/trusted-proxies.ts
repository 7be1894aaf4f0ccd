import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressesIn, isPublicAddress } from './addresses.ts';

/** Proxies whose forwarding headers are trusted (`X-Forwarded-For`, `-Proto`, `-Host`). */
export interface TrustedProxies {
  /**
   * Whether the machine at `address` is one of our proxies. `hop` is its distance: 0 for the peer of the connection, 1
   * for the last entry of `X-Forwarded-For`, and so on.
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
/** More entries than any chain of proxies has. Entries further away are not read. */
const MAX_ENTRIES = 20;

/** Permitted values of TRUST_PROXY, also the message of the error that `readTrustedProxies` throws. */
const TRUST_PROXY_RULE = `must be off, the number of proxies in front (1 to ${MAX_HOPS}), or their addresses and networks with commas between, like 127.0.0.1,10.0.0.0/8,uniquelocal`;

/**
 * Parses TRUST_PROXY; undefined for `off`, which trusts no forwarding headers. A number counts proxies from the service
 * outwards. It applies only to connections from a private or loopback address: a public peer can be anyone, so a public
 * proxy must be listed by its address. Throws RangeError with the permitted values.
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

/** Whether a peer has an internal address. */
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
  // IPv4 connections to an IPv6 socket have such addresses; they are compared as IPv4.
  if (bits !== undefined && Number(bits) < 97) throw new RangeError(TRUST_PROXY_RULE);
  return [`${ipaddr.process(address)}/${Number(bits ?? 128) - 96}`];
}

/**
 * Normalises the entries of an `X-Forwarded-For` header: removes ports, brackets and quotes, and writes IPv4-mapped
 * addresses as IPv4. An entry that is not an address (`unknown`, `_hidden`, or anything a client wrote) ends the chain:
 * it is removed with all entries before it. Returns '' if no entry is left.
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
