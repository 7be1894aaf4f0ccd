import type { Socket } from 'node:net';
import type { Logger } from '../../kit/observability/log.ts';
import { command, tag } from '../../protocols/smpp/commands.ts';
import { SmppConnection } from '../../protocols/smpp/connection.ts';
import { errorCode } from '../../protocols/smpp/errors.ts';
import type { BindPdu, BindRespPdu, DataPdu, MessagePdu, Pdu } from '../../protocols/smpp/pdu.ts';
import { type Delivery, deliveryPdu } from './deliveries.ts';
import type { SandboxBehaviour } from './options.ts';

/** The interface of the SMSC for its sessions. */
export interface SessionOwner {
  readonly behaviour: SandboxBehaviour;
  readonly log: Logger;
  /** Returns the command_status of a bind with these credentials: 0, or the reason of the rejection. */
  admit(systemId: string, password: string): number;
  bound(session: Session): void;
  submitted(session: Session, pdu: MessagePdu | DataPdu): void;
  acknowledged(session: Session, delivery: Delivery): void;
  /** Called with unacknowledged deliveries, to be sent again immediately or after a pause. */
  undelivered(session: Session, deliveries: Delivery[], atOnce: boolean): void;
  closed(session: Session): void;
}

interface Flight {
  readonly delivery: Delivery;
  readonly since: number;
}

const interfaceVersion = Buffer.from([0x34]);

/** The SMSC's side of one ESME connection. */
export class Session {
  systemId = '';
  canReceive = false;
  canSubmit = false;
  readonly connection: SmppConnection;
  readonly #owner: SessionOwner;
  readonly #flights = new Map<number, Flight>();

  constructor(socket: Socket, owner: SessionOwner) {
    this.#owner = owner;
    this.connection = new SmppConnection(socket, {
      pdu: (pdu) => this.#received(pdu),
      bad: (bad) => owner.log.debug({ reason: bad.reason }, 'sandbox: bad PDU'),
      fault: (error) => owner.log.error({ err: error }, 'sandbox: a PDU could not be worked on'),
      closed: () => {
        this.canReceive = false;
        this.canSubmit = false;
        owner.undelivered(this, this.#takeFlights(), true);
        owner.closed(this);
      },
    });
  }

  /** Number of further deliver_sm that may be sent now. */
  get room(): number {
    return this.canReceive ? this.#owner.behaviour.deliverWindow - this.#flights.size : 0;
  }

  deliver(delivery: Delivery): void {
    const sequence = this.connection.nextSequence();
    this.#flights.set(sequence, { delivery, since: performance.now() });
    this.connection.send(deliveryPdu(delivery, sequence, this.#owner.behaviour.receiptForm));
  }

  answer(pdu: MessagePdu | DataPdu, status: number, messageId: string): void {
    const id = pdu.command === command.dataSm ? command.dataSmResp : command.submitSmResp;
    this.connection.send({ command: id, status, sequence: pdu.sequence, messageId, tlvs: [] });
  }

  unbind(): void {
    this.canReceive = false;
    this.canSubmit = false;
    this.connection.send({
      command: command.unbind,
      status: 0,
      sequence: this.connection.nextSequence(),
    });
  }

  /** Removes and returns the deliveries unacknowledged since before `before` (monotonic milliseconds). */
  takeOverdue(before: number): Delivery[] {
    const overdue: Delivery[] = [];
    for (const [sequence, flight] of this.#flights) {
      if (flight.since >= before) break;
      overdue.push(flight.delivery);
      this.#flights.delete(sequence);
    }
    return overdue;
  }

  #takeFlights(): Delivery[] {
    const deliveries = [...this.#flights.values()].map((flight) => flight.delivery);
    this.#flights.clear();
    return deliveries;
  }

  #received(pdu: Pdu): void {
    switch (pdu.command) {
      case command.submitSm:
      case command.dataSm:
        if (this.canSubmit) this.#owner.submitted(this, pdu);
        else this.answer(pdu, errorCode.ESME_RINVBNDSTS, '');
        break;
      case command.deliverSmResp:
      case command.genericNack:
        this.#acknowledged(pdu.sequence, pdu.status);
        break;
      case command.bindTransceiver:
      case command.bindTransmitter:
      case command.bindReceiver:
        this.#bind(pdu);
        break;
      case command.unbind:
        this.connection.send({ command: command.unbindResp, status: 0, sequence: pdu.sequence });
        this.connection.end('unbound');
        break;
      case command.unbindResp:
        this.connection.end('unbound');
        break;
      case command.querySm:
        // No states are stored; this is SMPP 3.4's answer for that.
        this.connection.send({
          command: command.querySmResp,
          status: errorCode.ESME_RQUERYFAIL,
          sequence: pdu.sequence,
          messageId: pdu.messageId,
          finalDate: '',
          messageState: 0,
          errorCode: 0,
        });
        break;
      case command.enquireLink:
      case command.enquireLinkResp:
      case command.dataSmResp:
        break;
      default:
        this.connection.send({
          command: command.genericNack,
          status: errorCode.ESME_RINVCMDID,
          sequence: pdu.sequence,
        });
    }
  }

  #acknowledged(sequence: number, status: number): void {
    const flight = this.#flights.get(sequence);
    if (!flight) return;
    this.#flights.delete(sequence);
    if (status === 0) this.#owner.acknowledged(this, flight.delivery);
    else this.#owner.undelivered(this, [flight.delivery], false);
  }

  #bind(pdu: BindPdu): void {
    const alreadyBound = this.systemId !== '';
    const status = alreadyBound ? errorCode.ESME_RALYBND : this.#owner.admit(pdu.systemId, pdu.password);
    this.connection.send({
      command: (pdu.command + command.genericNack) as BindRespPdu['command'],
      status,
      sequence: pdu.sequence,
      systemId: 'carillon-sandbox',
      tlvs: status === 0 ? [{ tag: tag.scInterfaceVersion, value: interfaceVersion }] : [],
    });
    if (alreadyBound) return;
    if (status !== 0) {
      this.connection.end('bind refused');
      return;
    }
    this.systemId = pdu.systemId;
    this.canReceive = pdu.command !== command.bindTransmitter;
    this.canSubmit = pdu.command !== command.bindReceiver;
    this.#owner.bound(this);
  }
}
