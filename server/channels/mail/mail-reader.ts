import { WorkerTask, WorkFailed } from '../../worker-task.ts';
import type { BounceReport } from './bounce-reports.ts';
import type { IncomingMail } from './incoming-mail.ts';

/** 256 KiB of line breaks take the parser 3 s; a report takes a millisecond. */
const LIMIT_MS = 10_000;
const MAX_WAITING = 100;

/** Reads mails of others in a worker thread: anybody may send one, and its parser works in one piece. */
export class MailReader<Read> {
  readonly #task: WorkerTask<Uint8Array, Read | undefined>;

  /** @param module the file of the worker, beside this one */
  constructor(module: string) {
    this.#task = new WorkerTask({
      module: new URL(module, import.meta.url),
      limitMs: LIMIT_MS,
      maxWaiting: MAX_WAITING,
    });
  }

  /** What the worker reads of a mail; undefined for what takes too long to read. Throws WorkerBusy when too many wait. */
  async read(raw: Buffer): Promise<Read | undefined> {
    try {
      return await this.#task.run(raw);
    } catch (error) {
      if (error instanceof WorkFailed) return undefined;
      throw error;
    }
  }
}

/** Reads reports of other mail servers, as `readBounce`. */
export const createBounceReader = () => new MailReader<BounceReport>('bounce-worker.ts');

/** Reads mails of people, as `readIncomingMail`. */
export const createIncomingReader = () => new MailReader<IncomingMail>('incoming-worker.ts');
