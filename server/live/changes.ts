import type { Context } from '../context.ts';
import { type Listener, listen } from '../database/listener.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';

/*
 * Which accounts have messages that have just changed: hints for those who look at them. Over the database's
 * notifications, since streams and dispatching may be in two processes; the events module would not do, which
 * records what some endpoint asks for, and of SMS the end alone. A hint is a few bytes for an account and 100 ms,
 * however many messages it stands for, so that sending is not slowed by it; what changed is read from the tables. A
 * hint that is lost costs two seconds (hub.ts).
 */

const CHANNEL = 'carillon_changed';
const GATHER_MS = 100;
/** A notification holds 8,000 bytes. Beyond that it says: all. */
const MAX_ACCOUNTS = 400;
const EVERYONE = '*';

interface ChangesDeps extends Pick<Context, 'sql' | 'log'> {
  /** Whether nobody else is there: the embedded database has this process alone. */
  readonly alone: boolean;
}

export class Changes {
  readonly #deps: ChangesDeps;
  readonly #accounts = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #listener: Listener | undefined;
  #heard: ((accountId: number | null) => void) | undefined;

  constructor(deps: ChangesDeps) {
    this.#deps = deps;
  }

  /** Messages of an account have changed, and that is committed. */
  notify(accountId: number): void {
    this.#accounts.add(accountId);
    this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS).unref();
  }

  /** Calls back for what any process says; null: for every account. Rejects when the database cannot be listened to. */
  async listen(heard: (accountId: number | null) => void): Promise<void> {
    this.#heard = heard;
    if (this.#deps.alone) return;
    this.#listener = await listen(this.#deps.sql, {
      [CHANNEL]: (payload) => {
        if (payload === EVERYONE) heard(null);
        else for (const accountId of payload.split(' ')) heard(Number(accountId));
      },
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#listener?.stop();
  }

  #tell(): void {
    this.#timer = undefined;
    const accounts = [...this.#accounts];
    this.#accounts.clear();
    if (this.#deps.alone) {
      for (const accountId of accounts) this.#heard?.(accountId);
      return;
    }
    const payload = accounts.length > MAX_ACCOUNTS ? EVERYONE : accounts.join(' ');
    this.#deps.sql.notify(CHANNEL, payload).catch((error: unknown) => {
      const level = isDatabaseTrouble(error) ? 'debug' : 'warn';
      this.#deps.log[level]({ err: error }, 'change of messages not announced');
    });
  }
}
