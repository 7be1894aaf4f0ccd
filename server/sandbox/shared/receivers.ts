import type { Networks } from '../networks.ts';

/** Milliseconds without an announcement after which a process no longer receives webhooks. */
const FORGET_MS = 8_000;

/**
 * Announcement of a process: the addresses at which it receives webhooks of the chat platform, bounces and complaints.
 */
export interface Receiver {
  /** Identifies the run of the process. */
  readonly owner: string;
  readonly callbackUrl?: string | undefined;
  readonly reportPort?: number | undefined;
}

/**
 * Chooses the process that receives the webhooks of the chat platform, and the one that receives bounces: the first to
 * announce itself, until it is silent, as a load balancer chooses one of its backends.
 */
export class Receivers {
  readonly #networks: Pick<Networks, 'chat' | 'mail'>;
  readonly #current = new Map<'chat' | 'mail', { owner: string; at: number }>();

  constructor(networks: Pick<Networks, 'chat' | 'mail'>) {
    this.#networks = networks;
  }

  /** Handles an announcement. Rejects when the webhook address does not answer the platform's challenge. */
  async heard({ owner, callbackUrl, reportPort }: Receiver): Promise<void> {
    const { chat, mail } = this.#networks;
    if (reportPort !== undefined && this.#isNew('mail', owner)) mail.reportTo(reportPort);
    if (callbackUrl === undefined || !this.#isNew('chat', owner)) return;
    await chat.subscribe(callbackUrl).catch((error: unknown) => {
      this.#current.delete('chat');
      throw error;
    });
  }

  /** Whether this announcement makes the process the receiver. */
  #isNew(what: 'chat' | 'mail', owner: string): boolean {
    const now = performance.now();
    const current = this.#current.get(what);
    if (current && current.owner !== owner && now - current.at < FORGET_MS) return false;
    this.#current.set(what, { owner, at: now });
    return current?.owner !== owner;
  }
}
