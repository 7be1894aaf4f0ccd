import { Worker } from 'node:worker_threads';
import type { MediaOrder, MediaReport } from './media-messages.ts';
import { Playback } from './playback.ts';
import type { SpokenMessage } from './prompt.ts';
import type { AudioDescription } from './sdp.ts';

/** Binding two ports takes less than a millisecond, and a start some tens; a thread that needs so long is stuck. */
const OPEN_MS = 30_000;
/** So long it has for what calls still have to send. */
const FAREWELL_MS = 1_000;
const INT_BYTES = 4;
/** What lives in the thread takes 12 MiB; left alone, V8 grows its heap to 80 MiB within 30,000 calls. */
const YOUNG_GENERATION_MIB = 6;

/** What a call plays. */
interface MediaPlay {
  /** Where the other side wants it; with a codec. */
  readonly target: AudioDescription;
  readonly spoken: SpokenMessage;
  /** Silence before the first word. */
  readonly startDelayMs: number;
  /** Everything was played, or the media thread has ended. Called once, and not after `stop`. */
  readonly onEnd: () => void;
}

/** The audio of one call: two ports, and the message that is played from them. */
export class CallMedia {
  /** Of RTP; RTCP has the next. */
  readonly port: number;
  readonly #order: (order: MediaOrder) => void;
  readonly #id: number;
  readonly #closed: () => void;
  readonly #progress = new Int32Array(new SharedArrayBuffer(INT_BYTES));
  #playback: Playback | undefined;
  #onEnd: (() => void) | undefined;
  #isClosed = false;

  constructor(id: number, port: number, order: (order: MediaOrder) => void, closed: () => void) {
    this.#id = id;
    this.port = port;
    this.#order = order;
    this.#closed = closed;
  }

  /** How long what is played takes when nothing holds it up, in milliseconds. */
  get lengthMs(): number {
    return this.#playback?.lengthMs ?? 0;
  }

  /** Seconds of the message that were sent, pauses between its repetitions included. */
  get heardSeconds(): number {
    return this.#playback?.heardSeconds(this.#position) ?? 0;
  }

  /** How often the message was sent to its end. */
  get rounds(): number {
    return this.#playback?.rounds(this.#position) ?? 0;
  }

  /** Begins to play. */
  play({ target, spoken, startDelayMs, onEnd }: MediaPlay): void {
    this.#playback = new Playback(spoken, startDelayMs);
    this.#onEnd = onEnd;
    this.#order({
      kind: 'play',
      id: this.#id,
      target,
      spoken,
      startDelayMs,
      progress: this.#progress,
    });
  }

  /** The other side wants its audio elsewhere, with another codec, or (on hold) not for now. */
  retarget(target: AudioDescription): void {
    this.#order({ kind: 'retarget', id: this.#id, target });
  }

  /** Ends what is played. */
  stop(): void {
    this.#onEnd = undefined;
    this.#order({ kind: 'stop', id: this.#id });
  }

  /** Ends what is played, and gives the ports back. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onEnd = undefined;
    this.#order({ kind: 'close', id: this.#id });
    this.#closed();
  }

  /** Of MediaThread: nothing more is played. */
  ended(): void {
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.();
  }

  get #position(): number {
    return Atomics.load(this.#progress, 0);
  }
}

interface Waiting {
  readonly resolve: (media: CallMedia) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * RTP and RTCP of all calls of the process, sent by a thread of its own (media-worker.ts): it is there while somebody holds
 * it. A thread that ends by a fault, or answers no more, ends what its calls play; the next call has a new one.
 */
export class MediaThread {
  #worker: Worker | undefined;
  readonly #holders = new Set<{ readonly onFault: (error: Error) => void }>();
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();
  readonly #open = new Map<number, CallMedia>();

  /** How many calls have ports. */
  get size(): number {
    return this.#open.size;
  }

  /** Starts the thread, or keeps it going, until the function that is returned is called. `onFault` is told why it ended. */
  hold(onFault: (error: Error) => void = () => {}): () => void {
    const holder = { onFault };
    this.#holders.add(holder);
    this.#start();
    return () => {
      if (this.#holders.delete(holder) && this.#holders.size === 0)
        this.#end(new Error('the media thread was stopped'));
    };
  }

  /**
   * Ports between `from` and `to`, both included, at a local address. Throws when every port is taken, what the system says,
   * and when the media thread does not answer.
   */
  open(address: string, ports: { readonly from: number; readonly to: number }): Promise<CallMedia> {
    const worker = this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(new Error('the media thread does not answer')), OPEN_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ kind: 'open', id, address, ports } satisfies MediaOrder);
    });
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    // It needs no settings, and what is in none cannot leak from it.
    const worker = new Worker(new URL('./media-worker.ts', import.meta.url), {
      name: 'media',
      env: {},
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    worker.unref();
    worker.on('message', (report: MediaReport) => this.#hear(worker, report));
    const over = (error: Error) => {
      if (this.#worker === worker) this.#fail(error);
    };
    worker.on('error', over);
    worker.on('exit', (code) => over(new Error(`the media thread ended with ${code}`)));
    this.#worker = worker;
    return worker;
  }

  #hear(worker: Worker, report: MediaReport): void {
    const { id } = report;
    if (report.kind === 'done') {
      this.#open.get(id)?.ended();
      return;
    }
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (report.kind === 'failed') {
      waiting.reject(new Error(report.message));
      return;
    }
    const media = new CallMedia(
      id,
      report.port,
      (order) => worker.postMessage(order),
      () => this.#open.delete(id),
    );
    this.#open.set(id, media);
    waiting.resolve(media);
  }

  #fail(error: Error): void {
    this.#end(error);
    for (const { onFault } of this.#holders) onFault(error);
  }

  #end(error: Error): void {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker) {
      worker.postMessage({ kind: 'end' } satisfies MediaOrder);
      setTimeout(() => void worker.terminate(), FAREWELL_MS).unref();
    }
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const media of open) media.ended();
  }
}

/** The media thread of the process. */
export const mediaThread = new MediaThread();
