import { parentPort, Worker } from 'node:worker_threads';

/*
 * Work that cannot be sliced (time-slices.ts), since a library does it in one piece: a worker thread does it, so that the
 * event loop goes on. For small inputs and results alone: copying a large one costs the event loop more than it saves.
 */

/** Heap of a worker, in megabytes: an input that needs more ends the worker and nothing else. */
const MAX_HEAP_MB = 256;

/** Too many inputs wait for the worker. */
class WorkerBusy extends Error {
  override readonly name = 'WorkerBusy';
}

/** The work on one input was given up: it threw, took too long, or needed too much memory. */
export class WorkFailed extends Error {
  override readonly name = 'WorkFailed';
}

interface WorkerTaskOptions {
  /** The module that the worker runs. It calls `serveTask`. */
  readonly module: URL;
  /** How long the work on one input may take, in milliseconds. */
  readonly limitMs: number;
  /** Inputs that may wait while another one is worked on. */
  readonly maxWaiting: number;
}

interface Job<I, O> {
  readonly input: I;
  readonly resolve: (output: O) => void;
  readonly reject: (error: Error) => void;
}

/** What a worker answers to an input. */
type Outcome<O> = { readonly output: O } | { readonly problem: string };

/** One worker thread that works on one input at a time. It starts with the first, and keeps no process alive. */
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
   * What the worker makes of an input; both are copied (structured clone). Throws WorkerBusy, and WorkFailed when the work
   * was given up.
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

  /** Ends the worker with what it works on; the next input gets a new one. */
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

/** In a worker: does `work` for each input. To be called once by the module of a WorkerTask. */
export function serveTask<I, O>(work: (input: I) => Promise<O>): void {
  parentPort!.on('message', async (input: I) => {
    const outcome: Outcome<O> = await work(input).then(
      (output) => ({ output }),
      (error: unknown) => ({ problem: String((error as Error).message) }),
    );
    parentPort!.postMessage(outcome);
  });
}
