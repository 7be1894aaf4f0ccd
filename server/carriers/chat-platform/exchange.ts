import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** The outcome of one request. */
export type Exchange =
  /** An answer, whole. */
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly body: string }
  /**
   * No whole answer. `sent` tells whether the request had left, so that it may have been taken; `status` is that of the
   * answer's head, 0 when not even that came.
   */
  | {
      readonly kind: 'broken';
      readonly sent: boolean;
      readonly status: number;
      readonly headers: Headers;
      /** What the network said, where it did. */
      readonly error?: Error;
    };

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const noHeaders: Headers = Object.freeze({});

interface ExchangeOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: readonly string[];
  /** A stream has its length in `headers`. */
  readonly body: string | Uint8Array | Readable | null;
  /** For the whole of it, the wait for a free connection included, in milliseconds. */
  readonly timeoutMs: number;
  /** An answer that is longer, in bytes, is cut off and counts as none. */
  readonly longestAnswer: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One request through undici's lowest interface, which alone tells whether it was sent. Never throws, and never sends
 * twice: what was in the air when the connection broke may have been taken.
 */
export function exchange(dispatcher: Dispatcher, options: ExchangeOptions): Promise<Exchange> {
  return new Promise((resolve) => {
    const { signal } = options;
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let cause: Error | undefined;
    let status = 0;
    let headers = noHeaders;
    let length = 0;
    let settled = false;

    const settle = (exchange: Exchange) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(exchange);
    };
    const broken = (error?: Error) =>
      settle({ kind: 'broken', sent: controller !== undefined, status, headers, ...(error && { error }) });
    const stop = (reason: string) => {
      cause = new Error(reason);
      controller?.abort(cause);
      // Also when it still waits for a connection, where nothing can be aborted: see onRequestStart.
      broken();
    };
    const onAbort = () => stop('given up');
    const timer = setTimeout(() => stop('no whole answer in time'), options.timeoutMs);
    if (signal?.aborted) return broken();
    signal?.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(
      {
        origin: options.origin,
        path: options.path,
        method: options.method,
        headers: options.headers as string[],
        body: options.body,
      },
      {
        onRequestStart(started) {
          // It waited for a connection until nobody wanted it any more: it must not be sent now.
          if (cause) started.abort(cause);
          else controller = started;
        },
        onResponseStart(_controller, code, fields) {
          status = code;
          headers = fields;
        },
        onResponseData(_controller, chunk) {
          length += chunk.length;
          if (length > options.longestAnswer) stop('the answer is too long');
          else chunks.push(chunk);
        },
        onResponseEnd() {
          const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
          settle({ kind: 'answer', status, headers, body: body.toString('utf8') });
        },
        onResponseError: (_controller, error) => broken(error),
      },
    );
  });
}
