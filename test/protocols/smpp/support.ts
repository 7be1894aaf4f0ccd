import { createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type {
  CarrierIncoming,
  CarrierIncomingPart,
  CarrierReceipt,
  NewCarrier,
  OutgoingMessage,
  SubmitOutcome,
} from '../../../server/engine/carriers/carrier.ts';
import { type Clock, systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import type { command } from '../../../server/protocols/smpp/commands.ts';
import { SmppConnector } from '../../../server/protocols/smpp/connector.ts';
import type { MessagePdu } from '../../../server/protocols/smpp/pdu.ts';
import { type SmppConnectorInput, smppConnectorSettings } from '../../../server/protocols/smpp/settings.ts';
import type { SandboxSmscOptions } from '../../../server/sandbox/smsc/options.ts';
import { SandboxSmsc } from '../../../server/sandbox/smsc/smsc.ts';
import { waitFor } from '../../support/wait-for.ts';

export const log = createLogger('silent');
export const credentials = { systemId: 'carillon', password: 'secret' };

/** A message PDU with nothing in it. */
export function messagePdu(id: typeof command.submitSm | typeof command.deliverSm): MessagePdu {
  return {
    command: id,
    status: 0,
    sequence: 1,
    serviceType: '',
    sourceTon: 1,
    sourceNpi: 1,
    source: '',
    destinationTon: 1,
    destinationNpi: 1,
    destination: '',
    esmClass: 0,
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    dataCoding: 0,
    defaultMessageId: 0,
    shortMessage: Buffer.alloc(0),
    tlvs: [],
  };
}

/** A sandbox SMSC on a free port, closed with the test. */
export async function startSmsc(
  t: TestContext,
  options: Partial<SandboxSmscOptions> = {},
): Promise<{ smsc: SandboxSmsc; port: number }> {
  const smsc = new SandboxSmsc({
    accounts: { [credentials.systemId]: credentials.password },
    log,
    clock: systemClock,
    receiptDelayMs: 5,
    redeliverMs: 10,
    ...options,
  });
  const port = await smsc.listen(0);
  t.after(() => smsc.close());
  return { smsc, port };
}

/** A plain TCP server for peers that misbehave, closed with the test. */
export async function startServer(t: TestContext, onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return address.port;
}

let lastId = 0;

/** A carrier with a listener that writes down what it hears, stopped with the test. */
export class ConnectorUnderTest {
  readonly carrier: NewCarrier;
  readonly receipts: CarrierReceipt[] = [];
  readonly incoming: CarrierIncoming[] = [];
  readonly parts: CarrierIncomingPart[] = [];
  /** Ids of messages that were taken after their outcome was `unknown`. */
  readonly late = new Map<number, readonly string[]>();
  readonly outcomes = new Map<number, SubmitOutcome[]>();
  readyCalls = 0;
  /** What the listener does before it is done; a rejection refuses the delivery. */
  store: () => Promise<void> = async () => {};
  onReady: () => void = () => {};

  /** What came back because the network was busy. */
  readonly again: OutgoingMessage<string>[] = [];

  constructor(
    t: TestContext,
    port: number,
    settings: Partial<SmppConnectorInput> = {},
    clock: Clock = systemClock,
    logger = log,
  ) {
    const parsed = smppConnectorSettings.parse({
      name: 'test',
      host: '127.0.0.1',
      port,
      ...credentials,
      reconnectMinMs: 10,
      reconnectMaxMs: 50,
      ...settings,
    });
    this.carrier = new SmppConnector(parsed, { log: logger, clock });
    this.carrier.start({
      receipt: async (receipt) => {
        await this.store();
        this.receipts.push(receipt);
      },
      incoming: async (message) => {
        await this.store();
        this.incoming.push(message);
      },
      incomingPart: async (part) => {
        await this.store();
        this.parts.push(part);
      },
      late: ({ id }, carrierIds) => {
        this.late.set(id, carrierIds);
      },
      ready: () => {
        this.readyCalls++;
        this.#handAgain();
        this.onReady();
      },
    });
    t.after(() => this.carrier.stop(0));
  }

  async up(): Promise<this> {
    await waitFor('the connector is up', () => this.carrier.up);
    return this;
  }

  /** Hands one message over; the id under which its outcome is found. */
  submit(message: Partial<OutgoingMessage<string>> = {}): number {
    const id = ++lastId;
    this.outcomes.set(id, []);
    this.#hand({
      accountId: 1,
      id,
      source: 'Carillon',
      destination: '972501234567',
      payload: `message ${id}`,
      validUntil: systemClock.now() + 3_600_000,
      ...message,
    });
    return id;
  }

  /** As the dispatcher does it: what the network was too busy for is submitted again when there is capacity. */
  #hand(message: OutgoingMessage<string>): void {
    this.carrier.submit(message, (outcome) => {
      if (outcome.kind === 'again') this.again.push(message);
      else this.outcomes.get(message.id)!.push(outcome);
    });
    this.#handAgain();
  }

  #handAgain(): void {
    while (this.again.length > 0 && this.carrier.capacity() > 0) this.#hand(this.again.shift()!);
  }

  /** The outcome, when it has come; fails when there was more than one. */
  async outcome(id: number): Promise<SubmitOutcome> {
    const outcomes = this.outcomes.get(id)!;
    await waitFor('the outcome', () => outcomes.length > 0);
    if (outcomes.length > 1) throw new Error('settled more than once');
    return outcomes[0]!;
  }

  /** All that were submitted have exactly one outcome. */
  async settled(): Promise<SubmitOutcome[]> {
    return Promise.all([...this.outcomes.keys()].map((id) => this.outcome(id)));
  }
}

/** The carrier ids of an outcome that has to be "accepted". */
export function acceptedIds(outcome: SubmitOutcome): readonly string[] {
  if (outcome.kind !== 'accepted') throw new Error(`not accepted but ${JSON.stringify(outcome)}`);
  return outcome.carrierIds;
}
