import type { SipMessage } from './message.ts';
import { assemble, contentLength, limits, parseHead, SipParseError } from './parser.ts';

const NOTHING = Buffer.alloc(0);
const CR = 0x0d;
const LF = 0x0a;

/** Splits a stream into messages (RFC 3261, 18.3) by their Content-Length. */
export class SipFramer {
  #bytes: Buffer = NOTHING;
  /** Number of leading bytes in `#bytes` without an end of a header. */
  #searched = 0;

  /**
   * Takes received bytes and returns the complete messages. Calls `onPing` for each keep-alive (RFC 5626, 3.5.1).
   *
   * @throws SipParseError when the stream can no longer be parsed, which ends the connection
   */
  push(bytes: Buffer, onPing: () => void = () => {}): SipMessage[] {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    const messages: SipMessage[] = [];
    for (;;) {
      this.#skipPings(onPing);
      const end = this.#bytes.indexOf('\r\n\r\n', this.#searched);
      if (end < 0) {
        if (this.#bytes.length > limits.header) throw new SipParseError('the header is too long');
        this.#searched = Math.max(0, this.#bytes.length - 3);
        return messages;
      }
      this.#searched = end;
      const { first, headers } = parseHead(this.#bytes.subarray(0, end));
      const length = contentLength(headers);
      if (length === undefined) throw new SipParseError('no Content-Length on a stream');
      if (length > limits.message) throw new SipParseError('too long');
      const begin = end + 4;
      if (this.#bytes.length < begin + length) return messages;
      messages.push(assemble(first, headers, Buffer.from(this.#bytes.subarray(begin, begin + length))));
      this.#bytes = this.#bytes.subarray(begin + length);
      this.#searched = 0;
    }
  }

  #skipPings(onPing: () => void): void {
    let at = 0;
    while (this.#bytes[at] === CR && this.#bytes[at + 1] === LF) {
      at += 2;
      if (this.#bytes[at] === CR && this.#bytes[at + 1] === LF) {
        at += 2;
        onPing();
      }
    }
    if (at > 0) {
      this.#bytes = this.#bytes.subarray(at);
      this.#searched = 0;
    }
  }
}
