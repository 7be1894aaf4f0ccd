import type { Socket } from 'node:net';
import { decodePdu } from '../../../server/protocols/smpp/codec.ts';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu } from '../../../server/protocols/smpp/encoder.ts';
import { Framer } from '../../../server/protocols/smpp/framing.ts';
import type { Pdu } from '../../../server/protocols/smpp/pdu.ts';
import { ConnectorUnderTest, messagePdu, startServer } from '../../protocols/smpp/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Cleanups } from './cleanups.ts';
import { breakBytes, type Chance, pick } from './mutate.ts';
import type { Target } from './target.ts';

/* A carrier that sends broken PDUs: the connector must answer, or end the session and reconnect, and keep working. */

const receipt =
  'id:1 sub:001 dlvrd:001 submit date:2611220700 done date:2611220700 stat:DELIVRD err:000 text:Hello';
const PROBE = 0x7abcdef;

function wholePdus(): Buffer[] {
  const deliver = messagePdu(command.deliverSm);
  const of = { source: '972501234567', destination: '972550000001', sequence: 9 };
  return [
    encodePdu({ ...deliver, ...of, shortMessage: Buffer.from('STOP') }),
    encodePdu({ ...deliver, ...of, esmClass: 4, shortMessage: Buffer.from(receipt) }),
    encodePdu({ ...deliver, ...of, esmClass: 0x40, shortMessage: Buffer.from([5, 0, 3, 7, 2, 1, 65, 66]) }),
    encodePdu({ ...deliver, ...of, dataCoding: 8, shortMessage: Buffer.from('שלום', 'utf16le').swap16() }),
    encodePdu({ command: command.enquireLink, status: 0, sequence: 5 }),
    encodePdu({ command: command.unbind, status: 0, sequence: 6 }),
    encodePdu({ command: command.genericNack, status: 3, sequence: 1 }),
    encodePdu({ command: command.submitSmResp, status: 0, sequence: 2, messageId: 'x', tlvs: [] }),
  ];
}

export async function smppTarget(t: Cleanups): Promise<Target> {
  let session: Socket | undefined;
  const probed = new Set<() => void>();
  const port = await startServer(t.context, (socket) => {
    const framer = new Framer(
      (buffer, start, end) => {
        const { pdu } = decodePdu(buffer, start, end) as { pdu?: Pdu };
        if (!pdu) return;
        if (pdu.command === command.bindTransceiver) {
          socket.write(
            encodePdu({
              command: command.bindTransceiverResp,
              status: 0,
              sequence: pdu.sequence,
              systemId: '',
              tlvs: [],
            }),
          );
          session = socket;
        }
        if (pdu.command === command.enquireLink)
          socket.write(encodePdu({ command: command.enquireLinkResp, status: 0, sequence: pdu.sequence }));
        if (pdu.command === command.enquireLinkResp && pdu.sequence === PROBE)
          for (const told of probed) told();
      },
      () => socket.destroy(),
    );
    socket.on('data', (chunk: Buffer) => framer.push(chunk));
    socket.on('close', () => {
      if (session === socket) session = undefined;
      for (const told of probed) told();
    });
  });
  await new ConnectorUnderTest(t.context, port).up();
  const whole = wholePdus();
  return {
    name: 'smpp',
    atOnce: 1,
    next(chance: Chance) {
      const broken = breakBytes(chance, pick(chance, whole));
      // Usually corrects the length, so that the content is parsed.
      if (broken.length >= 4 && chance() < 0.8) broken.writeUInt32BE(broken.length, 0);
      return { octets: broken.toString('base64') };
    },
    async bring({ octets }) {
      const socket = await waitFor('the connector is bound', () => session);
      const settled = new Promise<void>((resolve) => {
        const told = () => {
          probed.delete(told);
          resolve();
        };
        probed.add(told);
      });
      socket.write(Buffer.from(String(octets), 'base64'));
      socket.write(encodePdu({ command: command.enquireLink, status: 0, sequence: PROBE }));
      // If the length exceeds the data, the rest never arrives, and the connector may wait for it.
      const timer = setTimeout(() => socket.destroy(), 100);
      await settled;
      clearTimeout(timer);
      return undefined;
    },
    async check() {
      await waitFor('the connector is bound', () => session);
      return undefined;
    },
    close: async () => {},
  };
}
