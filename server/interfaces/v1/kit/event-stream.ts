import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Proxies end what is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** A stream ends after this; the client comes again, and is signed in again. */
const LIFE_MS = 10 * 60_000;
/** An event is written when the caller was allowed to read it at most this long ago. */
const ALLOWED_MS = 1_000;
/** What a client has not taken, in characters: beyond it the stream ends. */
const MAX_UNREAD = 1_000_000;
/** How soon a client comes again. */
export const RETRY_MS = 1_000;

/** A stream of server-sent events. */
export interface EventStream {
  readonly body: Readable;
  /** Whether the client has so much unread that a writer who can wait should. */
  readonly isFull: boolean;
  /** Writes an event, unless the client has left too many unread or is not allowed to read any more: then it ends. */
  write(text: string): void;
  end(): void;
}

/**
 * Opens a stream that ends by itself after ten minutes. `isAllowed` is asked before events, and with each heartbeat, so that
 * nothing is written to somebody whose session has ended.
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
    // A database that is away says nothing about the caller: the client comes again and is asked then.
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
    // nginx would gather it.
    .header('x-accel-buffering', 'no')
    .send(stream.body);
