import { WorkerTask, WorkFailed } from '../worker-task.ts';
import type { Sniffed } from './rules.ts';

/** A ZIP file with very many entries takes longest; an honest file takes some milliseconds. */
const LIMIT_MS = 10_000;
const MAX_WAITING = 200;

/** What is said of a file whose content keeps the worker too long. */
const nothing: Sniffed = { type: undefined, isText: false };

/** Reads the types of files from their content, in a worker thread: anybody may send one, and libraries read it. */
export class Sniffer {
  readonly #task = new WorkerTask<string, Sniffed>({
    module: new URL('sniff-worker.ts', import.meta.url),
    limitMs: LIMIT_MS,
    maxWaiting: MAX_WAITING,
  });

  /** What is in the file at `path`; nothing where that cannot be told. Throws WorkerBusy when too many wait. */
  async read(path: string): Promise<Sniffed> {
    try {
      return await this.#task.run(path);
    } catch (error) {
      if (error instanceof WorkFailed) return nothing;
      throw error;
    }
  }
}
