import smpp, { type Pdu, type Session } from 'smpp';
import { startTestService, type TestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson, type Calls } from '../v1/calls.ts';

/* A service with the SMPP server, and the npm package `smpp` as its client, which is not ours. */

export const PASSWORD = 'kT3c0y2v-and-more';

export interface MadeClient {
  readonly id: string;
  readonly system_id: string;
  readonly binds: readonly { readonly id: string; readonly mode: string; readonly accepted: number }[];
}

export interface SmppService extends TestService {
  readonly port: number;
  readonly tlsPort: number;
  readonly owner: Calls;
  /** Creates a client of the demo account. */
  newClient(over?: object): Promise<MadeClient>;
}

let made = 0;

/** Starts a service with the SMPP server on free ports. */
export async function startSmppService(settings: Record<string, string> = {}): Promise<SmppService> {
  let ports: { readonly port?: number; readonly tlsPort?: number } = {};
  const service = await startTestService({
    settings: { SMPP_SERVER_PORT: '0', LOG_LEVEL: 'info', ...settings },
    logTo(line) {
      const entry = JSON.parse(line) as { msg: string; level: number | string };
      if (entry.msg === 'SMPP server listens') ports = entry as unknown as typeof ports;
      if (entry.level === 50 || entry.level === 'error') process.stderr.write(line);
    },
  });
  const owner = await asPerson(service, 'owner', service.demo.id);
  return {
    ...service,
    port: ports.port ?? 0,
    tlsPort: ports.tlsPort ?? 0,
    owner,
    newClient: (over = {}) =>
      owner.post('/smpp-clients', {
        system_id: `esme-${++made}`,
        password: PASSWORD,
        name: 'Orders',
        messages_per_second: 0,
        ...over,
      }),
  };
}

type Mode = 'transceiver' | 'transmitter' | 'receiver';

/** A program that speaks SMPP by the package. */
export class Esme {
  readonly session: Session;
  /** deliver_sm that came, acknowledged unless `answer` says otherwise. */
  readonly delivered: Pdu[] = [];
  /** command_status of the answer to deliver_sm; undefined for no answer. */
  answer: (pdu: Pdu) => number | undefined = () => 0;
  isClosed = false;

  constructor(session: Session) {
    this.session = session;
    session.setMaxListeners(0);
    session.on('error', () => {});
    session.on('close', () => {
      this.isClosed = true;
    });
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
    session.on('deliver_sm', (pdu: Pdu) => {
      this.delivered.push(pdu);
      const status = this.answer(pdu);
      if (status !== undefined) session.send(pdu.response({ command_status: status }));
    });
  }

  /** Sends a request and returns its answer. */
  ask(
    request:
      | 'submit_sm'
      | 'query_sm'
      | 'cancel_sm'
      | 'replace_sm'
      | 'data_sm'
      | 'submit_multi'
      | 'unbind'
      | 'enquire_link'
      | `bind_${Mode}`,
    fields: Record<string, unknown> = {},
  ): Promise<Pdu> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) throw new Error(`closed before ${request}`);
      this.session.once('close', () => reject(new Error(`closed before the answer to ${request}`)));
      this.session[request](fields, resolve);
    });
  }

  submit(fields: Record<string, unknown>): Promise<Pdu> {
    return this.ask('submit_sm', { source_addr: 'Shop', ...fields });
  }

  bind(systemId: string, mode: Mode = 'transceiver', over: Record<string, unknown> = {}): Promise<Pdu> {
    return this.ask(`bind_${mode}`, {
      system_id: systemId,
      password: PASSWORD,
      interface_version: 0x34,
      ...over,
    });
  }
}

/** A test or a file, with whose end something ends. */
export interface Ends {
  after(work: () => void): void;
}

/** Connects, without a bind. The connection ends with the test. */
export async function connectEsme(
  t: Ends,
  port: number,
  options: Record<string, unknown> = {},
): Promise<Esme> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const session = smpp.connect({ host: '127.0.0.1', port, ...options }, resolve);
  const esme = new Esme(session);
  t.after(() => session.destroy());
  await promise;
  return esme;
}

/** Connects and binds. Fails if the bind is refused. */
export async function boundEsme(
  t: Ends,
  { port }: Pick<SmppService, 'port'>,
  systemId: string,
  mode: Mode = 'transceiver',
): Promise<Esme> {
  const esme = await connectEsme(t, port);
  const { command_status: status } = await esme.bind(systemId, mode);
  if (status !== 0) throw new Error(`bind: ${status}`);
  return esme;
}

/** The text of a deliver_sm of the package. */
export const textOf = (pdu: Pdu): string => (pdu.short_message as { message: string }).message;

/** Reads the fields of a receipt by the pattern of the specification. */
export function receiptOf(pdu: Pdu): Record<string, string> {
  const fields =
    /^id:(?<id>\S+) sub:(?<sub>\d{3}) dlvrd:(?<dlvrd>\d{3}) submit date:(?<submit>\d{10}) done date:(?<done>\d{10}) stat:(?<stat>[A-Z]{7}) err:(?<err>\d{3}) text:(?<text>.*)$/.exec(
      textOf(pdu),
    )?.groups;
  if (!fields) throw new Error(`not a receipt: ${textOf(pdu)}`);
  return fields;
}

/** Waits for a number of deliveries. */
export const deliveries = (esme: Esme, count: number): Promise<true> =>
  waitFor(`${count} deliveries`, () => esme.delivered.length >= count && true);
