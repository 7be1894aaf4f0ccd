import { isIP } from 'node:net';
import type { Endpoint, NewRequest } from './endpoint.ts';
import { Headers, parseNameAddress, type SipRequest, type SipResponse } from './message.ts';
import type { Flow } from './transport.ts';
import { parseSipUri } from './uri.ts';

interface DialogDeps {
  readonly endpoint: Endpoint;
  /** Connection on which the dialog began. */
  readonly flow: Flow;
  readonly callId: string;
  /** From header of our requests, with our tag. */
  readonly local: string;
  /** To header of our requests, with the other side's tag. */
  readonly remote: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly sequence: number;
  readonly target: string;
  readonly routes: readonly string[];
  /** Our Contact. */
  readonly contact: string;
}

/** A dialog: the relation of two ends during a call (RFC 3261, 12). */
export class Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly #deps: DialogDeps;
  #target: string;
  #sequence: number;
  #remoteSequence = -1;
  #ack: { readonly sequence: number; readonly bytes: Buffer } | undefined;

  constructor(deps: DialogDeps) {
    this.#deps = deps;
    this.callId = deps.callId;
    this.localTag = deps.localTag;
    this.remoteTag = deps.remoteTag;
    this.#target = deps.target;
    this.#sequence = deps.sequence;
  }

  /** Returns the caller's side, from the sent INVITE and its 2xx. */
  static ofAnswer(endpoint: Endpoint, flow: Flow, invite: NewRequest, response: SipResponse): Dialog {
    return new Dialog({
      endpoint,
      flow,
      callId: response.callId,
      local: invite.headers.get('From')!,
      remote: response.headers.get('To')!,
      localTag: response.fromTag,
      remoteTag: response.toTag,
      sequence: response.sequence,
      target: targetOf(response.headers) ?? invite.uri,
      routes: response.headers.list('Record-Route').reverse(),
      contact: invite.headers.get('Contact')!,
    });
  }

  /** Returns the callee's side, from an INVITE and the tag of our answer. */
  static ofInvite(endpoint: Endpoint, flow: Flow, invite: SipRequest, tag: string, contact: string): Dialog {
    const from = invite.headers.get('From')!;
    const dialog = new Dialog({
      endpoint,
      flow,
      callId: invite.callId,
      local: `${invite.headers.get('To')!};tag=${tag}`,
      remote: from,
      localTag: tag,
      remoteTag: invite.fromTag,
      sequence: 0,
      target: targetOf(invite.headers) ?? parseNameAddress(from)!.uri,
      routes: invite.headers.list('Record-Route'),
      contact,
    });
    dialog.#remoteSequence = invite.sequence;
    return dialog;
  }

  /** Whether a request belongs to this dialog. */
  owns(request: SipRequest): boolean {
    return (
      request.callId === this.callId && request.toTag === this.localTag && request.fromTag === this.remoteTag
    );
  }

  /** Records a request of the other side. Returns false when it is older than an earlier one (12.2.2). */
  hears(request: SipRequest): boolean {
    if (request.sequence <= this.#remoteSequence) return false;
    this.#remoteSequence = request.sequence;
    if (request.method === 'INVITE' || request.method === 'UPDATE') {
      this.#target = targetOf(request.headers) ?? this.#target;
    }
    return true;
  }

  /** Applies the target refresh in the other side's answer to our re-INVITE. */
  refreshed(response: SipResponse): void {
    this.#target = targetOf(response.headers) ?? this.#target;
  }

  /** Returns the dialog's next request. An ACK uses the number of its INVITE, given as `sequence`. */
  request(method: string, more: readonly (readonly [string, string])[] = [], sequence?: number): NewRequest {
    const { local, remote, routes, contact } = this.#deps;
    const headers = new Headers().add('Max-Forwards', '70');
    for (const route of routes) headers.add('Route', route);
    headers.add('From', local).add('To', remote).add('Call-ID', this.callId);
    headers.add('CSeq', `${sequence ?? ++this.#sequence} ${method}`);
    if (method !== 'BYE' && method !== 'ACK') headers.add('Contact', contact);
    for (const [name, value] of more) headers.add(name, value);
    return { method, uri: this.#target, headers };
  }

  /** Returns where to send the next request. Datagrams go to the first route or the target, if that is an address. */
  flow(): Flow {
    const { endpoint, flow, routes } = this.#deps;
    if (endpoint.transport.reliable) return flow.closed ? endpoint.transport.flowTo(flow.peer) : flow;
    const next = parseSipUri(routes[0] ? (parseNameAddress(routes[0])?.uri ?? '') : this.#target);
    if (!next || isIP(next.host) !== isIP(flow.peer.address)) return flow;
    return endpoint.transport.flowTo({ address: next.host, port: next.port ?? 5060 });
  }

  /**
   * Sends the ACK of a 2xx to the INVITE with this number; each retransmission of the 2xx gets the same ACK (13.2.2.4).
   */
  acknowledge(sequence: number): void {
    if (this.#ack?.sequence !== sequence) {
      const bytes = this.#deps.endpoint.written(this.request('ACK', [], sequence));
      this.#ack = { sequence, bytes };
    }
    this.flow().send(this.#ack.bytes);
  }
}

/** Returns the URI of the Contact header. */
function targetOf(headers: Headers): string | undefined {
  const [contact] = headers.list('Contact');
  const uri = contact && parseNameAddress(contact)?.uri;
  return uri && parseSipUri(uri) ? uri : undefined;
}
