import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { SsrfError } from '../../kit/http/ssrf-guard.ts';
import { countTlsFault, tlsFaultOf } from '../../kit/tls-faults.ts';

/** Why an attempt failed, as a metric label. */
type FailureReason = 'status' | 'redirect' | 'timeout' | 'address' | 'certificate' | 'connection' | 'answer';

/** An attempt that was not answered as the endpoint has to. */
export interface Failure {
  readonly reason: FailureReason;
  /** HTTP status, if there was an answer. */
  readonly status: number | null;
  readonly error: string;
  /** First 1,000 characters of the answer. */
  readonly answer: string | null;
  /** Time of the failure, in milliseconds since the epoch. */
  readonly at: number;
  /** Whether the request is not repeated. */
  readonly isFinal?: boolean;
  /** Of a problem of an answer that is read (answers.ts). */
  readonly code?: string;
  readonly isActedOn?: boolean;
}

/** A successful answer to a callback. */
export interface Answer {
  /** HTTP status. */
  readonly status: number;
  /** The header; empty without one. */
  readonly contentType: string;
  readonly body: Buffer;
}

/** How an answer is judged. */
interface Judging {
  /** The text that its body must be; null for any. */
  readonly expects: string | null;
  /** Whether its body is read, and so has to arrive completely. */
  readonly isRead: boolean;
  /** Whether the beginning of a successful answer is kept too, for the log of attempts. */
  readonly isKept: boolean;
}

const KEPT_CHARACTERS = 1_000;
const KEPT_BYTES = 4 * KEPT_CHARACTERS;
// Maximum bytes of an answer: that of Twilio for TwiML. A push needs no longer one, so the connection is cut instead of
// reading on.
const LONGEST_ANSWER = 64 * 1024;

/**
 * One request, as a handler of undici's lowest-level interface. It takes half the time of `request`, which creates a
 * stream and promises for an answer that no one reads.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly startedAt = performance.now();
  readonly #done: (attempt: Attempt, failure: Failure | null) => void;
  readonly #send: (attempt: Attempt) => void;
  readonly #now: () => number;
  readonly #judging: Judging;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #contentType = '';
  #bytes = 0;
  #kept: Buffer[] | undefined;
  #sentTwice = false;
  #settled = false;
  #timedOut = false;

  constructor(
    send: (attempt: Attempt) => void,
    done: (attempt: Attempt, failure: Failure | null) => void,
    now: () => number,
    judging: Judging = { expects: null, isRead: false, isKept: false },
  ) {
    this.#judging = judging;
    this.#send = send;
    this.#done = done;
    this.#now = now;
  }

  /** The HTTP status of the answer; 0 without one. */
  get status(): number {
    return this.#status;
  }

  /** First 1,000 characters of a kept answer; null without one. */
  get text(): string | null {
    return this.#kept === undefined ? null : beginningOf(this.#keptText);
  }

  /** The whole answer, after a success whose answer is read. */
  get answer(): Answer {
    return { status: this.#status, contentType: this.#contentType, body: Buffer.concat(this.#kept ?? []) };
  }

  /** Ends the wait for the answer. While there is no connection, the connection timeout applies instead. */
  timeOut(): void {
    this.#timedOut = true;
    this.#controller?.abort(new Error('no whole answer in time'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#contentType = String(headers['content-type'] ?? '');
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > LONGEST_ANSWER) controller.abort(new Error('the answer is too long'));
    else if (this.#keeps && (this.#isReadWhole || this.#bytes - chunk.length < KEPT_BYTES)) {
      this.#kept ??= [];
      this.#kept.push(Buffer.from(chunk));
    }
  }

  onResponseEnd(): void {
    this.#settle(this.#isAccepted ? null : this.#refusal());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // The head of the answer is sufficient, even if its body is lost.
    if (this.#isReadWhole) this.#settle({ ...this.#fault(error), ...this.#cut });
    else if (isSuccess(this.#status) && this.#judging.expects === null) this.#settle(null);
    else if (isAnswered(this.#status)) this.#settle(this.#refusal());
    else if (!this.#sentTwice && !this.#timedOut && isLostConnection(error)) {
      // The other side was just closing the kept connection; a new one shows whether it is reachable.
      this.#sentTwice = true;
      this.#send(this);
    } else this.#settle(this.#fault(error));
  }

  get #keeps(): boolean {
    const { isRead, isKept, expects } = this.#judging;
    return isRead || isKept || expects !== null || !isSuccess(this.#status);
  }

  get #isReadWhole(): boolean {
    return this.#judging.isRead && isSuccess(this.#status);
  }

  /** Facts of an answer whose body is incomplete. One that is too long is so in the next attempt, too. */
  get #cut(): Partial<Failure> {
    const isTooLong = this.#bytes > LONGEST_ANSWER;
    return { status: this.#status, ...(isTooLong && { reason: 'answer', isFinal: true }) };
  }

  get #isAccepted(): boolean {
    const { expects } = this.#judging;
    return isSuccess(this.#status) && (expects === null || this.#keptText.trim() === expects);
  }

  get #keptText(): string {
    return Buffer.concat(this.#kept ?? []).toString('utf8');
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
      error: `answered ${this.#status}${redirect ? ': redirects are not followed' : isSuccess(this.#status) ? ` without ${this.#judging.expects}` : ''}`,
      answer: beginningOf(this.#keptText),
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

const beginningOf = (text: string) => text.replaceAll('\0', '').slice(0, KEPT_CHARACTERS).toWellFormed();
const isAnswered = (status: number) => status >= 200;
const isSuccess = (status: number) => status >= 200 && status < 300;
const isLostConnection = ({ code }: Error & { code?: string }) =>
  code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
