import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../kit/errors.ts';
import { MAX_UNSLICED_BODY } from './limits.ts';

/** Maximum bytes of incomplete bodies in memory, in the whole process. */
const MAX_BUFFERED = 256 * 1024 * 1024;

/** A body over its limit. The rest is read and discarded, so that the client sees the response. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly statusCode = 413;
  /** Bytes. */
  readonly limit: number;
  /** The first bytes of the body, which show its form. */
  readonly beginning: Buffer;

  constructor(limit: number, beginning: Buffer) {
    super(`the body is over ${sizeOf(limit)}`);
    this.limit = limit;
    this.beginning = beginning;
  }
}

/** A body that did not arrive in time (body-watch.ts). */
export class BodyTimeout extends Error {
  override readonly name = 'BodyTimeout';
  readonly statusCode = 408;

  constructor() {
    super('the body did not come whole in time');
  }
}

/** The client disconnected before its body was complete, so nobody receives a response. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted';
  readonly statusCode = 400;

  constructor() {
    super('the client went away during its upload');
  }
}

/**
 * Keeps the connection of a request that is refused before its body is read; the rest of the body is then discarded
 * (body-watch.ts). Fastify would close the connection, and the client's next write would lose the response.
 */
export function keepConnection(error: unknown, reply: FastifyReply): void {
  if ((error as { statusCode?: number }).statusCode === 413) reply.removeHeader('connection');
}

/** Formats a number of bytes for people. */
export const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`;

/**
 * Whether a request failed because its client disconnected during the upload. The code of its error is ECONNRESET,
 * which other errors have too.
 */
export function isUploadAborted(request: FastifyRequest, error: unknown): boolean {
  return error instanceof BodyAborted || (request.raw.destroyed && !request.raw.complete);
}

let buffered = 0;

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the reading of its body by `readBody`; null when it is not being read. */
    endReading: ((error: Error) => void) | null;
  }
}

/** Ends the reading of a request's body with an error. Returns false if `readBody` is not reading it. */
export function endReading(request: FastifyRequest, error: Error): boolean {
  const end = request.endReading;
  end?.(error);
  return end !== null;
}

/**
 * Reads the whole body of a request.
 *
 * @param limit maximum bytes
 * @throws {BodyTooLarge}, {BodyTimeout}, {BodyAborted}, Refusal `try-again` if too many bodies are being read
 */
export function readBody(request: FastifyRequest, payload: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    const tooLong = announced > limit;
    // A large body is copied as it arrives: joining 20 MiB at its end held the loop for 84 ms where the host of a virtual machine
    // provides memory at the first access. Memory that is not written costs nothing.
    const whole = !tooLong && announced > MAX_UNSLICED_BODY ? Buffer.allocUnsafeSlow(announced) : undefined;
    const chunks: Buffer[] = [];
    let length = 0;

    function settle(): void {
      buffered -= length;
      request.endReading = null;
      payload.off('data', take).off('end', end).off('close', close);
    }

    function fail(error: Error): void {
      settle();
      // The rest is discarded, up to the limits of body-watch.ts.
      payload.resume();
      reject(error);
    }

    function take(chunk: Buffer): void {
      if (whole) chunk.copy(whole, length);
      else chunks.push(chunk);
      length += chunk.length;
      buffered += chunk.length;
      if (tooLong || length > limit) {
        fail(new BodyTooLarge(limit, Buffer.concat(chunks).subarray(0, MAX_UNSLICED_BODY)));
      } else if (buffered > MAX_BUFFERED && length > MAX_UNSLICED_BODY) {
        fail(new Refusal('try-again', 'too many large requests at once, try again'));
      }
    }

    function end(): void {
      settle();
      if (whole) resolve(whole.subarray(0, length));
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    }

    const close = () => fail(new BodyAborted());

    request.endReading = fail;
    // `close` reports its error, too.
    payload.on('error', () => {});
    payload.on('data', take).on('end', end).on('close', close);
    if (payload.destroyed) close();
  });
}
