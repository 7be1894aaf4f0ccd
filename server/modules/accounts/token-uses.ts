import { numbers } from '../../database/arrays.ts';
import type { Context } from '../../kit/context.ts';
import { WriteBehind } from '../../kit/write-behind.ts';

const WAIT_MS = 10_000;

interface TokenUse {
  readonly id: number;
  at: number;
}

/** Times of the last use of tokens. One statement for all accounts writes them some seconds later. */
export class TokenUses {
  /** One entry per token, so that a token used a thousand times a second is one row. */
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

  /** Writes the uses recorded so far. */
  flush(): Promise<void> {
    return this.#buffer.flush();
  }

  /** Writes the recorded uses; those that the database does not accept are lost. */
  stop(): Promise<void> {
    return this.#buffer.stop();
  }
}
