import { type Listener, listen } from '../../database/listener.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Context } from '../../kit/context.ts';

/*
 * Hints about accounts whose messages have just changed, for open live views. They use the database's notifications,
 * since streams and dispatching may be in two processes. The events module is not suitable: it records only events that
 * some endpoint receives, and for SMS only the final status. A hint is a few bytes per account and 100 ms, for any
 * number of messages, so it does not slow down sending; the changes are read from the tables. A lost hint costs two
 * seconds (hub.ts).
 */

const CHANNEL = 'carillon_changed';
const GATHER_MS = 100;
/** A notification holds 8,000 bytes. With more accounts it means all accounts. */
const MAX_ACCOUNTS = 400;
const EVERYONE = '*';

interface ChangesDeps extends Pick<Context, 'sql' | 'log'> {
  /** Whether no other process uses the database. */
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

  /** Records that committed changes affect messages of an account. */
  notify(accountId: number): void {
    this.#accounts.add(accountId);
    this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS).unref();
  }

  /** Calls `heard` for the hints of every process; null means every account. Rejects when listening fails. */
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
