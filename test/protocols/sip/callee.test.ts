import assert from 'node:assert/strict';
import type { Socket } from 'node:dgram';
import { type TestContext, test } from 'node:test';
import {
  type Headers,
  type SipMessage,
  type SipRequest,
  writeResponse,
} from '../../../server/protocols/sip/message.ts';
import { parseMessage } from '../../../server/protocols/sip/parser.ts';
import { waitFor } from '../../support/wait-for.ts';
import { spokenTone, startTrunk } from './support.ts';
import { openUdp } from './udp.ts';

/*
 * A callee by hand, for what SIPp and the exchange do not do.
 */

const number = '972501234567';

interface Callee {
  readonly socket: Socket;
  readonly uri: string;
  readonly contact: string;
  readonly heard: SipMessage[];
  /** Packets of audio at `audioPort`. */
  readonly audioPort: number;
  readonly packets: () => number;
  /** The last request of a method, once it is there. */
  request(method: string): Promise<SipRequest>;
  /** Answers a request; 2xx with SDP. */
  answer(request: SipRequest, status: number, tag: string, direction?: string, expires?: string): void;
  /** Sends a request of the callee's in the dialog. */
  ask(invite: SipRequest, method: string, sequence: number, body?: string, more?: string): void;
}

async function startCallee(t: TestContext): Promise<Callee> {
  const { socket, port } = await openUdp(t);
  const audio = await openUdp(t);
  let packets = 0;
  audio.socket.on('message', () => packets++);
  const heard: SipMessage[] = [];
  let caller = 0;
  socket.on('message', (bytes, from) => {
    caller = from.port;
    heard.push(parseMessage(bytes));
  });
  const contact = `<sip:callee@127.0.0.1:${port}>`;
  const send = (bytes: Buffer | string) => socket.send(bytes, caller, '127.0.0.1');
  return {
    socket,
    uri: `sip:127.0.0.1:${port}`,
    contact,
    heard,
    audioPort: audio.port,
    packets: () => packets,
    request: (method) =>
      waitFor(method, () => {
        const found = heard.findLast((one) => one.kind === 'request' && one.method === method);
        return found?.kind === 'request' && found;
      }),
    answer(request, status, tag, direction = 'sendrecv', expires) {
      const { headers } = parseMessage(
        Buffer.from(`${request.method} sip:x SIP/2.0\r\n${fieldsOf(request.headers)}\r\n\r\n`),
      );
      if (request.toTag === '') headers.set('To', `${headers.get('To')};tag=${tag}`);
      headers.set('Contact', contact);
      if (expires) headers.set('Session-Expires', expires);
      send(
        writeResponse(
          status,
          headers,
          status === 200 && request.method === 'INVITE' ? sdp(audio.port, direction) : undefined,
        ),
      );
    },
    ask(invite, method, sequence, body = '', more = '') {
      const fields = [
        `${method} sip:carillon@127.0.0.1:${caller} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${method}${sequence};rport`,
        `From: ${invite.headers.get('To')};tag=one`,
        `To: ${invite.headers.get('From')}`,
        `Call-ID: ${invite.callId}`,
        `CSeq: ${sequence} ${method}`,
        `Contact: ${contact}`,
        ...(more === '' ? [] : [more]),
      ];
      send(`${fields.join('\r\n')}\r\n\r\n${body}`);
    },
  };
}

/** Calls the callee. `milliseconds`: length of the message. */
async function startCall(
  t: TestContext,
  { milliseconds, ...settings }: { milliseconds?: number; ringSeconds?: number } = {},
) {
  const callee = await startCallee(t);
  const { call, receipts } = await startTrunk(
    t,
    { uri: callee.uri, keepAliveSeconds: 0, ...settings },
    { ...(milliseconds !== undefined && { spoken: async () => spokenTone(milliseconds) }) },
  );
  return { callee, receipts, outcome: call(number) };
}

/** The fields that an answer has in common with its request. */
function fieldsOf(headers: Headers): string {
  return ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headers.get(name)}`).join('\r\n');
}

function sdp(port: number, direction: string): Buffer {
  const lines = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
  return Buffer.from([...lines, `m=audio ${port} RTP/AVP 8`, `a=${direction}`, ''].join('\r\n'));
}

const statusOf = (callee: Callee, method: string, sequence: number) =>
  waitFor(`an answer to ${method} ${sequence}`, () => {
    const found = callee.heard.find(
      (one) => one.kind === 'response' && one.cseqMethod === method && one.sequence === sequence,
    );
    return found?.kind === 'response' && found;
  });

test('on hold the message waits, and continues after it', async (t) => {
  const { callee, outcome } = await startCall(t, { milliseconds: 400 });
  const invite = await callee.request('INVITE');
  callee.answer(invite, 200, 'one');
  await callee.request('ACK');
  await waitFor('audio', () => callee.packets() > 3);
  callee.ask(invite, 'INVITE', 1, sdp(callee.audioPort, 'sendonly').toString());
  const held = await statusOf(callee, 'INVITE', 1);
  assert.equal(held.status, 200);
  assert.match(held.body.toString(), /a=recvonly/);
  const before = callee.packets();
  // Ten packets' time: that nothing comes has no condition to wait for.
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.ok(callee.packets() <= before + 1);
  callee.ask(invite, 'ACK', 1);
  callee.ask(
    invite,
    'UPDATE',
    2,
    sdp(callee.audioPort, 'sendrecv').toString(),
    'Session-Expires: 1800;refresher=uac',
  );
  const resumed = await statusOf(callee, 'UPDATE', 2);
  assert.equal(resumed.headers.get('Session-Expires'), '1800;refresher=uac');
  const bye = await callee.request('BYE');
  callee.answer(bye, 200, 'one');
  assert.equal((await outcome).kind, 'accepted');
  // The message and the silence behind it, whole.
  assert.equal(callee.packets(), 30);
});

test('a re-INVITE without an offer gets ours; one without a usable offer is refused, and the call continues', async (t) => {
  const { callee, outcome } = await startCall(t, { milliseconds: 500 });
  const invite = await callee.request('INVITE');
  callee.answer(invite, 200, 'one');
  await callee.request('ACK');
  callee.ask(invite, 'INVITE', 1);
  const offer = await statusOf(callee, 'INVITE', 1);
  assert.match(offer.body.toString(), /m=audio \d+ RTP\/AVP 8 0 101/);
  callee.ask(invite, 'ACK', 1, sdp(callee.audioPort, 'sendrecv').toString());
  callee.ask(invite, 'INVITE', 2, sdp(callee.audioPort, 'sendrecv').toString().replace('AVP 8', 'AVP 96'));
  assert.equal((await statusOf(callee, 'INVITE', 2)).status, 488);
  callee.ask(invite, 'ACK', 2);
  // An older number than the last is no request of this dialog any more.
  callee.ask(invite, 'INFO', 1);
  assert.equal((await statusOf(callee, 'INFO', 1)).status, 500);
  callee.ask(invite, 'MESSAGE', 3);
  const refusal = await statusOf(callee, 'MESSAGE', 3);
  assert.equal(refusal.status, 405);
  assert.match(refusal.headers.get('Allow')!, /INVITE.*BYE/);
  callee.ask(invite, 'BYE', 4);
  assert.equal((await statusOf(callee, 'BYE', 4)).status, 200);
  assert.equal((await outcome).kind, 'accepted');
});

test('a session timer that is ours to keep: a re-INVITE with the same session, and the call continues', async (t) => {
  const { callee, outcome } = await startCall(t, { milliseconds: 1_000 });
  const invite = await callee.request('INVITE');
  callee.answer(invite, 200, 'one', 'sendrecv', '1;refresher=uac');
  const refresh = await waitFor('the refresh', () => {
    const found = callee.heard.findLast((one) => one.kind === 'request' && one.method === 'INVITE');
    return found?.kind === 'request' && found.sequence === 2 && found;
  });
  assert.equal(refresh.headers.get('Session-Expires'), '1;refresher=uac');
  assert.deepEqual(refresh.body, invite.body);
  callee.answer(refresh, 200, 'one');
  const bye = await callee.request('BYE');
  callee.answer(bye, 200, 'one');
  const ended = await outcome;
  assert.equal(ended.kind, 'accepted');
  assert.equal(callee.packets(), 60);
});

test('a session timer that the callee does not keep: the call is over, and was not heard', async (t) => {
  const { callee, outcome, receipts } = await startCall(t, { milliseconds: 20_000 });
  callee.answer(await callee.request('INVITE'), 200, 'one', 'sendrecv', '1;refresher=uas');
  callee.answer(await callee.request('BYE'), 200, 'one');
  assert.equal((await outcome).kind, 'accepted');
  await waitFor('the receipt', () => receipts.length > 0);
  assert.match(receipts[0]!.code, /^ENDED_EARLY/);
});

test('two phones answer: the first hears the message, the other is hung up on', async (t) => {
  const { callee, outcome } = await startCall(t, { milliseconds: 500 });
  const invite = await callee.request('INVITE');
  callee.answer(invite, 180, 'one');
  callee.answer(invite, 200, 'one');
  callee.answer(invite, 200, 'two');
  const first = await callee.request('BYE');
  assert.equal(first.toTag, 'two');
  callee.answer(first, 200, 'two');
  const second = await waitFor('the other BYE', () =>
    callee.heard.find((one) => one.kind === 'request' && one.method === 'BYE' && one.toTag === 'one'),
  );
  callee.answer(second as SipRequest, 200, 'one');
  assert.equal((await outcome).kind, 'accepted');
});

test('an answer that crosses CANCEL is acknowledged and hung up on: nobody was reached', async (t) => {
  const { callee, outcome } = await startCall(t, { ringSeconds: 0.2 });
  const invite = await callee.request('INVITE');
  callee.answer(invite, 180, 'one');
  const cancel = await callee.request('CANCEL');
  assert.equal(cancel.via.branch, invite.via.branch);
  assert.equal(cancel.sequence, invite.sequence);
  callee.answer(invite, 200, 'one');
  await callee.request('ACK');
  callee.answer(await callee.request('BYE'), 200, 'one');
  const ended = await outcome;
  assert.equal(ended.kind === 'retry' && ended.code, 'NO_ANSWER');
  assert.equal(callee.packets(), 0);
});

test('early media is not played to', async (t) => {
  const { callee, outcome } = await startCall(t);
  const invite = await callee.request('INVITE');
  callee.answer(invite, 183, 'one');
  // Five packets' time.
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(callee.packets(), 0);
  callee.answer(invite, 603, 'one');
  assert.equal((await outcome).kind, 'refused');
});

test('what the trunk asks outside of calls: OPTIONS is answered, other methods are not known', async (t) => {
  const { callee, outcome } = await startCall(t);
  const invite = await callee.request('INVITE');
  const stranger = { ...invite, callId: 'another', headers: invite.headers } as SipRequest;
  const untagged = (method: string, sequence: number) => {
    const { heard } = callee;
    callee.ask({ ...stranger, headers: withoutTag(invite.headers) } as SipRequest, method, sequence);
    return waitFor(method, () => {
      const found = heard.find((one) => one.kind === 'response' && one.cseqMethod === method);
      return found?.kind === 'response' && found;
    });
  };
  const options = await untagged('OPTIONS', 1);
  assert.equal(options.status, 200);
  assert.match(options.headers.get('Allow')!, /INVITE, ACK, BYE, CANCEL, OPTIONS/);
  assert.equal((await untagged('SUBSCRIBE', 2)).status, 405);
  assert.equal((await untagged('CANCEL', 3)).status, 481);
  callee.answer(invite, 486, 'one');
  await outcome;
});

/** A view of header fields whose From has no tag, for requests that begin something. */
function withoutTag(headers: Headers): Pick<Headers, 'get'> {
  return { get: (name) => headers.get(name)?.replace(/;tag=.*/, '') };
}
