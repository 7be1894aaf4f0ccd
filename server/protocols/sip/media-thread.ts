import { Worker } from 'node:worker_threads';
import type { MediaOrder, MediaReport } from './media-messages.ts';
import { Playback } from './playback.ts';
import type { SpokenMessage } from './prompt.ts';
import type { AudioDescription } from './sdp.ts';

/**
 * Milliseconds to wait for the thread. Binding two ports takes under a millisecond, a start some tens; a slower thread
 * is stuck.
 */
const OPEN_MS = 30_000;
/** Milliseconds that the thread gets for packets that calls still have to send. */
const FAREWELL_MS = 1_000;
const INT_BYTES = 4;
/**
 * Megabytes of V8's young generation. The thread's live data takes 12 MiB; without a limit V8 grows its heap to 80 MiB
 * within 30,000 calls.
 */
const YOUNG_GENERATION_MIB = 6;

/** Audio of a call. */
interface MediaPlay {
  /** Where the other side wants the audio, with the codec. */
  readonly target: AudioDescription;
  readonly spoken: SpokenMessage;
  /** Silence before the first word, in milliseconds. */
  readonly startDelayMs: number;
  /** Called once, when everything was played or the media thread has ended; not called after `stop`. */
  readonly onEnd: () => void;
}

/** The audio of one call: two ports, and the message played from them. */
export class CallMedia {
  /** RTP port; RTCP uses the next one. */
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

  /** Duration of uninterrupted playback, in milliseconds. */
  get lengthMs(): number {
    return this.#playback?.lengthMs ?? 0;
  }

  /** Seconds of the message that were sent, including the pauses between repetitions. */
  get heardSeconds(): number {
    return this.#playback?.heardSeconds(this.#position) ?? 0;
  }

  /** Number of times that the message was sent completely. */
  get rounds(): number {
    return this.#playback?.rounds(this.#position) ?? 0;
  }

  /** Starts playback. */
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

  /** Applies a change by the other side: another address, another codec, or no audio for now (hold). */
  retarget(target: AudioDescription): void {
    this.#order({ kind: 'retarget', id: this.#id, target });
  }

  /** Stops playback. */
  stop(): void {
    this.#onEnd = undefined;
    this.#order({ kind: 'stop', id: this.#id });
  }

  /** Stops playback and releases the ports. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onEnd = undefined;
    this.#order({ kind: 'close', id: this.#id });
    this.#closed();
  }

  /** Called by MediaThread when it plays nothing more. */
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
 * RTP and RTCP of all calls of the process, sent by a separate thread (media-worker.ts) that runs while it has holders.
 * When the thread fails or stops answering, the playback of its calls ends; the next call starts a new thread.
 */
export class MediaThread {
  #worker: Worker | undefined;
  readonly #holders = new Set<{ readonly onFault: (error: Error) => void }>();
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();
  readonly #open = new Map<number, CallMedia>();

  /** Number of calls with open ports. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Starts the thread, or keeps it running, until the returned function is called. `onFault` is called with the error
   * that ended the thread.
   */
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
   * Opens ports between `from` and `to`, both inclusive, at a local address. Rejects when every port is in use, with
   * system errors, and when the media thread does not answer.
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
    // The thread needs no settings, and an empty environment cannot leak any.
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

/** The media thread of this process. */
export const mediaThread = new MediaThread();
