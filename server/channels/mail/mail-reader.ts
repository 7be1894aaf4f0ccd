import { WorkerTask, WorkFailed } from '../../kit/worker-task.ts';
import type { BounceReport } from './bounce-reports.ts';
import type { IncomingMail } from './incoming-mail.ts';

/** Milliseconds for an email: 256 KiB of line breaks take the parser 3 s; a report takes a millisecond. */
const LIMIT_MS = 10_000;
const MAX_WAITING = 100;

/** Parses emails from outside in a worker thread: anybody may send them, and the parser cannot be interrupted. */
export class MailReader<Read> {
  readonly #task: WorkerTask<Uint8Array, Read | undefined>;

  /** @param module the file of the worker */
  constructor(module: URL) {
    this.#task = new WorkerTask({
      module,
      limitMs: LIMIT_MS,
      maxWaiting: MAX_WAITING,
    });
  }

  /**
   * Returns the worker's result for an email; undefined if parsing takes too long. Throws WorkerBusy if too many emails
   * wait.
   */
  async read(raw: Buffer): Promise<Read | undefined> {
    try {
      return await this.#task.run(raw);
    } catch (error) {
      if (error instanceof WorkFailed) return undefined;
      throw error;
    }
  }
}

/** Parses reports of mail servers, as `readBounce`. */
export const createBounceReader = () =>
  new MailReader<BounceReport>(new URL('bounce-worker.ts', import.meta.url));

/** Parses emails of people, as `readIncomingMail`. */
export const createIncomingReader = () =>
  new MailReader<IncomingMail>(new URL('incoming-worker.ts', import.meta.url));
