import type { Dispatcher } from 'undici';
import { SsrfError } from '../../kit/http/ssrf-guard.ts';
import { countTlsFault, tlsFaultOf } from '../../kit/tls-faults.ts';

/** Why an attempt failed, as a metric label. */
type FailureReason = 'status' | 'redirect' | 'timeout' | 'address' | 'certificate' | 'connection';

/** An attempt that was not answered with 2xx. */
export interface Failure {
  readonly reason: FailureReason;
  /** HTTP status, if there was an answer. */
  readonly status: number | null;
  readonly error: string;
  /** First 1,000 characters of the answer. */
  readonly answer: string | null;
  /** Time of the failure, in milliseconds since the epoch. */
  readonly at: number;
}

const KEPT_CHARACTERS = 1_000;
const KEPT_BYTES = 4 * KEPT_CHARACTERS;
// Maximum bytes of an answer. A push needs no longer one, so the connection is cut instead of reading on.
const LONGEST_ANSWER = 64 * 1024;

/**
 * One POST, as a handler of undici's lowest-level interface. It takes half the time of `request`, which creates a
 * stream and promises for an answer that no one reads.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly startedAt = performance.now();
  readonly #done: (attempt: Attempt, failure: Failure | null) => void;
  readonly #send: (attempt: Attempt) => void;
  readonly #now: () => number;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #bytes = 0;
  #kept: Buffer[] | undefined;
  #sentTwice = false;
  #settled = false;
  #timedOut = false;

  constructor(
    send: (attempt: Attempt) => void,
    done: (attempt: Attempt, failure: Failure | null) => void,
    now: () => number,
  ) {
    this.#send = send;
    this.#done = done;
    this.#now = now;
  }

  /** The HTTP status of the answer; 0 without one. */
  get status(): number {
    return this.#status;
  }

  /** Ends the wait for the answer. While there is no connection, the connection timeout applies instead. */
  timeOut(): void {
    this.#timedOut = true;
    this.#controller?.abort(new Error('no whole answer in time'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > LONGEST_ANSWER) controller.abort(new Error('the answer is too long'));
    else if (!isSuccess(this.#status) && this.#bytes - chunk.length < KEPT_BYTES) {
      this.#kept = [...(this.#kept ?? []), Buffer.from(chunk)];
    }
  }

  onResponseEnd(): void {
    this.#settle(isSuccess(this.#status) ? null : this.#refusal());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // The head of the answer is sufficient, even if its body is lost.
    if (isSuccess(this.#status)) this.#settle(null);
    else if (this.#status >= 300) this.#settle(this.#refusal());
    else if (!this.#sentTwice && !this.#timedOut && isLostConnection(error)) {
      // The other side was just closing the kept connection; a new one shows whether it is reachable.
      this.#sentTwice = true;
      this.#send(this);
    } else this.#settle(this.#fault(error));
  }

  #settle(failure: Failure | null): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#done(this, failure);
  }

  #refusal(): Failure {
    const redirect = this.#status >= 300 && this.#status < 400;
    return {
      reason: redirect ? 'redirect' : 'status',
      status: this.#status,
      error: redirect ? `answered ${this.#status}: redirects are not followed` : `answered ${this.#status}`,
      answer: Buffer.concat(this.#kept ?? [])
        .toString('utf8')
        .replaceAll('\0', '')
        .slice(0, KEPT_CHARACTERS)
        .toWellFormed(),
      at: this.#now(),
    };
  }

  #fault(error: Error & { code?: string }): Failure {
    const code = error.code ?? '';
    const late = this.#timedOut || code.endsWith('_TIMEOUT') || code === 'ETIMEDOUT';
    const fault = tlsFaultOf(error);
    if (fault) countTlsFault('webhooks', fault);
    const other = late ? 'timeout' : fault ? 'certificate' : 'connection';
    const reason = error instanceof SsrfError ? 'address' : other;
    const message = this.#timedOut ? 'no whole answer in time' : error.message;
    return {
      reason,
      status: null,
      error: [code, message].filter(Boolean).join(': ').replaceAll('\0', '').slice(0, 200).toWellFormed(),
      answer: null,
      at: this.#now(),
    };
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;
const isLostConnection = ({ code }: Error & { code?: string }) =>
  code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
