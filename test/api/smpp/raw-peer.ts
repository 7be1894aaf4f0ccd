import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { decodePdu } from '../../../server/protocols/smpp/codec.ts';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu } from '../../../server/protocols/smpp/encoder.ts';
import { Framer } from '../../../server/protocols/smpp/framing.ts';
import type { BindPdu, MessagePdu, Pdu } from '../../../server/protocols/smpp/pdu.ts';
import { messagePdu } from '../../protocols/smpp/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { PASSWORD } from './support.ts';

/* A client that sends octets as they are, for what the package `smpp` cannot send. */

export class RawPeer {
  readonly socket: Socket;
  readonly pdus: Pdu[] = [];
  isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    const framer = new Framer(
      (buffer, start, end) => {
        const { pdu } = decodePdu(buffer, start, end) as { pdu?: Pdu };
        if (pdu) this.pdus.push(pdu);
      },
      () => {},
    );
    socket.on('data', (chunk: Buffer) => framer.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  closed = () => waitFor('the end of the connection', () => this.isClosed);
  answer = (id: number, sequence?: number) =>
    waitFor(`the answer 0x${id.toString(16)}`, () =>
      this.pdus.find((pdu) => pdu.command === id && (sequence === undefined || pdu.sequence === sequence)),
    );
}

/** Connects, until the test ends. */
export async function connectRaw(t: TestContext, port: number): Promise<RawPeer> {
  const socket = connect({ port, host: '127.0.0.1' });
  t.after(() => socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return new RawPeer(socket);
}

export const bindPdu = (systemId: string): BindPdu => ({
  command: command.bindTransceiver,
  status: 0,
  sequence: 7,
  systemId,
  password: PASSWORD,
  systemType: '',
  interfaceVersion: 0x34,
  addressTon: 0,
  addressNpi: 0,
  addressRange: '',
  tlvs: [],
});

export const submitPdu = (sequence: number, phone: string, over: Partial<MessagePdu> = {}): MessagePdu => ({
  ...messagePdu(command.submitSm),
  sequence,
  source: 'Shop',
  destination: phone,
  shortMessage: Buffer.from('Hi'),
  ...over,
});

/** Connects and binds. Fails if the bind is refused. */
export async function boundRaw(t: TestContext, port: number, systemId: string): Promise<RawPeer> {
  const peer = await connectRaw(t, port);
  peer.socket.write(encodePdu(bindPdu(systemId)));
  const { status } = await peer.answer(command.bindTransceiverResp);
  if (status !== 0) throw new Error(`bind: ${status}`);
  return peer;
}
