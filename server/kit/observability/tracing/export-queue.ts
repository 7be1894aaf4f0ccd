import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';
import { counter } from '../metrics.ts';
import { Outage } from '../outages.ts';
import type { TraceSettings } from './settings.ts';

const exported = counter('carillon_trace_spans_exported_total', 'Spans that the collector accepted');
const dropped = counter(
  'carillon_trace_spans_dropped_total',
  'Spans that did not reach the collector: the queue was full, an export failed, or the process stopped',
  'reason',
);
for (const reason of ['queue', 'export', 'stop']) dropped.inc({ reason }, 0);

type Limits = Pick<TraceSettings, 'batch' | 'delayMs' | 'queue' | 'exportMs'>;

/**
 * Ended spans, up to a limit, exported one batch at a time. Nothing waits for the export: spans without room, or
 * rejected by the collector, are counted and dropped. The SDK's own queue does not count dropped spans.
 */
export class ExportQueue implements SpanProcessor {
  readonly #exporter: SpanExporter;
  readonly #limits: Limits;
  readonly #outage: Outage;
  /**
   * Exports run outside any request, so that their log lines do not belong to the request whose span filled the batch.
   */
  readonly #outside = AsyncLocalStorage.snapshot();
  #waiting: ReadableSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(exporter: SpanExporter, limits: Limits, log: Logger) {
    this.#exporter = exporter;
    this.#limits = limits;
    this.#outage = new Outage({
      kind: 'collector',
      log,
      gone: 'collector takes no spans, they are dropped',
      back: 'collector takes spans again',
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    const { queue, batch, delayMs } = this.#limits;
    if (this.#isStopped) dropped.inc({ reason: 'stop' });
    else if (this.#waiting.length >= queue) dropped.inc({ reason: 'queue' });
    else {
      this.#waiting.push(span);
      if (this.#waiting.length >= batch) this.#start();
      else this.#timer ??= setTimeout(() => this.#start(), delayMs).unref();
    }
  }

  /** Resolves when all ended spans are exported or dropped. */
  async forceFlush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running) {
      this.#start();
      await this.#running;
    }
  }

  async shutdown(): Promise<void> {
    await this.stop(0);
  }

  /** Exports waiting spans for up to `graceMs`, and drops the rest. */
  async stop(graceMs: number): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await Promise.race([this.forceFlush(), pause(graceMs, undefined, { ref: false })]);
    clearTimeout(this.#timer);
    dropped.inc({ reason: 'stop' }, this.#waiting.length);
    this.#waiting = [];
    await Promise.race([this.#exporter.shutdown(), pause(graceMs, undefined, { ref: false })]);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#outside(() => this.#exportAll()).finally(() => {
      this.#running = undefined;
    });
  }

  async #exportAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, this.#limits.batch);
      const failure = await this.#export(spans);
      if (failure === undefined) exported.inc(spans.length);
      else dropped.inc({ reason: 'export' }, spans.length);
      this.#tell(failure);
    }
  }

  /** Exports a batch. Returns the reason of a failure. */
  async #export(spans: ReadableSpan[]): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    // The exporter has its own deadlines. This one protects from an exporter that never calls back.
    const timer = setTimeout(() => resolve('no answer in time'), this.#limits.exportMs);
    try {
      this.#exporter.export(spans, (result) => resolve(failureOf(result)));
    } catch (error) {
      resolve(String(error));
    }
    return promise.finally(() => clearTimeout(timer));
  }

  /** Logs when exports begin to fail, and when they work again. */
  #tell(failure: string | undefined): void {
    if (failure === undefined) this.#outage.worked();
    else this.#outage.failed({ failure });
  }
}

function failureOf({ code, error }: ExportResult): string | undefined {
  if (code === ExportResultCode.SUCCESS) return undefined;
  const status = error && 'code' in error ? String(error.code) : '';
  return [status, error?.message].filter(Boolean).join(': ').slice(0, 200) || 'unknown';
}
