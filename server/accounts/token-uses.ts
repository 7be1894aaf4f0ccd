import type { Context } from '../context.ts';
import { numbers } from '../database/arrays.ts';
import { WriteBehind } from '../write-behind.ts';

const WAIT_MS = 10_000;

interface TokenUse {
  readonly id: number;
  at: number;
}

/** When tokens were used last: written some seconds later, all tokens of all accounts in one statement. */
export class TokenUses {
  /** One of each token, so that a token that is used a thousand times a second is one row. */
  readonly #waiting = new Map<number, TokenUse>();
  readonly #buffer: WriteBehind<TokenUse>;

  constructor({ sql, log }: Pick<Context, 'sql' | 'log'>) {
    this.#buffer = new WriteBehind({
      owner: 'token uses',
      log,
      waitMs: WAIT_MS,
      store: async (_, uses) => {
        for (const { id } of uses) this.#waiting.delete(id);
        const ids = uses.map(({ id }) => id);
        const times = uses.map(({ at }) => at);
        await sql`
          UPDATE tokens t SET last_used_at = greatest(t.last_used_at, u.at)
          FROM (
            SELECT id, max(at) AS at FROM unnest(${numbers(ids)}::bigint[], ${numbers(times)}::bigint[]) AS u (id, at)
            GROUP BY id) AS u
          WHERE t.id = u.id`;
      },
    });
  }

  /** Notes that the token with this id was used `at`, milliseconds since the epoch. */
  note(id: number, at: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting) {
      waiting.at = at;
      return;
    }
    const use = { id, at };
    this.#waiting.set(id, use);
    this.#buffer.add(0, use);
  }

  /** Writes what was noted up to now. */
  flush(): Promise<void> {
    return this.#buffer.flush();
  }

  /** Writes what was noted; what the database does not take then is lost. */
  stop(): Promise<void> {
    return this.#buffer.stop();
  }
}
