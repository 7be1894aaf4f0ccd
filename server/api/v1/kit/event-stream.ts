import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Milliseconds between heartbeats; proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Milliseconds after which a stream ends. The client then reconnects and signs in again. */
const LIFE_MS = 10 * 60_000;
/** Milliseconds that a check of the caller's access is valid for further events. */
const ALLOWED_MS = 1_000;
/** Characters that a client may leave unread before the stream ends. */
const MAX_UNREAD = 1_000_000;
/** Milliseconds after which a client reconnects. */
export const RETRY_MS = 1_000;

/** A stream of server-sent events. */
export interface EventStream {
  readonly body: Readable;
  /** Whether writers that can wait should do so, because the client has much unread data. */
  readonly isFull: boolean;
  /** Writes an event. Ends the stream if the client has too much unread data or no longer has access. */
  write(text: string): void;
  end(): void;
}

/**
 * Opens a stream that ends after ten minutes. Calls `isAllowed` before events, and with each heartbeat, so that nothing
 * is written after the session has ended.
 */
export function openStream(isAllowed: () => Promise<boolean>): EventStream {
  const body = new Readable({ read() {} });
  let isOver = false;
  const end = () => {
    if (!isOver) body.push(null);
    isOver = true;
  };
  let allowedAt = Date.now();
  let waiting: string[] = [];
  let isAsking = false;

  function push(text: string): void {
    if (isOver || body.destroyed) return;
    if (body.readableLength > MAX_UNREAD) body.destroy();
    else body.push(text);
  }
  async function ask(): Promise<void> {
    isAsking = true;
    // If the database is unavailable, the access is unknown: the stream ends, and the client is checked when it
    // reconnects.
    const allowed = await isAllowed().catch(() => false);
    isAsking = false;
    if (!allowed) {
      end();
      return;
    }
    allowedAt = Date.now();
    for (const text of waiting) push(text);
    waiting = [];
  }
  function write(text: string): void {
    if (!isAsking && Date.now() - allowedAt < ALLOWED_MS) {
      push(text);
      return;
    }
    waiting.push(text);
    if (!isAsking) void ask();
  }

  push(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS).unref();
  const life = setTimeout(end, LIFE_MS).unref();
  body.once('close', () => {
    clearInterval(heartbeat);
    clearTimeout(life);
  });
  return {
    body,
    get isFull() {
      return body.readableLength > MAX_UNREAD / 4 || waiting.length > 0;
    },
    write,
    end,
  };
}

/** Answers a request with a stream. */
export const sendStream = (reply: FastifyReply, stream: EventStream): FastifyReply =>
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    // Otherwise nginx would buffer the stream.
    .header('x-accel-buffering', 'no')
    .send(stream.body);
