import { parentPort, Worker } from 'node:worker_threads';

/*
 * Work that cannot be sliced (time-slices.ts) because a library does it in one piece. A worker thread runs it, so that
 * the event loop is not blocked. Only for small inputs and results: copying a large one costs the event loop more than
 * it saves.
 */

/** Heap of a worker, in megabytes. An input that needs more ends only the worker. */
const MAX_HEAP_MB = 256;

/** Too many inputs wait for the worker. */
class WorkerBusy extends Error {
  override readonly name = 'WorkerBusy';
}

/** The work on an input failed: it threw, took too long, or needed too much memory. */
export class WorkFailed extends Error {
  override readonly name = 'WorkFailed';
}

interface WorkerTaskOptions {
  /** Module of the worker. It must call `serveTask`. */
  readonly module: URL;
  /** Milliseconds that the work on an input may take. */
  readonly limitMs: number;
  /** Maximum number of inputs that wait while another one is processed. */
  readonly maxWaiting: number;
}

interface Job<I, O> {
  readonly input: I;
  readonly resolve: (output: O) => void;
  readonly reject: (error: Error) => void;
}

/** Response of a worker to an input. */
type Outcome<O> = { readonly output: O } | { readonly problem: string };

/**
 * A worker thread that processes one input at a time. It starts with the first input, and does not keep the process
 * alive.
 */
export class WorkerTask<I, O> {
  readonly #options: WorkerTaskOptions;
  readonly #waiting: Job<I, O>[] = [];
  #worker: Worker | undefined;
  #current: Job<I, O> | undefined;
  #limit: NodeJS.Timeout | undefined;

  constructor(options: WorkerTaskOptions) {
    this.#options = options;
  }

  /**
   * Returns the worker's result for an input; both are copied (structured clone). Throws WorkerBusy, and WorkFailed if
   * the work failed.
   */
  run(input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#options.maxWaiting) {
        reject(new WorkerBusy('too many inputs wait for the worker'));
        return;
      }
      this.#waiting.push({ input, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current) return;
    const job = this.#waiting.shift();
    if (!job) {
      this.#worker?.unref();
      return;
    }
    this.#current = job;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#limit = setTimeout(() => this.#giveUp('it took too long'), this.#options.limitMs);
    this.#worker.postMessage(job.input);
  }

  #start(): Worker {
    const worker = new Worker(this.#options.module, {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on('message', (outcome: Outcome<O>) => {
      if (worker !== this.#worker) return;
      this.#settle((job) => {
        if ('output' in outcome) job.resolve(outcome.output);
        else job.reject(new WorkFailed(outcome.problem));
      });
    });
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#giveUp(error.message);
    });
    worker.on('exit', () => {
      if (worker === this.#worker) this.#giveUp('the worker ended');
    });
    return worker;
  }

  /** Ends the worker and its current work; the next input gets a new worker. */
  #giveUp(problem: string): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#settle((job) => job.reject(new WorkFailed(problem)));
  }

  #settle(how: (job: Job<I, O>) => void): void {
    clearTimeout(this.#limit);
    const job = this.#current;
    this.#current = undefined;
    if (job) how(job);
    this.#next();
  }
}

/** In a worker: runs `work` for each input. The module of a WorkerTask calls it once. */
export function serveTask<I, O>(work: (input: I) => Promise<O>): void {
  parentPort!.on('message', async (input: I) => {
    const outcome: Outcome<O> = await work(input).then(
      (output) => ({ output }),
      (error: unknown) => ({ problem: String((error as Error).message) }),
    );
    parentPort!.postMessage(outcome);
  });
}
