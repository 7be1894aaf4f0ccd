import { errorCode } from './errors.ts';
import type { Tlv } from './pdu.ts';

/** The body of a PDU does not follow its layout; `status` is the command_status of the answer. */
export class UndecodableError extends Error {
  readonly status: number;

  constructor(reason: string, status: number) {
    super(reason);
    this.status = status;
  }
}

const noTlvs: readonly Tlv[] = [];

/** Reads the fields of one PDU body in order. Every method throws `UndecodableError` at the end of the body. */
export class Reader {
  readonly #buffer: Buffer;
  readonly #end: number;
  #at: number;

  constructor(buffer: Buffer, start: number, end: number) {
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
  }

  /** Number of unread octets of the body. */
  get left(): number {
    return this.#end - this.#at;
  }

  octet(): number {
    if (this.#at >= this.#end) throw new UndecodableError('body too short', errorCode.ESME_RINVCMDLEN);
    return this.#buffer[this.#at++]!;
  }

  uint32(): number {
    if (this.left < 4) throw new UndecodableError('body too short', errorCode.ESME_RINVCMDLEN);
    this.#at += 4;
    return this.#buffer.readUInt32BE(this.#at - 4);
  }

  /**
   * Reads a C-octet string of at most `size` octets including NUL, as Latin-1. `status` is the answer to a longer one.
   */
  cString(size: number, status: number): string {
    const buffer = this.#buffer;
    const start = this.#at;
    const limit = Math.min(this.#end, start + size);
    let at = start;
    while (at < limit && buffer[at] !== 0) at++;
    if (at === limit) {
      const cut = limit === this.#end;
      throw new UndecodableError(
        cut ? 'string without end' : 'string too long',
        cut ? errorCode.ESME_RINVCMDLEN : status,
      );
    }
    this.#at = at + 1;
    if (at === start) return '';
    return buffer.toString('latin1', start, at);
  }

  /** Returns a view on the next `length` octets. */
  octets(length: number, status: number): Buffer {
    const start = this.#at;
    if (start + length > this.#end) throw new UndecodableError('message longer than the body', status);
    this.#at = start + length;
    return this.#buffer.subarray(start, start + length);
  }

  /** Reads all optional parameters up to the end of the body. */
  tlvs(): readonly Tlv[] {
    if (this.#at === this.#end) return noTlvs;
    const tlvs: Tlv[] = [];
    while (this.#at < this.#end) {
      if (this.left < 4) throw new UndecodableError('parameter cut short', errorCode.ESME_RINVOPTPARSTREAM);
      const tag = this.#buffer.readUInt16BE(this.#at);
      const length = this.#buffer.readUInt16BE(this.#at + 2);
      this.#at += 4;
      tlvs.push({ tag, value: this.octets(length, errorCode.ESME_RINVPARLEN) });
    }
    return tlvs;
  }
}
