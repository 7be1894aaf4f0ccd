import { Pool } from 'undici';
import type { Clock } from '../../kit/clock.ts';
import type { SsrfGuard } from '../../kit/http/ssrf-guard.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { Outage } from '../../kit/observability/outages.ts';
import { type Span, type Tracing, traceHeaders } from '../../kit/observability/tracing/tracing.ts';
import { TransientSet } from '../../kit/transient.ts';
import { type Answers, isRead } from './answers.ts';
import { Attempt, type Failure } from './attempt.ts';
import type { AttemptLog } from './attempt-log.ts';
import type { Endpoint, EndpointCounts } from './endpoints.ts';
import * as metrics from './metrics.ts';
import { callbackPath, contentTypeOf, type PushBodies, webhookBody, webhookHeaders } from './payloads.ts';
import { keysOf, type SigningKeys } from './signing-keys.ts';
import { beginAttempt, endAttempt } from './traces.ts';
import type { Item } from './types.ts';

/** Milliseconds that an endpoint has to answer (decisions, section 4). */
const ANSWER_MS = 10_000;
/** Number of consecutive failures after which the endpoint counts as down. */
const DOWN_AFTER = 5;
/** Seconds of deliveries, at the endpoint's pace, that may wait in memory when it is slow; further ones are stored. */
const ROOM_SECONDS = 2;
/** Recorded attempts per second. They show what an endpoint answers, and are few compared to the requests of a busy one. */
const RECORDED_PER_SECOND = 10;

/** Items that wait for one endpoint, and callbacks for their outcome. */
interface Run {
  readonly items: readonly Item[];
  /** Time zone of the account. */
  readonly zone: string;
  /** Whether it waits without a limit, because its items are already stored. */
  readonly patient: boolean;
  /** Called after an attempt; null means success. */
  settled(index: number, failure: Failure | null): void;
  /**
   * Called when the items from `from` (inclusive) to `to` (exclusive) were not attempted because the endpoint is down,
   * disabled or too slow.
   */
  deferred(from: number, to: number): void;
}

interface Queued {
  readonly run: Run;
  next: number;
  end: number;
}

export interface WebhookQueueOptions {
  readonly clock: Clock;
  /** If absent, outages of the endpoint are not logged. */
  readonly log?: Logger | undefined;
  readonly tracing?: Tracing | undefined;
  readonly ssrfGuard: SsrfGuard;
  readonly connections: number;
  readonly pushBody: PushBodies;
  readonly answers: Answers;
  /** If absent, attempts are not recorded. */
  readonly attemptLog?: AttemptLog | undefined;
  /**
   * Called when the endpoint answered 410: it never wants events again (Standard Webhooks, "Responding to webhooks").
   */
  readonly gone: (endpoint: Endpoint) => void;
}

/**
 * Delivery to one endpoint by this process: its connections, its waiting items, and whether it is up. Each endpoint has
 * a separate queue, so that a slow or dead one delays no other.
 */
export class WebhookQueue {
  endpoint: Endpoint;
  readonly #options: WebhookQueueOptions;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: readonly string[];
  #keys: SigningKeys | undefined;
  readonly #queue: Queued[] = [];
  readonly #attempts = new TransientSet<Attempt>();
  /** Attempts that may be recorded until the next tick. */
  #recordable = RECORDED_PER_SECOND;
  /** Number of answers that are being read. */
  #reading = 0;
  #waiting = 0;
  #room = Number.POSITIVE_INFINITY;
  #pumping = false;
  #down = false;
  #halted = false;
  #failuresInRow = 0;
  /**
   * Start of the period in which items have waited without a break, and the number of attempts that have ended since.
   */
  #behindSince = 0;
  #doneSince = 0;
  #perSecond = Number.POSITIVE_INFINITY;
  #counts = noCounts();
  #failingSince = 0;
  readonly #outage: Outage;

  constructor(endpoint: Endpoint, options: WebhookQueueOptions) {
    this.endpoint = endpoint;
    this.#options = options;
    this.#outage = new Outage({
      kind: 'webhook',
      log: () => options.log,
      level: 'warn',
      gone: 'webhook endpoint unavailable, its events wait',
      back: 'webhook endpoint available again',
    });
    const url = new URL(endpoint.url);
    this.#path = url.pathname + url.search;
    this.#headers = ['user-agent', 'Carillon', 'content-type', contentTypeOf(endpoint.kind)];
    this.#keys = keysOf(endpoint);
    this.#pool = new Pool(url.origin, {
      connections: options.connections,
      pipelining: 1,
      connect: options.ssrfGuard.connect,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
    });
  }

  /** Whether the endpoint has failed so often that only probes are sent to it. */
  get isDown(): boolean {
    return this.#down;
  }

  get isActive(): boolean {
    return this.endpoint.state === 'active' && !this.#halted;
  }

  /** Number of stored deliveries to read at a time: some seconds' work. */
  get pageSize(): number {
    return Math.min(1_000, Math.max(this.#options.connections, Math.round(this.#perSecond * ROOM_SECONDS)));
  }

  /** Accepts items, or defers them immediately when the endpoint is down, disabled or far behind. */
  offer(run: Run): void {
    const full = !run.patient && this.#waiting >= this.#room;
    if (this.#down || !this.isActive || full) run.deferred(0, run.items.length);
    else this.#push(run);
  }

  /** Attempts stored items and returns the result of each; undefined for one that was not attempted. */
  deliver(
    items: readonly Item[],
    zone: string,
    probe = false,
  ): Promise<readonly (Failure | null | undefined)[]> {
    return new Promise((resolve) => {
      const results: (Failure | null | undefined)[] = new Array(items.length);
      let open = items.length;
      const close = (count: number) => {
        open -= count;
        if (open === 0) resolve(results);
      };
      const run: Run = {
        items,
        zone,
        patient: true,
        settled(index, failure) {
          results[index] = failure;
          close(1);
        },
        deferred: (from, to) => close(to - from),
      };
      if (probe && this.isActive) this.#push(run, true);
      else this.offer(run);
    });
  }

  /**
   * Runs every second: ends attempts that take too long, permits further recorded attempts, measures the pace of an endpoint
   * that is behind, and defers the items that exceed it.
   */
  tick(): void {
    const now = performance.now();
    this.#recordable = RECORDED_PER_SECOND;
    this.#attempts.visit((attempt) => {
      if (now - attempt.startedAt >= ANSWER_MS) attempt.timeOut();
    });
    if (this.#queue.length === 0) {
      this.#perSecond = Number.POSITIVE_INFINITY;
      this.#room = Number.POSITIVE_INFINITY;
      return;
    }
    const seconds = (now - this.#behindSince) / 1_000;
    if (seconds < 1) return;
    this.#perSecond = this.#doneSince / seconds;
    this.#room = Math.max(this.#options.connections, Math.ceil(this.#perSecond * ROOM_SECONDS));
    this.#behindSince = now;
    this.#doneSince = 0;
    if (this.#waiting > this.#room) this.#trim(this.#room);
  }

  /** Applies a change of the endpoint by another process or a person. */
  update(endpoint: Endpoint): void {
    const before = this.endpoint;
    this.endpoint = endpoint;
    this.#keys = keysOf(endpoint);
    if (endpoint.state === 'off') {
      this.#trim(0);
      return;
    }
    const wasSwitchedOn = before.state === 'off';
    const recovered = this.#down && endpoint.failing_since === null && this.#counts.failed === 0;
    if (wasSwitchedOn) this.#failingSince = 0;
    if (wasSwitchedOn || recovered) {
      this.#down = false;
      // After one more failure it counts as down again.
      this.#failuresInRow = DOWN_AFTER - 1;
    }
  }

  /** Returns the counts since the last call; undefined without attempts. */
  takeCounts(): EndpointCounts | undefined {
    if (this.#counts.delivered + this.#counts.failed === 0) return undefined;
    const counts = { id: this.endpoint.id, ...this.#counts, failingSince: this.#failingSince };
    this.#counts = noCounts();
    return counts;
  }

  /** Adds counts that could not be written. */
  giveBack({ delivered, failed, lastSuccessAt, lastFailureAt, lastFailure }: EndpointCounts): void {
    this.#counts.delivered += delivered;
    this.#counts.failed += failed;
    this.#counts.lastSuccessAt = Math.max(this.#counts.lastSuccessAt, lastSuccessAt);
    this.#counts.lastFailureAt = Math.max(this.#counts.lastFailureAt, lastFailureAt);
    this.#counts.lastFailure ??= lastFailure;
  }

  /** Accepts no more items and defers the waiting ones; attempts under way continue. */
  halt(): void {
    this.#halted = true;
    this.#trim(0);
  }

  /** Cuts the connections; attempts under way fail. */
  async destroy(): Promise<void> {
    await this.#pool.destroy();
  }

  #push(run: Run, first = false): void {
    if (this.#queue.length === 0) {
      this.#behindSince = performance.now();
      this.#doneSince = 0;
    }
    const queued = { run, next: 0, end: run.items.length };
    if (first) this.#queue.unshift(queued);
    else this.#queue.push(queued);
    if (!run.patient) this.#waiting += run.items.length;
    this.#pump(first);
  }

  #pump(probe = false): void {
    // An attempt can fail synchronously and so call this method again.
    if (this.#pumping) return;
    this.#pumping = true;
    const most = this.#options.connections;
    while (this.#attempts.size + this.#reading < most || probe) {
      const queued = this.#queue[0];
      if (!queued) break;
      const index = queued.next++;
      if (queued.next === queued.end) this.#queue.shift();
      if (!queued.run.patient) this.#waiting--;
      this.#start(queued.run, index);
      probe = false;
    }
    this.#pumping = false;
  }

  #start(run: Run, index: number): void {
    const item = run.items[index]!;
    const { tracing, answers, attemptLog } = this.#options;
    const missing = answers.missing(item.event);
    if (missing) {
      run.settled(index, missing);
      return;
    }
    const span = tracing && item.event.trace ? beginAttempt(tracing, this.endpoint, item.event) : undefined;
    const expects = item.event.type === 'status.callback' ? item.event.data.expects : null;
    const isKept = this.#recordable > 0 && attemptLog?.take() === true;
    if (isKept) this.#recordable--;
    const judging = { expects, isRead: isRead(item.event), isKept };
    const attempt = new Attempt(
      (again) => this.#send(again, item, run.zone, span),
      (ended, failure) => {
        if (span) endAttempt(span, ended.status, failure?.reason);
        this.#attempts.remove(place);
        const milliseconds = performance.now() - ended.startedAt;
        metrics.attemptSeconds.observe({ kind: this.endpoint.kind }, milliseconds / 1_000);
        if (isKept) {
          attemptLog?.add({
            accountId: this.endpoint.account_id,
            endpointId: this.endpoint.id,
            eventKey: item.key,
            duration: Math.round(milliseconds * 1_000),
            status: failure ? failure.status : ended.status,
            error: failure?.error ?? null,
            answer: ended.text,
          });
        }
        this.#judge(failure);
        if (failure === null && judging.isRead) void this.#read(run, index, ended);
        else run.settled(index, failure);
        this.#pump();
      },
      () => this.#options.clock.now(),
      judging,
    );
    const place = this.#attempts.add(attempt);
    this.#send(attempt, item, run.zone, span);
  }

  /** Acts on an answer. Problems of its content do not count as failures of the host. */
  async #read(run: Run, index: number, { answer }: Attempt): Promise<void> {
    this.#reading++;
    const { account_id } = this.endpoint;
    const problem = await this.#options.answers.read(account_id, run.items[index]!.event, answer);
    this.#reading--;
    run.settled(index, problem);
    this.#pump();
  }

  #send(attempt: Attempt, item: Item, zone: string, span: Span | undefined): void {
    const traced = span ? traceHeaders(span.trace) : [];
    if (item.event.type === 'status.callback') {
      const { method, body, headers } = item.event.data;
      const path = callbackPath(item.event.data);
      const common = method === 'GET' ? this.#headers.slice(0, 2) : this.#headers;
      const all = [...common, ...headers, ...traced];
      this.#pool.dispatch({ method, path, headers: all, body: method === 'GET' ? null : body }, attempt);
      return;
    }
    const keys = this.#keys;
    const body = keys ? webhookBody(item.event) : this.#options.pushBody(item.event, zone);
    let headers = this.#headers as string[];
    if (keys) {
      const now = this.#options.clock.now();
      const inForce = now < keys.bothUntil ? keys.both : keys.current;
      headers = headers.concat(webhookHeaders(inForce, item, now, body));
    }
    if (span) headers = headers.concat(traced);
    this.#pool.dispatch({ method: 'POST', path: this.#path, headers, body }, attempt);
  }

  #judge(failure: Failure | null): void {
    this.#doneSince++;
    const counts = this.#counts;
    if (failure === null) {
      counts.delivered++;
      counts.lastSuccessAt = this.#options.clock.now();
      this.#failuresInRow = 0;
      this.#failingSince = 0;
      this.#down = false;
      if (this.#outage.isOn) this.#outage.worked(this.#facts);
      return;
    }
    counts.failed++;
    counts.lastFailureAt = failure.at;
    counts.lastFailure = failure;
    if (this.#failingSince === 0) this.#failingSince = failure.at;
    metrics.failed.inc({ kind: this.endpoint.kind, reason: failure.reason });
    if (failure.status === 410 && this.endpoint.kind === 'webhook' && this.isActive) {
      this.endpoint = { ...this.endpoint, state: 'off' };
      this.#options.gone(this.endpoint);
      this.#trim(0);
    } else if (++this.#failuresInRow >= DOWN_AFTER && !this.#down) {
      this.#down = true;
      this.#trim(0);
    }
    if (this.#down) this.#outage.failed({ ...this.#facts, reason: failure.error });
  }

  /** Log fields; path and query of the address are omitted because they often contain the receiver's key. */
  get #facts() {
    const { id, account_id: account, url } = this.endpoint;
    return { account, endpoint: id, receiver: new URL(url).host };
  }

  /** Defers waiting items beyond the first `most`, the newest first; patient runs only when no item may wait. */
  #trim(most: number): void {
    for (let i = this.#queue.length - 1; i >= 0; i--) {
      const queued = this.#queue[i]!;
      const { run, next, end } = queued;
      if (most > 0 && (run.patient || this.#waiting <= most)) continue;
      const count = most === 0 ? end - next : Math.min(end - next, this.#waiting - most);
      queued.end -= count;
      if (!run.patient) this.#waiting -= count;
      if (queued.end === next) this.#queue.splice(i, 1);
      run.deferred(end - count, end);
    }
  }
}

const noCounts = (): {
  -readonly [K in Exclude<keyof EndpointCounts, 'id' | 'failingSince'>]: EndpointCounts[K];
} => ({
  delivered: 0,
  failed: 0,
  lastSuccessAt: 0,
  lastFailureAt: 0,
  lastFailure: null,
});
