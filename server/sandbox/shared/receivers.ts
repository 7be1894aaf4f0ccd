import type { Networks } from '../networks.ts';

/** A process that says nothing of itself for this long takes no webhooks any more. */
const FORGET_MS = 8_000;

/** What a process says of itself: where it takes webhooks of the chat platform, bounces and complaints. */
export interface Receiver {
  /** Names the run of the process. */
  readonly owner: string;
  readonly callbackUrl?: string | undefined;
  readonly reportPort?: number | undefined;
}

/**
 * Which process takes the webhooks of the chat platform, and which the bounces: the first that says so, until it is silent,
 * as a load balancer chooses one that is there.
 */
export class Receivers {
  readonly #networks: Pick<Networks, 'chat' | 'mail'>;
  readonly #current = new Map<'chat' | 'mail', { owner: string; at: number }>();

  constructor(networks: Pick<Networks, 'chat' | 'mail'>) {
    this.#networks = networks;
  }

  /** A process says where it takes what comes. Throws when its address of webhooks does not answer the platform. */
  async heard({ owner, callbackUrl, reportPort }: Receiver): Promise<void> {
    const { chat, mail } = this.#networks;
    if (reportPort !== undefined && this.#isNew('mail', owner)) mail.reportTo(reportPort);
    if (callbackUrl === undefined || !this.#isNew('chat', owner)) return;
    await chat.subscribe(callbackUrl).catch((error: unknown) => {
      this.#current.delete('chat');
      throw error;
    });
  }

  /** Whether a process becomes the one that takes it. */
  #isNew(what: 'chat' | 'mail', owner: string): boolean {
    const now = performance.now();
    const current = this.#current.get(what);
    if (current && current.owner !== owner && now - current.at < FORGET_MS) return false;
    this.#current.set(what, { owner, at: now });
    return current?.owner !== owner;
  }
}
