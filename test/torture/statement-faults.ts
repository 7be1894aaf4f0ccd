import { setTimeout as pause } from 'node:timers/promises';
import type { Tap, Tapped } from '../support/database-proxy.ts';

/*
 * Makes single statements fail, on the wire between the service and PostgreSQL. PostgreSQL itself sends the error of a
 * deadlock, a full disk or a shutdown, and really rolls back. The service has no hook for this.
 */

/** Ways in which a statement fails. After a fault named `after …`, the statement has run, and its response is lost. */
export const faults = [
  'lost',
  'deadlock',
  'serialization',
  'disk full',
  'read-only',
  'timeout',
  'shutdown',
  'lost after',
  'shutdown after',
  'late',
] as const;
export type Fault = (typeof faults)[number];

const codes: Partial<Record<Fault, string>> = {
  deadlock: '40P01',
  serialization: '40001',
  'disk full': '53100',
  'read-only': '25006',
  timeout: '57014',
};
/** Delay of a statement whose client has already lost its connection. */
const LATE_MS = 150;

/** A statement on the wire. */
export interface WireStatement {
  /**
   * Text of the statement with collapsed blanks; for `COMMIT` and `ROLLBACK` with the preceding statements, because they all
   * look the same.
   */
  readonly key: string;
  /** Whether it ends a transaction with success. */
  readonly isCommit: boolean;
}

/** Chooses the fault of a statement; undefined forwards it. */
export type Judge = (statement: WireStatement) => Fault | undefined;

/** A tap for `DatabaseProxy` with which `judge` decides about each statement of the service's sessions. */
export function statementTap(judge: Judge): (tapped: Tapped) => Tap {
  return (tapped) => new StatementTap(tapped, judge);
}

interface Unit extends WireStatement {
  readonly frames: Buffer;
}

const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const PASSWORD = 'p'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);

class StatementTap implements Tap {
  readonly #tapped: Tapped;
  readonly #judge: Judge;
  readonly #texts = new Map<string, string>();
  #client = Buffer.alloc(0);
  #server = Buffer.alloc(0);
  #isStarted = false;
  #isReady = false;
  #application = '';
  #unit: Buffer[] = [];
  #text = '';
  #before = '';
  /** Handles the server's response up to ReadyForQuery; undefined forwards it. */
  #answer: ((frames: Buffer) => void) | undefined;
  #answered: Buffer[] = [];

  constructor(tapped: Tapped, judge: Judge) {
    this.#tapped = tapped;
    this.#judge = judge;
  }

  fromClient(chunk: Buffer): void {
    this.#client = Buffer.concat([this.#client, chunk]);
    for (;;) {
      const header = this.#isStarted ? 5 : 4;
      if (this.#client.length < header) return;
      const length = this.#client.readInt32BE(header - 4) + header - 4;
      if (this.#client.length < length) return;
      const frame = this.#client.subarray(0, length);
      this.#client = this.#client.subarray(length);
      this.#fromClient(frame);
    }
  }

  fromServer(chunk: Buffer): void {
    this.#server = Buffer.concat([this.#server, chunk]);
    for (;;) {
      if (this.#server.length < 5) return;
      const length = this.#server.readInt32BE(1) + 1;
      if (this.#server.length < length) return;
      const frame = this.#server.subarray(0, length);
      this.#server = this.#server.subarray(length);
      if (frame[0] === READY) this.#isReady = true;
      if (!this.#answer) {
        this.#tapped.toClient(frame);
        continue;
      }
      this.#answered.push(frame);
      if (frame[0] !== READY) continue;
      const answer = this.#answer;
      this.#answer = undefined;
      answer(Buffer.concat(this.#answered.splice(0)));
    }
  }

  #fromClient(frame: Buffer): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      const words = frame.subarray(8).toString().split('\0');
      this.#application = words[words.indexOf('application_name') + 1] ?? '';
      this.#tapped.toServer(frame);
      return;
    }
    const type = frame[0]!;
    if (type === PASSWORD || !this.#isReady || this.#application !== 'carillon') {
      this.#tapped.toServer(frame);
      return;
    }
    this.#unit.push(frame);
    if (type === QUERY) this.#text = frame.subarray(5, -1).toString();
    if (type === PARSE) {
      const [name, text] = frame.subarray(5).toString().split('\0', 2);
      this.#texts.set(name!, text!);
    }
    if (type === BIND) {
      const [, name] = frame.subarray(5).toString('latin1').split('\0', 2);
      this.#text = this.#texts.get(name!) ?? '';
    }
    // Messages that end neither a statement nor the session are buffered until the statement is complete.
    if (type === QUERY || type === SYNC) this.#whole();
    else if (type === 'X'.charCodeAt(0)) this.#tapped.toServer(Buffer.concat(this.#unit.splice(0)));
  }

  #whole(): void {
    const text = this.#text.replace(/\s+/g, ' ').trim();
    const isCommit = /^COMMIT/.test(text) || /; COMMIT$/.test(text);
    const isControl = isCommit || text.startsWith('ROLLBACK');
    const key = isControl ? `${text} | ${this.#before}` : text;
    if (!isControl) this.#before = text;
    const unit: Unit = { key, isCommit, frames: Buffer.concat(this.#unit.splice(0)) };
    const fault = this.#judge(unit);
    if (fault === undefined) this.#tapped.toServer(unit.frames);
    else this.#fail(unit, fault);
  }

  #fail({ isCommit, frames }: Unit, fault: Fault): void {
    const { toServer, toClient, resetClient, end } = this.#tapped;
    switch (fault) {
      case 'lost':
        resetClient();
        end();
        return;
      case 'shutdown':
        toServer(query('SELECT pg_terminate_backend(pg_backend_pid())'));
        return;
      case 'lost after':
        this.#answer = () => {
          resetClient();
          end();
        };
        toServer(frames);
        return;
      case 'shutdown after':
        this.#answer = () => {
          toClient(errorFrame('FATAL', '57P01'));
          end();
        };
        toServer(frames);
        return;
      case 'late':
        this.#answer = end;
        resetClient();
        void pause(LATE_MS).then(() => toServer(frames));
        return;
      default: {
        const code = codes[fault]!;
        if (!isCommit) {
          toServer(query(`DO $$BEGIN RAISE EXCEPTION 'made to fail' USING ERRCODE = '${code}'; END$$`));
          return;
        }
        // A commit that fails has undone its transaction.
        this.#answer = (answer) => {
          toClient(errorFrame('ERROR', code));
          toClient(answer.subarray(answer.lastIndexOf(Buffer.from([READY, 0, 0, 0, 5]))));
        };
        toServer(query('ROLLBACK'));
      }
    }
  }
}

function query(text: string): Buffer {
  const payload = Buffer.from(`${text}\0`);
  const frame = Buffer.alloc(5 + payload.length);
  frame[0] = QUERY;
  frame.writeInt32BE(payload.length + 4, 1);
  payload.copy(frame, 5);
  return frame;
}

function errorFrame(severity: string, code: string): Buffer {
  const payload = Buffer.from(`S${severity}\0V${severity}\0C${code}\0Mmade to fail\0\0`);
  const frame = Buffer.alloc(5 + payload.length);
  frame[0] = 'E'.charCodeAt(0);
  frame.writeInt32BE(payload.length + 4, 1);
  payload.copy(frame, 5);
  return frame;
}
