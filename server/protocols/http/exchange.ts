import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** The outcome of one request. */
export type Exchange =
  /** A complete answer. */
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly body: string }
  /**
   * No complete answer. `sent` tells whether the request was sent and may therefore have been accepted. `status` is the
   * status of the answer's head, 0 when no head arrived.
   */
  | {
      readonly kind: 'broken';
      readonly sent: boolean;
      readonly status: number;
      readonly headers: Headers;
      /** The network error, if there was one. */
      readonly error?: Error;
    };

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const noHeaders: Headers = Object.freeze({});

interface ExchangeOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: readonly string[];
  /** The headers must state the length of a stream. */
  readonly body: string | Uint8Array | Readable | null;
  /** Timeout of the whole request in milliseconds, including the wait for a free connection. */
  readonly timeoutMs: number;
  /** Maximum answer length in bytes. A longer answer is cut off and counts as no answer. */
  readonly longestAnswer: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes one request through undici's lowest-level interface, the only one that tells whether the request was sent.
 * Never throws and never sends twice: a request that was under way when the connection broke may have been accepted.
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
      // Also resolve when the request still waits for a connection, where nothing can be aborted: see onRequestStart.
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
          // The caller aborted the request while it waited for a connection, so it must not be sent now.
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
