import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Context } from '../../kit/context.ts';
import type { Answer, Failure } from './attempt.ts';
import type { Event, StatusCallback } from './types.ts';

/** A problem of an answer. The request is not repeated for it. */
export interface AnswerProblem {
  readonly error: string;
  /** Code of the interface. */
  readonly code: string;
  /** Whether the answer was acted on, at least in part: then no other address is asked instead. */
  readonly isActedOn: boolean;
}

/**
 * Acts on the answers to the callbacks of an interface. A callback is sent at least once, so its answer may be read more
 * than once: a reader must not act twice for one callback.
 */
export interface AnswerReader {
  /** Acts on an answer. Rejects if the request shall be repeated. */
  read(accountId: number, callback: StatusCallback, answer: Answer): Promise<AnswerProblem | undefined>;
  /**
   * Returns the event that is sent in place of a callback that has failed; undefined if there is no other address, and the
   * callback is repeated.
   *
   * @param failure null for a callback that was not sent, because its host is down
   */
  instead(accountId: number, callback: StatusCallback, failure: Failure | null): Promise<Event | undefined>;
}

/** An event that may be a callback with a reader. */
const callbackOf = (event: Event): StatusCallback | undefined =>
  event.type === 'status.callback' && event.data.answer ? event.data : undefined;

/** Whether the answer to an event is read. */
export const isRead = (event: Event): boolean => callbackOf(event) !== undefined;

/** The readers of answers in this process. */
export class Answers {
  readonly #deps: Pick<Context, 'clock' | 'log'>;
  readonly #readers = new Map<string, AnswerReader>();

  constructor(deps: Pick<Context, 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Adds the reader of an interface, before anything runs. */
  add(name: string, reader: AnswerReader): void {
    this.#readers.set(name, reader);
  }

  /** Returns a failure if nothing in this process reads the answer to an event, so that another process sends it. */
  missing(event: Event): Failure | undefined {
    const callback = callbackOf(event);
    return callback && !this.#readerOf(callback)
      ? this.#failure(null, 'the interface is off in this process')
      : undefined;
  }

  /** Acts on the answer to an event. Returns null if that succeeds. Never rejects. */
  async read(accountId: number, event: Event, answer: Answer): Promise<Failure | null> {
    const callback = callbackOf(event)!;
    try {
      const problem = await this.#readerOf(callback)!.read(accountId, callback, answer);
      if (!problem) return null;
      const { error, code, isActedOn } = problem;
      const text = answer.body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '');
      return { ...this.#failure(answer.status, error), answer: text, code, isActedOn, isFinal: true };
    } catch (error) {
      if (!isDatabaseTrouble(error))
        this.#deps.log.error({ err: error, account: accountId }, 'answer to a callback not read');
      return this.#failure(answer.status, 'the answer could not be processed');
    }
  }

  /** Returns the event to send in place of one that has failed; undefined if the event itself is repeated. */
  async instead(accountId: number, event: Event, failure: Failure | null): Promise<Event | undefined> {
    const callback = callbackOf(event);
    const reader = callback && this.#readerOf(callback);
    // The same address gets a request whose answer this service failed to process.
    const isRepeated = failure?.reason === 'answer' && !failure.isFinal;
    return failure?.isActedOn || isRepeated ? undefined : reader?.instead(accountId, callback!, failure);
  }

  #readerOf({ answer }: StatusCallback): AnswerReader | undefined {
    return this.#readers.get(answer!.reader);
  }

  #failure(status: number | null, error: string): Failure {
    return { reason: 'answer', status, error, answer: null, at: this.#deps.clock.now() };
  }
}

/** Bytes of an answer that are stored with a problem. */
const KEPT_BYTES = 1_000;
