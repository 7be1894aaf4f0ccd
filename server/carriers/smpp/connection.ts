import type { Socket } from 'node:net';
import { type BadPdu, decodePdu } from './codec.ts';
import { command } from './commands.ts';
import { sizeBound, writePdu } from './encoder.ts';
import { errorCode } from './errors.ts';
import { Framer } from './framing.ts';
import type { MessageRespPdu, Pdu } from './pdu.ts';

/** Who hears of a connection. Called in the socket's turn; what it throws ends the connection, not the process. */
interface ConnectionEvents {
  /** Every decodable PDU but enquire_link, which is answered already. */
  pdu(pdu: Pdu): void;
  /** A PDU that could not be decoded; it is answered already. `fatal` when framing is lost. */
  bad(bad: BadPdu, fatal: boolean): void;
  /** Something threw while a PDU was worked on: a fault of ours. The connection is being closed. */
  fault(error: unknown): void;
  /** Once, when the connection has ended for whatever reason. */
  closed(reason: string): void;
}

const slabSize = 64 * 1024;
/** A peer that lets this much pile up unread is given up. */
const maxUnsent = 32 * 1024 * 1024;
/** How long the peer may take to end a connection that we ended. */
const lingerMs = 1_000;
const maxSequence = 0x7fffffff;

/**
 * One SMPP connection, of either side: framing, gathered writes, answers to enquire_link and to what cannot be
 * decoded, and watching that the peer lives.
 *
 * What is sent in one turn of the event loop leaves in one write. PDUs are encoded straight into a slab of 64 KiB
 * whose octets are never written twice, so the socket may hold on to them.
 */
export class SmppConnection {
  readonly #socket: Socket;
  /** When enquire_link was sent; 0 while none is awaited. */
  #askedAt = 0;
  readonly #events: ConnectionEvents;
  readonly #framer: Framer;
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

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket;
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

  /** When the peer was heard last, monotonic milliseconds. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** The next sequence_number for a request, 1 to 0x7FFFFFFF (SMPP 3.4, 5.1.4). */
  nextSequence(): number {
    this.#sequence = this.#sequence === maxSequence ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  /** Sends the PDU at the end of this turn. Nothing happens when closed. RangeError as `encodePdu`. */
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

  /** Sends enquire_link after each silent `intervalMs`, and gives up `timeoutMs` after it without a sign of life. */
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

  /** Sends enquire_link now, unless one is awaited. `keepAlive` watches for the answer. */
  ask(): void {
    if (this.#askedAt !== 0 && this.#heardAt < this.#askedAt) return;
    this.#askedAt = performance.now();
    this.send({ command: command.enquireLink, status: 0, sequence: this.nextSequence() });
  }

  /** Sends what is waiting, then ends the connection, whether the peer does so too or not. */
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
    if (this.#socket.writableLength > maxUnsent) this.destroy('the peer does not read');
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

  /** A request that has an answer of its own gets that one; answers are never answered (SMPP 3.4, 4.3). */
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
    default:
      return nack(bad);
  }
}
