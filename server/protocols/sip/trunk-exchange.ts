import { isIP } from 'node:net';
import type { TlsPeer } from '../../kit/tls-faults.ts';
import { Authenticator } from './authenticator.ts';
import type { Endpoint, NewRequest } from './endpoint.ts';
import { Headers, newCallId, newTag } from './message.ts';
import { readTrunkUri, type SipTrunkSettings, type TrunkAddress } from './settings.ts';
import { StreamTransport } from './stream.ts';
import type { Peer, Transport } from './transport.ts';
import { UdpTransport } from './udp.ts';
import { hostPort } from './uri.ts';

/* Options of all transports to a trunk. */

interface TrunkTransportOptions {
  readonly settings: SipTrunkSettings;
  /** Receives whether the trunk's TLS certificate was accepted. */
  readonly tlsPeer?: TlsPeer;
}

/** Returns the domain after `@`. */
export const domainOf = ({ domain, uri }: SipTrunkSettings): string =>
  domain ?? hostPort(readTrunkUri(uri)!.host);

/** Returns an object that answers the challenges of one dialog; undefined without a user name. */
export const authenticatorOf = ({
  username,
  password,
  realm,
}: SipTrunkSettings): Authenticator | undefined =>
  username === undefined ? undefined : new Authenticator({ username, password }, realm);

/** Returns an OPTIONS request, which checks whether a trunk is reachable. */
export function optionsRequest(settings: SipTrunkSettings, endpoint: Endpoint): NewRequest {
  const domain = domainOf(settings);
  const uri = `sip:${domain}`;
  const headers = new Headers()
    .add('Max-Forwards', '70')
    .add('From', `<sip:${settings.username ?? settings.callerId}@${domain}>;tag=${newTag()}`)
    .add('To', `<${uri}>`)
    .add('Call-ID', newCallId())
    .add('CSeq', '1 OPTIONS')
    .add('Contact', endpoint.contactUri('carillon'));
  return { method: 'OPTIONS', uri, headers };
}

/** Returns a transport to the trunk's address, from a local one. */
export function transportOf(
  { settings, tlsPeer }: TrunkTransportOptions,
  trunk: TrunkAddress,
  local: Peer,
): Transport {
  if (trunk.transport === 'udp') return new UdpTransport(local);
  if (trunk.transport === 'tcp') return new StreamTransport({ local, listens: true });
  const { ca, servername = trunk.host, rejectUnauthorized, cert, key } = settings.tls;
  const own = { cert, key };
  return new StreamTransport({
    local,
    // Without our own certificate we accept no connections, and the other side uses ours.
    listens: cert !== undefined,
    ...(tlsPeer && { peer: tlsPeer }),
    tls: {
      client: { ca, rejectUnauthorized, ...own, ...(isIP(servername) === 0 && { servername }) },
      server: own,
    },
  });
}
