import { type Caller, phones, send } from '../faults/support.ts';
import { waitFor } from '../support/wait-for.ts';

const WORKERS = 4;
const SIZE = 10;

/** Clients that send without end, each request again and again with its key until it is accepted. */
export class Senders {
  /** Phones of accepted requests. */
  accepted = 0;
  /** Answers with status 6, and requests without an answer. */
  refused = 0;
  /** Answers that a client must never get. */
  readonly strange: string[] = [];
  readonly #workers: Promise<void>[];
  #used = 0;
  #isOver = false;

  constructor(url: string, account: Caller) {
    this.#workers = Array.from({ length: WORKERS }, () => this.#work(url, account));
  }

  /** Sends nothing new; fulfilled when every request that was begun is accepted. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  async #work(url: string, account: Caller): Promise<void> {
    while (!this.#isOver) {
      const from = this.#used;
      this.#used += SIZE;
      await this.#send(url, account, from);
    }
  }

  async #send(url: string, account: Caller, from: number): Promise<void> {
    const one = async () => {
      const answer = await send(url, account, phones(from, SIZE), { send_key: `from-${from}` }).catch(
        () => undefined,
      );
      if (answer?.status === 0) {
        this.accepted += SIZE;
        return true;
      }
      this.refused++;
      if (answer && (answer.http !== 200 || answer.status !== 6))
        this.strange.push(`HTTP ${answer.http}, ${answer.status} ${answer.message}`);
      return false;
    };
    await waitFor(`the request from ${from} is accepted`, one, 15 * 60_000);
  }
}
