import { isIP } from 'node:net';
import type { TlsPeer } from '../../tls-faults.ts';
import { Authenticator } from './authenticator.ts';
import type { Endpoint, NewRequest } from './endpoint.ts';
import { Headers, newCallId, newTag } from './message.ts';
import { readTrunkUri, type SipTrunkSettings, type TrunkAddress } from './settings.ts';
import { StreamTransport } from './stream.ts';
import type { Peer, Transport } from './transport.ts';
import { UdpTransport } from './udp.ts';
import { hostPort } from './uri.ts';

/* What everything that speaks to a trunk has in common. */

interface TrunkTransportOptions {
  readonly settings: SipTrunkSettings;
  /** Who hears whether the trunk's TLS is accepted. */
  readonly tlsPeer?: TlsPeer;
}

/** The name behind `@`. */
export const domainOf = ({ domain, uri }: SipTrunkSettings): string =>
  domain ?? hostPort(readTrunkUri(uri)!.host);

/** Answers the challenges of one dialog; undefined without a user name. */
export const authenticatorOf = ({
  username,
  password,
  realm,
}: SipTrunkSettings): Authenticator | undefined =>
  username === undefined ? undefined : new Authenticator({ username, password }, realm);

/** Asks a trunk whether it is there. */
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

/** What speaks to a trunk at its address, from a local one. */
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
    // Without a certificate of ours the other side has our connection only.
    listens: cert !== undefined,
    ...(tlsPeer && { peer: tlsPeer }),
    tls: {
      client: { ca, rejectUnauthorized, ...own, ...(isIP(servername) === 0 && { servername }) },
      server: own,
    },
  });
}
