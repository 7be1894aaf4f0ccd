import { Pool } from 'undici';
import type { Clock } from '../clock.ts';
import type { SsrfGuard } from '../http/ssrf-guard.ts';
import type { Logger } from '../observability/log.ts';
import { Outage } from '../observability/outages.ts';
import { type Span, type Tracing, traceHeaders } from '../observability/tracing/tracing.ts';
import { Attempt, type Failure } from './attempt.ts';
import type { Endpoint, EndpointCounts } from './endpoints.ts';
import * as metrics from './metrics.ts';
import { contentTypeOf, type PushBodies, webhookBody, webhookHeaders } from './payloads.ts';
import { beginAttempt, endAttempt } from './traces.ts';
import type { Item } from './types.ts';

/** An endpoint has this long to answer (decisions, section 4). */
const ANSWER_MS = 10_000;
/** So many failures in a row, with no success between, and the endpoint counts as down. */
const DOWN_AFTER = 5;
/** An endpoint that is behind has as many events waiting in memory as it takes in this time; the rest is stored. */
const ROOM_SECONDS = 2;

/** Items that wait for one endpoint, and who is told their outcome. */
interface Run {
  readonly items: readonly Item[];
  /** Time zone of the account. */
  readonly zone: string;
  /** Whether it waits as long as it takes: its items are stored already. */
  readonly patient: boolean;
  /** An attempt was made; null is success. */
  settled(index: number, failure: Failure | null): void;
  /** The items from `from` to before `to` were not attempted: the endpoint is down, off or too slow. */
  deferred(from: number, to: number): void;
}

interface Queued {
  readonly run: Run;
  next: number;
  end: number;
}

export interface WebhookQueueOptions {
  readonly clock: Clock;
  /** Without it, outages of the endpoint are not logged. */
  readonly log?: Logger | undefined;
  readonly tracing?: Tracing | undefined;
  readonly ssrfGuard: SsrfGuard;
  readonly connections: number;
  readonly pushBody: PushBodies;
  /** The endpoint answered 410: it wants no more, ever (Standard Webhooks, "Responding to webhooks"). */
  readonly gone: (endpoint: Endpoint) => void;
}

/**
 * The way to one endpoint from this process: its connections, what waits for it, and whether it is up. Each
 * endpoint has its own, so that a slow or dead one holds up nobody.
 */
export class WebhookQueue {
  endpoint: Endpoint;
  readonly #options: WebhookQueueOptions;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: readonly string[];
  #keys: SigningKeys | undefined;
  readonly #queue: Queued[] = [];
  readonly #attempts = new Set<Attempt>();
  #waiting = 0;
  #room = Number.POSITIVE_INFINITY;
  #pumping = false;
  #down = false;
  #halted = false;
  #failuresInRow = 0;
  /** Since when something waits without a break, and how many attempts have ended since then. */
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
    this.#headers = ['content-type', contentTypeOf(endpoint.kind), 'user-agent', 'Carillon'];
    this.#keys = keysOf(endpoint);
    this.#pool = new Pool(url.origin, {
      connections: options.connections,
      pipelining: 1,
      connect: options.ssrfGuard.connect,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
    });
  }

  /** Whether the endpoint has failed so often that only probes go to it. */
  get isDown(): boolean {
    return this.#down;
  }

  get isActive(): boolean {
    return this.endpoint.state === 'active' && !this.#halted;
  }

  /** How many stored deliveries to read at a time: some seconds' work. */
  get pageSize(): number {
    return Math.min(1_000, Math.max(this.#options.connections, Math.round(this.#perSecond * ROOM_SECONDS)));
  }

  /** Takes items, or defers them at once when the endpoint is down, off or far behind. */
  offer(run: Run): void {
    const full = !run.patient && this.#waiting >= this.#room;
    if (this.#down || !this.isActive || full) run.deferred(0, run.items.length);
    else this.#push(run);
  }

  /** Tries stored items and gives the result of each; undefined for one that was not attempted. */
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

  /** Once a second: ends attempts that take too long, measures the pace of an endpoint that is behind, and stores what is beyond it. */
  tick(): void {
    const now = performance.now();
    for (const attempt of this.#attempts) {
      if (now - attempt.startedAt < ANSWER_MS) break;
      attempt.timeOut();
    }
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

  /** The endpoint as another process or person has changed it. */
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
      // One more failure and it counts as down again.
      this.#failuresInRow = DOWN_AFTER - 1;
    }
  }

  /** What was seen since the last call; undefined when nothing was attempted. */
  takeCounts(): EndpointCounts | undefined {
    if (this.#counts.delivered + this.#counts.failed === 0) return undefined;
    const counts = { id: this.endpoint.id, ...this.#counts, failingSince: this.#failingSince };
    this.#counts = noCounts();
    return counts;
  }

  /** Counts delivery updates again that could not be written. */
  giveBack({ delivered, failed, lastSuccessAt, lastFailureAt, lastFailure }: EndpointCounts): void {
    this.#counts.delivered += delivered;
    this.#counts.failed += failed;
    this.#counts.lastSuccessAt = Math.max(this.#counts.lastSuccessAt, lastSuccessAt);
    this.#counts.lastFailureAt = Math.max(this.#counts.lastFailureAt, lastFailureAt);
    this.#counts.lastFailure ??= lastFailure;
  }

  /** Takes nothing more and defers what waits; attempts that are under way go on. */
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
    // An attempt can fail at once and so lead back here.
    if (this.#pumping) return;
    this.#pumping = true;
    const most = this.#options.connections;
    while (this.#attempts.size < most || probe) {
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
    const { tracing } = this.#options;
    const span = tracing && item.event.trace ? beginAttempt(tracing, this.endpoint, item.event) : undefined;
    const attempt = new Attempt(
      (again) => this.#send(again, item, run.zone, span),
      (ended, failure) => {
        if (span) endAttempt(span, ended.status, failure?.reason);
        this.#attempts.delete(ended);
        metrics.attemptSeconds.observe(
          { kind: this.endpoint.kind },
          (performance.now() - ended.startedAt) / 1_000,
        );
        this.#judge(failure);
        run.settled(index, failure);
        this.#pump();
      },
      () => this.#options.clock.now(),
    );
    this.#attempts.add(attempt);
    this.#send(attempt, item, run.zone, span);
  }

  #send(attempt: Attempt, item: Item, zone: string, span: Span | undefined): void {
    const keys = this.#keys;
    const body = keys ? webhookBody(item.event) : this.#options.pushBody(item.event, zone);
    let headers = this.#headers as string[];
    if (keys) {
      const now = this.#options.clock.now();
      const inForce = now < keys.bothUntil ? keys.both : keys.current;
      headers = headers.concat(webhookHeaders(inForce, item, now, body));
    }
    if (span) headers = headers.concat(traceHeaders(span.trace));
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

  /** Fields of the log; path and query of the address often have the receiver's key. */
  get #facts() {
    const { id, account_id: account, url } = this.endpoint;
    return { account, endpoint: id, receiver: new URL(url).host };
  }

  /** Defers what waits beyond the first `most` items, the newest first; patient runs only when nothing may wait. */
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

/** What a webhook's requests are signed with. */
interface SigningKeys {
  readonly current: readonly Buffer[];
  /** With the one that was replaced, up to `bothUntil`, milliseconds since the epoch. */
  readonly both: readonly Buffer[];
  readonly bothUntil: number;
}

function keysOf({ kind, secret, old_secret, old_secret_until }: Endpoint): SigningKeys | undefined {
  if (kind !== 'webhook') return undefined;
  const current = [keyOf(secret!)];
  const both = old_secret === null ? current : [...current, keyOf(old_secret)];
  return { current, both, bothUntil: old_secret_until ?? 0 };
}

const keyOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64');
