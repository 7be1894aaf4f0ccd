/* An SMPP client without a service behind it: submits messages over several binds, each with a full window. */

import { connect } from 'node:net';
import { command } from '../../server/protocols/smpp/commands.ts';
import { SmppConnection } from '../../server/protocols/smpp/connection.ts';
import type { MessageRespPdu, Pdu } from '../../server/protocols/smpp/pdu.ts';
import { answer } from '../support/child.ts';
import { quantile } from '../support/statistics.ts';
import { phoneOf } from '../systems/requests.ts';

interface Login {
  readonly port: number;
  readonly systemId: string;
  readonly password: string;
}

export interface SubmitPlan extends Login {
  readonly binds: number;
  readonly window: number;
  readonly messages: number;
}

export interface Submitted {
  /** Messages per second, from the first submit_sm to the last answer. */
  readonly perSecond: number;
  /** Messages per second, from the first submit_sm to the last receipt. */
  readonly endToEndPerSecond: number;
  readonly answerMedianMs: number;
  readonly answerP99Ms: number;
}

const TEXT = Buffer.from('Your order 4711 is on its way and arrives tomorrow.');
const address = { ton: 1, npi: 1 };

/** Opens a bind. Resolves when it is bound. */
function open(login: Login, onPdu: (pdu: Pdu, connection: SmppConnection) => void): Promise<SmppConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: login.port, host: '127.0.0.1' });
    const connection = new SmppConnection(socket, {
      pdu(pdu) {
        if (pdu.command !== command.bindTransceiverResp) onPdu(pdu, connection);
        else if (pdu.status === 0) resolve(connection);
        else reject(new Error(`bind: status ${pdu.status}`));
      },
      bad: ({ reason }) => reject(new Error(reason)),
      fault: reject,
      closed: (reason) => reject(new Error(reason)),
    });
    socket.once('connect', () =>
      connection.send({
        command: command.bindTransceiver,
        ...{ status: 0, sequence: connection.nextSequence(), systemType: '', interfaceVersion: 0x34 },
        ...{ systemId: login.systemId, password: login.password },
        ...{ addressTon: 0, addressNpi: 0, addressRange: '', tlvs: [] },
      }),
    );
  });
}

answer({
  /** Submits messages, and waits for their answers and receipts. Rejects when one is refused. */
  async submit({ binds, window, messages, ...login }: SubmitPlan): Promise<Submitted> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sentAt = new Map<string, number>();
    const times: number[] = [];
    let [sent, receipts] = [0, 0];
    let [answeredAt, receivedAt] = [0, 0];
    const submit = (connection: SmppConnection, bind: number) => {
      if (sent === messages) return;
      const sequence = connection.nextSequence();
      sentAt.set(`${bind} ${sequence}`, performance.now());
      connection.send({
        command: command.submitSm,
        ...{ status: 0, sequence, serviceType: '' },
        ...{
          sourceTon: 5,
          sourceNpi: 0,
          source: 'Shop',
          destinationTon: address.ton,
          destinationNpi: address.npi,
        },
        destination: `972${phoneOf(sent++).slice(1)}`,
        ...{ esmClass: 0, protocolId: 0, priority: 0, scheduleTime: '', validityPeriod: '' },
        ...{ registeredDelivery: 1, replaceIfPresent: 0, dataCoding: 0, defaultMessageId: 0 },
        ...{ shortMessage: TEXT, tlvs: [] },
      });
    };
    const answered = (pdu: MessageRespPdu, connection: SmppConnection, bind: number) => {
      if (pdu.status !== 0) reject(new Error(`submit_sm: status ${pdu.status}`));
      answeredAt = performance.now();
      const key = `${bind} ${pdu.sequence}`;
      times.push(answeredAt - sentAt.get(key)!);
      sentAt.delete(key);
      submit(connection, bind);
    };
    const connections = await Promise.all(
      Array.from({ length: binds }, (_, bind) =>
        open(login, (pdu, connection) => {
          if (pdu.command === command.submitSmResp) answered(pdu, connection, bind);
          if (pdu.command !== command.deliverSm) return;
          const { sequence } = pdu;
          connection.send({ command: command.deliverSmResp, status: 0, sequence, messageId: '', tlvs: [] });
          receivedAt = performance.now();
          receipts++;
          if (receipts === messages) resolve();
        }),
      ),
    );
    const began = performance.now();
    for (const [bind, connection] of connections.entries())
      for (let i = 0; i < window; i++) submit(connection, bind);
    await promise;
    for (const connection of connections) connection.destroy('done');
    return {
      perSecond: (1_000 * messages) / (answeredAt - began),
      endToEndPerSecond: (1_000 * messages) / (receivedAt - began),
      answerMedianMs: quantile(times, 0.5),
      answerP99Ms: quantile(times, 0.99),
    };
  },
});
