import { once } from 'node:events';
import { type Trial, TrialSteps } from '../../engine/carriers/trial.ts';
import { command } from './commands.ts';
import { SmppConnection } from './connection.ts';
import { errorCode, errorName } from './errors.ts';
import type { Pdu } from './pdu.ts';
import type { SmppConnectorSettings } from './settings.ts';
import { openSocket } from './socket.ts';

const INTERFACE_VERSION = 0x34;

/**
 * Connects to an SMSC, binds, sends enquire_link, and unbinds. Binds as a transmitter: to a receiver the SMSC might
 * deliver receipts and incoming messages, which nobody would store.
 */
export async function trySmpp(settings: SmppConnectorSettings): Promise<Trial> {
  const steps = new TrialSteps();
  const { socket, connected } = openSocket(settings);
  // Until the connection handles errors itself.
  socket.on('error', () => {});
  try {
    await converse(steps, settings, new Session(socket), () => once(socket, connected));
  } finally {
    socket.destroy();
  }
  return steps.trial;
}

async function converse(
  steps: TrialSteps,
  { tls, systemId, password, systemType }: SmppConnectorSettings,
  session: Session,
  connected: () => Promise<unknown>,
): Promise<void> {
  const { connection } = session;
  const accepted = async (pdu: Pdu) => {
    const { status } = await session.ask(pdu);
    return status === 0 ? errorName(0) : { refused: errorName(status) };
  };
  const sequence = () => connection.nextSequence();
  const isBound =
    (await steps.do(tls === false ? 'connect' : 'connect TLS', async () => {
      await connected();
      return 'connected';
    })) &&
    (await steps.do('bind_transmitter', () =>
      accepted({
        command: command.bindTransmitter,
        status: 0,
        sequence: sequence(),
        systemId,
        password,
        systemType,
        interfaceVersion: INTERFACE_VERSION,
        addressTon: 0,
        addressNpi: 0,
        addressRange: '',
        tlvs: [],
      }),
    ));
  if (!isBound) return;
  await steps.do('enquire_link', () =>
    accepted({ command: command.enquireLink, status: 0, sequence: sequence() }),
  );
  await steps.do('unbind', () => accepted({ command: command.unbind, status: 0, sequence: sequence() }));
}

/** Matches answers to requests, one request at a time. */
class Session {
  readonly connection: SmppConnection;
  #answer = Promise.withResolvers<Pdu>();

  constructor(socket: ConstructorParameters<typeof SmppConnection>[0]) {
    // The connection may end while no one waits for an answer.
    this.#answer.promise.catch(() => {});
    this.connection = new SmppConnection(socket, {
      pdu: (pdu) => this.#take(pdu),
      bad: ({ reason }) => this.#answer.reject(new Error(reason)),
      fault: () => {},
      closed: (reason) => this.#answer.reject(new Error(reason)),
    });
  }

  /** Sends a request and returns its answer. Rejects when the connection ends first. */
  ask(request: Pdu): Promise<Pdu> {
    if (!this.connection.closed) {
      this.#answer = Promise.withResolvers<Pdu>();
      this.#answer.promise.catch(() => {});
      this.connection.send(request);
    }
    return this.#answer.promise;
  }

  #take(pdu: Pdu): void {
    if (pdu.command >= command.genericNack) this.#answer.resolve(pdu);
    // The SMSC delivered a message to a transmitter; refuse it, so that it is delivered to another session.
    else if (pdu.command === command.deliverSm)
      this.connection.send({
        command: command.deliverSmResp,
        status: errorCode.ESME_RX_T_APPN,
        sequence: pdu.sequence,
        messageId: '',
        tlvs: [],
      });
    else if (pdu.command === command.unbind)
      this.connection.send({ command: command.unbindResp, status: 0, sequence: pdu.sequence });
  }
}
