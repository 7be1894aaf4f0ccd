import { setTimeout as pause } from 'node:timers/promises';
import { type Caller, phones, send } from '../faults/support.ts';
import { waitFor } from '../support/wait-for.ts';

const WORKERS = 4;
const SIZE = 10;
/** Milliseconds after which a request is repeated: its process may be paused. */
const ANSWER_MS = 5_000;
const PATIENCE_MS = 15 * 60_000;

/** Clients that send without end, each request again and again with its key until it is accepted. */
export class Senders {
  /** Phones of accepted requests. */
  accepted = 0;
  /** Answers with status 6, and requests without an answer. */
  refused = 0;
  /** Answers that a client must never get. */
  readonly strange: string[] = [];
  readonly #workers: Promise<void>[];
  readonly #urls: () => readonly string[];
  readonly #sourceOf: (from: number) => string;
  #used = 0;
  #attempts = 0;
  #isOver = false;
  #isAbandoned = false;

  /**
   * `urls` returns the addresses of the processes, which get the requests in turns; `sourceOf` the sender of a request, by the number
   * of its first phone.
   */
  constructor(
    urls: () => readonly string[],
    account: Caller,
    sourceOf: (from: number) => string = () => 'Carillon',
  ) {
    this.#urls = urls;
    this.#sourceOf = sourceOf;
    this.#workers = Array.from({ length: WORKERS }, () => this.#work(account));
    // A failure is thrown by `stop`.
    for (const worker of this.#workers) worker.catch(() => {});
  }

  /** Sends nothing new; fulfilled when every request that was begun is accepted. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  /** Sends nothing more, and leaves requests without an answer. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
  }

  async #work(account: Caller): Promise<void> {
    while (!this.#isOver) {
      const from = this.#used;
      this.#used += SIZE;
      await this.#send(account, from);
    }
  }

  async #send(account: Caller, from: number): Promise<void> {
    const one = async () => {
      if (this.#isAbandoned) return true;
      const urls = this.#urls();
      const url = urls[this.#attempts++ % urls.length]!;
      const answer = await Promise.race([
        send(url, account, phones(from, SIZE), {
          send_key: `from-${from}`,
          source: this.#sourceOf(from),
        }).catch(() => undefined),
        pause(ANSWER_MS, undefined, { ref: false }),
      ]);
      if (answer?.status === 0) {
        this.accepted += SIZE;
        return true;
      }
      this.refused++;
      if (answer && (answer.http !== 200 || answer.status !== 6))
        this.strange.push(`HTTP ${answer.http}, ${answer.status} ${answer.message}`);
      return false;
    };
    await waitFor(`the request from ${from} is accepted`, one, PATIENCE_MS);
  }
}
