import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import { MAX_UNSLICED_BODY } from './limits.ts';

/** Bytes of bodies that are in memory and not read whole yet, in the whole process, at most. */
const MAX_BUFFERED = 256 * 1024 * 1024;

/** A body over its limit. The rest of it is passed over, so that the client sees the answer. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly statusCode = 413;
  /** Bytes. */
  readonly limit: number;
  /** The first bytes of the body: they tell its form. */
  readonly beginning: Buffer;

  constructor(limit: number, beginning: Buffer) {
    super(`the body is over ${sizeOf(limit)}`);
    this.limit = limit;
    this.beginning = beginning;
  }
}

/** A body that did not come within the time for it (body-watch.ts). */
export class BodyTimeout extends Error {
  override readonly name = 'BodyTimeout';
  readonly statusCode = 408;

  constructor() {
    super('the body did not come whole in time');
  }
}

/** The client went away before its body was whole. Nobody is there to be answered. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted';
  readonly statusCode = 400;

  constructor() {
    super('the client went away during its upload');
  }
}

/**
 * Keeps the connection of a request that is refused before its body is read, so that what the client still writes is
 * passed over (body-watch.ts): Fastify would close it, and the client's next write would lose the answer.
 */
export function keepConnection(error: unknown, reply: FastifyReply): void {
  if ((error as { statusCode?: number }).statusCode === 413) reply.removeHeader('connection');
}

/** A number of bytes as people write it. */
export const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`;

/** Whether a request failed because its client went away during the upload. Its error says ECONNRESET, as others do. */
export function isUploadAborted(request: FastifyRequest, error: unknown): boolean {
  return error instanceof BodyAborted || (request.raw.destroyed && !request.raw.complete);
}

let buffered = 0;

/** Requests whose body is being read, with what ends the reading. */
const readings = new WeakMap<FastifyRequest, (error: Error) => void>();

/** Ends the reading of a request's body with an error. False when it is not being read by `readBody`. */
export function endReading(request: FastifyRequest, error: Error): boolean {
  const end = readings.get(request);
  end?.(error);
  return end !== undefined;
}

/**
 * Reads the body of a request whole.
 *
 * @param limit bytes, at most
 * @throws {BodyTooLarge}, {BodyTimeout}, {BodyAborted}, Refusal `try-again` when too many bodies are being read
 */
export function readBody(request: FastifyRequest, payload: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const tooLong = Number(request.headers['content-length'] ?? 0) > limit;

    function settle(): void {
      buffered -= length;
      readings.delete(request);
      payload.off('data', take).off('end', end).off('close', close);
    }

    function fail(error: Error): void {
      settle();
      // The rest is passed over (body-watch.ts says how much of it).
      payload.resume();
      reject(error);
    }

    function take(chunk: Buffer): void {
      chunks.push(chunk);
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
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    }

    const close = () => fail(new BodyAborted());

    readings.set(request, fail);
    // Its error is told by `close`, too.
    payload.on('error', () => {});
    payload.on('data', take).on('end', end).on('close', close);
    if (payload.destroyed) close();
  });
}
