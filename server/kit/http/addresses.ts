import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

const blocks = (list: readonly string[]): Block[] => list.map((cidr) => ipaddr.parseCIDR(cidr) as Block);

// Blocks of the IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its updates), multicast and class E.
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
// Everything outside global unicast is refused, so this lists only the exceptions within 2000::/3: protocol assignments
// with Teredo, documentation, 6to4, AS112.
const global6 = blocks(['2000::/3'])[0]!;
const reserved6 = blocks(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);
const mapped = blocks(['::ffff:0:0/96'])[0]!;
const nat64 = blocks(['64:ff9b::/96'])[0]!;

const inside = (address: Address, [network, bits]: Block): boolean =>
  address.kind() === network.kind() && (address as ipaddr.IPv6).match(network as ipaddr.IPv6, bits);

/**
 * Whether `text` is an IPv4 or IPv6 address of the public internet. An IPv4 address embedded in IPv6 counts as that
 * IPv4 address if hosts route it there (IPv4-mapped, NAT64 by RFC 6052); obsolete embeddings (IPv4-compatible, 6to4,
 * Teredo) are never public. A text that is not an address is not public.
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

/** Returns a test for addresses in these CIDR blocks. An IPv4-mapped address counts as its IPv4 address. */
export function addressesIn(cidrs: readonly string[]): (text: string) => boolean {
  const list = blocks(cidrs);
  return (text) =>
    ipaddr.isValid(text) && list.some((block) => inside(ipaddr.process(text) as Address, block));
}

/** Maximum characters of a text that is not an address and is counted anyway. */
const MAX_NAME = 100;

/**
 * Returns the key by which clients are counted (rate limits, connections, login throttle, guessed codes): an IPv4
 * address itself, also when mapped into IPv6, and for IPv6 the /64 network, because a single host can choose any
 * address in it (RFC 4291, 2.5.4). A text that is not an address is cut to 100 characters.
 */
export function networkOf(address: string): string {
  // IPv4 is not parsed, because this runs for each request.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address.slice(0, MAX_NAME);
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}
