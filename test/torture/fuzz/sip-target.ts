import { Headers, newCallId, writeRequest, writeResponse } from '../../../server/protocols/sip/message.ts';
import { parseMessage } from '../../../server/protocols/sip/parser.ts';
import { startTrunk } from '../../protocols/sip/support.ts';
import { openUdp } from '../../protocols/sip/udp.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Cleanups } from './cleanups.ts';
import { breakBytes, type Chance, pick } from './mutate.ts';
import type { Target } from './target.ts';

/* Datagrams to a trunk, broken anywhere; after each a question that is whole has to be answered. */

const ASK_AGAIN_MS = 500;

export async function sipTarget(t: Cleanups): Promise<Target> {
  const { socket, port } = await openUdp(t.context);
  let trunkPort = 0;
  const answered = new Map<string, () => void>();
  socket.on('message', (bytes, from) => {
    const message = readable(bytes);
    if (message?.kind === 'response') answered.get(message.callId)?.();
    if (message?.kind !== 'request') return;
    trunkPort = from.port;
    if (message.method === 'ACK') return;
    const headers = new Headers();
    for (const name of ['Via', 'From', 'To', 'Call-ID', 'CSeq'])
      for (const line of message.headers.lines(name)) headers.add(name, line);
    socket.send(writeResponse(200, headers), from.port, from.address);
  });
  await startTrunk(t.context, { uri: `sip:127.0.0.1:${port}`, keepAliveSeconds: 60, t1Ms: 500 });
  await waitFor('the trunk has asked', () => trunkPort > 0);

  function request(method: string, body = ''): { callId: string; bytes: Buffer } {
    const callId = newCallId();
    const headers = new Headers()
      .add('Via', `SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${callId};rport`)
      .add('Max-Forwards', '70')
      .add('From', '<sip:972501234567@127.0.0.1>;tag=1')
      .add('To', `<sip:97237000000@127.0.0.1>${method === 'BYE' ? ';tag=2' : ''}`)
      .add('Call-ID', callId)
      .add('CSeq', `1 ${method}`)
      .add('Contact', `<sip:a@127.0.0.1:${port}>`);
    if (body !== '') headers.add('Content-Type', 'application/sdp');
    return { callId, bytes: writeRequest(method, 'sip:97237000000@127.0.0.1', headers, Buffer.from(body)) };
  }
  const sdp =
    'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 8 0\r\n';
  const methods = ['OPTIONS', 'INVITE', 'BYE', 'CANCEL', 'ACK', 'MESSAGE', 'UPDATE', 'REGISTER', 'INFO'];

  return {
    name: 'sip',
    atOnce: 4,
    next(chance: Chance) {
      const method = pick(chance, methods);
      const { bytes } = request(method, method === 'INVITE' || method === 'UPDATE' ? sdp : '');
      return { octets: breakBytes(chance, bytes).toString('base64') };
    },
    async bring({ octets }) {
      socket.send(Buffer.from(String(octets), 'base64'), trunkPort, '127.0.0.1');
      const { callId, bytes } = request('OPTIONS');
      const ask = () => socket.send(bytes, trunkPort, '127.0.0.1');
      await new Promise<void>((resolve) => {
        const again = setInterval(ask, ASK_AGAIN_MS);
        answered.set(callId, () => {
          answered.delete(callId);
          clearInterval(again);
          resolve();
        });
        ask();
      });
      return undefined;
    },
    close: async () => {},
  };
}

function readable(bytes: Buffer) {
  try {
    return parseMessage(bytes);
  } catch {
    return undefined;
  }
}
