import { WorkerTask, WorkFailed } from '../../worker-task.ts';
import type { BounceReport } from './bounce-reports.ts';

/** 256 KiB of line breaks take the parser 3 s; a report takes a millisecond. */
const LIMIT_MS = 10_000;
const MAX_WAITING = 100;

/** Reads reports of other mail servers in a worker thread: anybody may send one, and its parser works in one piece. */
export class BounceReader {
  readonly #task = new WorkerTask<Uint8Array, BounceReport | undefined>({
    module: new URL('bounce-worker.ts', import.meta.url),
    limitMs: LIMIT_MS,
    maxWaiting: MAX_WAITING,
  });

  /** As `readBounce`; what takes too long to read is no report. Throws WorkerBusy when too many wait. */
  async read(raw: Buffer): Promise<BounceReport | undefined> {
    try {
      return await this.#task.run(raw);
    } catch (error) {
      if (error instanceof WorkFailed) return undefined;
      throw error;
    }
  }
}
