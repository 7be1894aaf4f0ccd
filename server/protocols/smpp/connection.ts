import type { Socket } from 'node:net';
import { type BadPdu, decodePdu } from './codec.ts';
import { command } from './commands.ts';
import { sizeBound, writePdu } from './encoder.ts';
import { errorCode } from './errors.ts';
import { Framer } from './framing.ts';
import type { BindRespPdu, MessageRespPdu, Pdu } from './pdu.ts';

/**
 * Receives the events of a connection, in the socket's turn. An exception here ends the connection, not the process.
 */
interface ConnectionEvents {
  /** Every decodable PDU but enquire_link, which the connection has already answered. */
  pdu(pdu: Pdu): void;
  /** A PDU that could not be decoded and was already answered. `fatal` means that framing is lost. */
  bad(bad: BadPdu, fatal: boolean): void;
  /** An exception while handling a PDU: a fault of ours. The connection is being closed. */
  fault(error: unknown): void;
  /** Called once, when the connection has ended for any reason. */
  closed(reason: string): void;
}

const slabSize = 64 * 1024;
/** Maximum unsent bytes by default. A peer that reads less is disconnected. */
const defaultMaxUnsent = 32 * 1024 * 1024;
/** Milliseconds that the peer has to close a connection that we ended. */
const lingerMs = 1_000;
const maxSequence = 0x7fffffff;

/**
 * One SMPP connection, as client or server: framing, grouped writes, answers to enquire_link and to undecodable PDUs,
 * and checks that the peer is alive.
 *
 * All PDUs of one event loop turn are sent in one write. They are encoded straight into a slab of 64 KiB whose octets
 * are never written twice, so the socket may keep references to them.
 */
export class SmppConnection {
  readonly #socket: Socket;
  /** Time of the last enquire_link; 0 while none is awaited. */
  #askedAt = 0;
  readonly #events: ConnectionEvents;
  readonly #framer: Framer;
  readonly #maxUnsent: number;
  #slab: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  #flushing = false;
  #sequence = 0;
  #closed = false;
  #reason = 'closed by the peer';
  #heardAt = performance.now();
  #keepAlive: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;

  /** @param maxUnsent maximum unsent bytes; a peer that reads less is disconnected */
  constructor(socket: Socket, events: ConnectionEvents, maxUnsent = defaultMaxUnsent) {
    this.#socket = socket;
    this.#maxUnsent = maxUnsent;
    this.#events = events;
    this.#framer = new Framer(
      (buffer, start, end) => this.#frame(buffer, start, end),
      (length) => this.#framingLost(length),
    );
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#heardAt = performance.now();
      this.#framer.push(chunk);
    });
    socket.on('error', (error) => {
      this.#reason = error.message;
    });
    socket.on('close', () => {
      if (this.#closed) return;
      this.#closed = true;
      clearInterval(this.#keepAlive);
      clearTimeout(this.#endTimer);
      this.#events.closed(this.#reason);
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Time of the last octets from the peer, in monotonic milliseconds. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Returns the next sequence_number for a request, 1 to 0x7FFFFFFF (SMPP 3.4, 5.1.4). */
  nextSequence(): number {
    this.#sequence = this.#sequence === maxSequence ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  /**
   * Sends the PDU at the end of this turn. Does nothing when closed.
   *
   * @throws RangeError like `encodePdu`
   */
  send(pdu: Pdu): void {
    if (this.#closed) return;
    const room = sizeBound(pdu);
    if (this.#slab.length - this.#end < room) {
      this.#socket.cork();
      this.#write();
      process.nextTick(() => this.#socket.uncork());
      this.#slab = Buffer.allocUnsafeSlow(Math.max(slabSize, room));
      this.#start = 0;
      this.#end = 0;
    }
    this.#end = writePdu(pdu, this.#slab, this.#end);
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#write();
    });
  }

  /**
   * Sends enquire_link after each `intervalMs` of silence, and ends the connection after another `timeoutMs` without
   * any octets.
   */
  keepAlive(intervalMs: number, timeoutMs: number): void {
    clearInterval(this.#keepAlive);
    this.#keepAlive = setInterval(
      () => {
        const now = performance.now();
        if (this.#heardAt >= this.#askedAt) this.#askedAt = 0;
        if (this.#askedAt !== 0) {
          if (now - this.#askedAt >= timeoutMs) this.destroy('no answer to enquire_link');
        } else if (now - this.#heardAt >= intervalMs) this.ask();
      },
      Math.max(1, Math.min(intervalMs, timeoutMs) / 2),
    );
  }

  /** Sends enquire_link now, unless an answer is awaited. `keepAlive` watches for the answer. */
  ask(): void {
    if (this.#askedAt !== 0 && this.#heardAt < this.#askedAt) return;
    this.#askedAt = performance.now();
    this.send({ command: command.enquireLink, status: 0, sequence: this.nextSequence() });
  }

  /** Sends the pending PDUs, then ends the connection, whether or not the peer ends it too. */
  end(reason: string): void {
    if (this.#closed) return;
    this.#reason = reason;
    this.#write();
    this.#socket.end();
    this.#endTimer ??= setTimeout(() => this.#socket.destroy(), lingerMs);
  }

  /** Ends the connection now. `closed` is called in a later turn. */
  destroy(reason: string): void {
    if (this.#closed) return;
    this.#reason = reason;
    this.#framer.stop();
    this.#socket.destroy();
  }

  #write(): void {
    if (this.#end === this.#start || this.#closed) return;
    this.#socket.write(this.#slab.subarray(this.#start, this.#end));
    this.#start = this.#end;
    if (this.#socket.writableLength > this.#maxUnsent) this.destroy('the peer does not read');
  }

  #frame(buffer: Buffer, start: number, end: number): void {
    try {
      const decoded = decodePdu(buffer, start, end);
      if (decoded.bad) this.#bad(decoded.bad);
      else if (decoded.pdu.command === command.enquireLink)
        this.send({ command: command.enquireLinkResp, status: 0, sequence: decoded.pdu.sequence });
      else this.#events.pdu(decoded.pdu);
    } catch (error) {
      this.destroy('fault');
      this.#events.fault(error);
    }
  }

  /** A request with a specific response gets that one; responses are never answered (SMPP 3.4, 4.3). */
  #bad(bad: BadPdu): void {
    const known = bad.answer !== errorCode.ESME_RINVCMDID;
    if (!known || bad.command < command.genericNack) this.send(known ? refusal(bad) : nack(bad));
    this.#events.bad(bad, false);
  }

  #framingLost(length: number): void {
    const answer = errorCode.ESME_RINVCMDLEN;
    const bad = { command: 0, sequence: 0, answer, reason: `command_length ${length}` };
    this.send(nack(bad));
    this.#events.bad(bad, true);
    this.end('framing lost');
  }
}

function nack(bad: BadPdu): Pdu {
  return { command: command.genericNack, status: bad.answer, sequence: bad.sequence };
}

function refusal(bad: BadPdu): Pdu {
  switch (bad.command) {
    case command.submitSm:
    case command.deliverSm:
    case command.dataSm: {
      const answer = (bad.command + command.genericNack) as MessageRespPdu['command'];
      return { command: answer, status: bad.answer, sequence: bad.sequence, messageId: '', tlvs: [] };
    }
    case command.submitMulti:
      return {
        command: command.submitMultiResp,
        ...{ status: bad.answer, sequence: bad.sequence, messageId: '', refused: [] },
      };
    case command.cancelSm:
      return { command: command.cancelSmResp, status: bad.answer, sequence: bad.sequence };
    case command.bindReceiver:
    case command.bindTransmitter:
    case command.bindTransceiver: {
      const answer = (bad.command + command.genericNack) as BindRespPdu['command'];
      return { command: answer, status: bad.answer, sequence: bad.sequence, systemId: '', tlvs: [] };
    }
    default:
      return nack(bad);
  }
}
