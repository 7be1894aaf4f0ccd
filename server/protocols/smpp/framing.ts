import { headerLength, maxCommandLength } from './commands.ts';

/** Called with the octets of one complete PDU, which stay valid. */
type FrameHandler = (buffer: Buffer, start: number, end: number) => void;

/**
 * Splits a byte stream into PDUs, whatever its chunks. A PDU inside one chunk is passed on in place; a PDU across
 * chunks is copied once.
 */
export class Framer {
  readonly #onFrame: FrameHandler;
  readonly #onInvalidLength: (length: number) => void;
  /** Octets of an incomplete PDU; allocated in the PDU's size once its length has arrived. */
  #partial: Buffer | null = null;
  #filled = 0;
  #lost = false;

  /**
   * Calls `onInvalidLength` once, for a command_length below 16 or above 64 KiB. Framing is lost then, and all later
   * octets are ignored.
   */
  constructor(onFrame: FrameHandler, onInvalidLength: (length: number) => void) {
    this.#onFrame = onFrame;
    this.#onInvalidLength = onInvalidLength;
  }

  /** Stops passing on frames, when a connection is closed in the middle of a chunk. */
  stop(): void {
    this.#lost = true;
    this.#partial = null;
  }

  /** Takes the next octets of the stream, which must not be overwritten later. */
  push(chunk: Buffer): void {
    if (this.#lost) return;
    let at = this.#partial ? this.#complete(chunk) : 0;
    while (!this.#lost && chunk.length - at >= 4) {
      const length = chunk.readUInt32BE(at);
      if (!this.#isValid(length)) return;
      if (chunk.length - at < length) break;
      this.#onFrame(chunk, at, at + length);
      at += length;
    }
    if (!this.#lost && at < chunk.length) this.#keep(chunk, at);
  }

  /** Continues the PDU begun in an earlier chunk. Returns the offset of its end in this chunk. */
  #complete(chunk: Buffer): number {
    let at = 0;
    if (this.#filled < 4) {
      at = Math.min(4 - this.#filled, chunk.length);
      chunk.copy(this.#partial!, this.#filled, 0, at);
      this.#filled += at;
      if (this.#filled < 4) return at;
      const length = this.#partial!.readUInt32BE(0);
      if (!this.#isValid(length)) return at;
      const whole = Buffer.allocUnsafe(length);
      this.#partial!.copy(whole, 0, 0, 4);
      this.#partial = whole;
    }
    const partial = this.#partial!;
    const taken = Math.min(partial.length - this.#filled, chunk.length - at);
    chunk.copy(partial, this.#filled, at, at + taken);
    this.#filled += taken;
    if (this.#filled === partial.length) {
      this.#partial = null;
      this.#onFrame(partial, 0, partial.length);
    }
    return at + taken;
  }

  #keep(chunk: Buffer, at: number): void {
    const left = chunk.length - at;
    this.#partial = Buffer.allocUnsafe(left < 4 ? 4 : chunk.readUInt32BE(at));
    chunk.copy(this.#partial, 0, at);
    this.#filled = left;
  }

  #isValid(length: number): boolean {
    if (length >= headerLength && length <= maxCommandLength) return true;
    this.stop();
    this.#onInvalidLength(length);
    return false;
  }
}
