import { WorkerTask, WorkFailed } from '../../kit/worker-task.ts';
import type { Sniffed } from './rules.ts';

/** Time limit. A ZIP file with very many entries takes longest; an ordinary file takes some milliseconds. */
const LIMIT_MS = 10_000;
const MAX_WAITING = 200;

/** Result for a file whose content exceeds the time limit of the worker. */
const nothing: Sniffed = { type: undefined, isText: false };

/**
 * Detects the types of files from their content, in a worker thread, because files come from strangers and libraries parse
 * them.
 */
export class Sniffer {
  readonly #task = new WorkerTask<string, Sniffed>({
    module: new URL('sniff-worker.ts', import.meta.url),
    limitMs: LIMIT_MS,
    maxWaiting: MAX_WAITING,
  });

  /**
   * Detects the content of the file at `path`; returns `nothing` when the worker fails. Throws WorkerBusy when too many
   * files wait.
   */
  async read(path: string): Promise<Sniffed> {
    try {
      return await this.#task.run(path);
    } catch (error) {
      if (error instanceof WorkFailed) return nothing;
      throw error;
    }
  }
}
