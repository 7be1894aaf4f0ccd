import { supervise } from '../../kit/owners.ts';
import type { Endpoint, EndpointCounts, EndpointStore } from './endpoints.ts';
import * as metrics from './metrics.ts';
import { type EventType, eventTypes } from './types.ts';
import { wantsType } from './wanted.ts';
import { WebhookQueue, type WebhookQueueOptions } from './webhook-queue.ts';

/**
 * The endpoints known to this process, and its webhook queue for each. It is at most a second behind the table, and up
 * to date with changes by this process.
 */
export class Directory {
  readonly #store: EndpointStore;
  readonly #queueOptions: WebhookQueueOptions;
  #queues = new Map<number, WebhookQueue>();
  #byAccount = new Map<number, { queues: WebhookQueue[]; types: Set<EventType> }>();
  /** Accounts for which a program reads a stream of all events (listening.ts). */
  #listening: ReadonlySet<number> = new Set();
  #version = '';
  #loading: Promise<void> = Promise.resolve();

  constructor(store: EndpointStore, queueOptions: WebhookQueueOptions) {
    this.#store = store;
    this.#queueOptions = queueOptions;
  }

  wants(accountId: number, type: EventType): boolean {
    return this.#listening.has(accountId) || (this.#byAccount.get(accountId)?.types.has(type) ?? false);
  }

  /** Returns the webhook queues of the active endpoints of an account. */
  queuesOf(accountId: number): readonly WebhookQueue[] {
    return this.#byAccount.get(accountId)?.queues ?? [];
  }

  queueOf(endpointId: number): WebhookQueue | undefined {
    return this.#queues.get(endpointId);
  }

  get queues(): Iterable<WebhookQueue> {
    return this.#queues.values();
  }

  /** Rereads the endpoints if any has changed. Simultaneous calls run one after the other. */
  refresh(): Promise<void> {
    this.#loading = this.#loading.catch(() => {}).then(() => supervise('endpoints', () => this.#load()));
    return this.#loading;
  }

  /** Stores the counts of the webhook queues since the last call. */
  async writeNews(): Promise<void> {
    const counts: EndpointCounts[] = [];
    for (const queue of this.#queues.values()) {
      const one = queue.takeCounts();
      if (!one) continue;
      counts.push(one);
      metrics.delivered.inc({ kind: queue.endpoint.kind }, one.delivered);
    }
    if (counts.length === 0) return;
    try {
      await this.#store.note(counts);
    } catch (error) {
      for (const one of counts) this.#queues.get(one.id)?.giveBack(one);
      throw error;
    }
  }

  async #load(): Promise<void> {
    const { version, listening } = await this.#store.version();
    this.#listening = new Set(listening);
    if (version === this.#version) return;
    const endpoints = await this.#store.all();
    const queues = new Map<number, WebhookQueue>();
    for (const endpoint of endpoints) queues.set(endpoint.id, this.#queueFor(endpoint));
    for (const [id, queue] of this.#queues) {
      if (queues.get(id) === queue) continue;
      queue.halt();
      queue.destroy().catch(() => {});
    }
    this.#queues = queues;
    this.#byAccount = groupByAccount(endpoints, queues);
    this.#version = version;
  }

  #queueFor(endpoint: Endpoint): WebhookQueue {
    const known = this.#queues.get(endpoint.id);
    // Items waiting for the old address are deferred, and sent to the new one.
    if (known?.endpoint.url !== endpoint.url) return new WebhookQueue(endpoint, this.#queueOptions);
    known.update(endpoint);
    return known;
  }
}

function groupByAccount(endpoints: readonly Endpoint[], queues: ReadonlyMap<number, WebhookQueue>) {
  const byAccount = new Map<number, { queues: WebhookQueue[]; types: Set<EventType> }>();
  for (const endpoint of endpoints) {
    if (endpoint.state !== 'active') continue;
    let entry = byAccount.get(endpoint.account_id);
    if (!entry) {
      entry = { queues: [], types: new Set() };
      byAccount.set(endpoint.account_id, entry);
    }
    entry.queues.push(queues.get(endpoint.id)!);
    for (const type of eventTypes) if (wantsType(endpoint, type)) entry.types.add(type);
  }
  return byAccount;
}
