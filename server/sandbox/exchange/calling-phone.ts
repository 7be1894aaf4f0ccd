import { Dialog } from '../../protocols/sip/dialog.ts';
import type { Endpoint, NewRequest } from '../../protocols/sip/endpoint.ts';
import { Headers, newCallId, newTag } from '../../protocols/sip/message.ts';
import { writeOffer } from '../../protocols/sip/sdp.ts';
import type { Peer } from '../../protocols/sip/transport.ts';
import { hostPort, parseSipUri } from '../../protocols/sip/uri.ts';

/** Last known address of the service: source of its requests, and its Contact. */
export interface Service {
  readonly peer: Peer;
  readonly uri: string;
}

/**
 * Calls the service from a phone; `port` is the phone's audio port. Returns the final SIP status, 408 when nothing
 * answers.
 */
export function callService(
  endpoint: Endpoint,
  { peer, uri }: Service,
  { from, to, port }: { readonly from: string; readonly to: string; readonly port: number },
): Promise<number> {
  const { address } = endpoint.contact;
  const flow = endpoint.transport.flowTo(peer);
  const headers = new Headers()
    .add('Max-Forwards', '70')
    .add('From', `<sip:+${from}@${hostPort(address)}>;tag=${newTag()}`)
    .add('To', `<sip:+${to}@${hostPort(address)}>`)
    .add('Call-ID', newCallId())
    .add('CSeq', '1 INVITE')
    .add('Contact', endpoint.contactUri('exchange'))
    .add('Content-Type', 'application/sdp');
  const at = parseSipUri(uri)!;
  const request: NewRequest = {
    method: 'INVITE',
    uri: `sip:+${to}@${hostPort(at.host, at.port)}`,
    headers,
    body: writeOffer({ address, port, session: 1, version: 1 }),
  };
  return new Promise((resolve) => {
    endpoint.send(request, flow, {
      response: (response) => {
        if (response.status < 200) return;
        if (response.status < 300) {
          const dialog = Dialog.ofAnswer(endpoint, flow, request, response);
          dialog.acknowledge(response.sequence);
          void endpoint.ask(
            () => dialog.request('BYE'),
            () => dialog.flow(),
          );
        }
        resolve(response.status);
      },
      failed: () => resolve(408),
    });
  });
}
