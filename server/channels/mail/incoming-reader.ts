import { WorkerTask, WorkFailed } from '../../worker-task.ts';
import type { IncomingMail } from './incoming-mail.ts';

/** As of reports (bounce-reader.ts). */
const LIMIT_MS = 10_000;
const MAX_WAITING = 100;

/** Reads mails of people in a worker thread: anybody may send one, and its parser works in one piece. */
export class IncomingReader {
  readonly #task = new WorkerTask<Uint8Array, IncomingMail | undefined>({
    module: new URL('incoming-worker.ts', import.meta.url),
    limitMs: LIMIT_MS,
    maxWaiting: MAX_WAITING,
  });

  /** As `readIncomingMail`; undefined for what takes too long to read. Throws WorkerBusy when too many wait. */
  async read(raw: Buffer): Promise<IncomingMail | undefined> {
    try {
      return await this.#task.run(raw);
    } catch (error) {
      if (error instanceof WorkFailed) return undefined;
      throw error;
    }
  }
}
