import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

const blocks = (list: readonly string[]): Block[] => list.map((cidr) => ipaddr.parseCIDR(cidr) as Block);

// IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and what updates it), multicast and class E.
const reserved4 = blocks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
// All that is not global unicast is refused, so only the exceptions inside 2000::/3 are listed: protocol
// assignments with Teredo, documentation, 6to4, AS112.
const global6 = blocks(['2000::/3'])[0]!;
const reserved6 = blocks(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);
const mapped = blocks(['::ffff:0:0/96'])[0]!;
const nat64 = blocks(['64:ff9b::/96'])[0]!;

const inside = (address: Address, [network, bits]: Block): boolean =>
  address.kind() === network.kind() && (address as ipaddr.IPv6).match(network as ipaddr.IPv6, bits);

/**
 * Whether `text`, an IPv4 or IPv6 address, is one of the public internet. An IPv4 address inside IPv6 is judged as
 * that IPv4 address where machines really send to it (IPv4-mapped, NAT64 by RFC 6052); the obsolete embeddings
 * (IPv4-compatible, 6to4, Teredo) are never public. What is not an address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') return !reserved4.some((block) => inside(address, block));
  if (inside(address, mapped) || inside(address, nat64)) {
    return isPublicAddress(address.toByteArray().slice(12).join('.'));
  }
  return inside(address, global6) && !reserved6.some((block) => inside(address, block));
}

/** A test for "one of these CIDR blocks"; an IPv4-mapped address counts as its IPv4 address. */
export function addressesIn(cidrs: readonly string[]): (text: string) => boolean {
  const list = blocks(cidrs);
  return (text) =>
    ipaddr.isValid(text) && list.some((block) => inside(ipaddr.process(text) as Address, block));
}

/** Characters of what is no address and is counted all the same. */
const MAX_NAME = 100;

/**
 * What clients are counted by wherever they are limited (rate limits, connections, the login throttle, guessed codes): an
 * IPv4 address itself, also where it is mapped into IPv6, and of IPv6 the network of 64 bits, in which a single host may
 * choose its addresses freely (RFC 4291, 2.5.4). What is no address is cut to 100 characters.
 */
export function networkOf(address: string): string {
  // IPv4 needs no parsing: requests are counted by it.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address.slice(0, MAX_NAME);
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}
