import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Sources } from './sources.ts';

/** Maximum number of names of one account that wait for the operator. */
const MAX_WAITING = 20;
/** Maximum number of requests that the operator sees. */
const MAX_SHOWN = 500;

/** Request of an account for a sender name. Times in milliseconds since the epoch. */
interface SourceRequest {
  /** As the account wrote it. */
  readonly name: string;
  /** Note of the account for the operator. */
  readonly note: string;
  readonly askedAt: number;
  /** Null: the request waits. */
  readonly refusedAt: number | null;
  /** Reason of the refusal. */
  readonly reason: string;
}

interface WaitingRequest extends SourceRequest {
  readonly accountId: number;
  readonly username: string;
}

interface SourceRequestsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly sources: Sources;
}

/** Requests for sender names, which the operator approves or refuses. Names are compared without case. */
export class SourceRequests {
  readonly #deps: SourceRequestsDeps;

  constructor(deps: SourceRequestsDeps) {
    this.#deps = deps;
  }

  /**
   * Requests a name, also again after a refusal. Throws Refusal `not-now` if the account may already send from it, or
   * 20 of its names wait.
   */
  async ask(accountId: number, name: string, note: string): Promise<void> {
    if (await this.#deps.sources.isApproved(accountId, name)) {
      throw new Refusal('not-now', 'the account may send from it already', 'source', {
        reason: 'sender-approved',
      });
    }
    const source = this.#deps.sources.keyOf(name);
    const now = this.#deps.clock.now();
    await this.#deps.sql.begin(async (tx) => {
      // The account's row is the lock, so that parallel requests are counted one after another.
      await tx`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`;
      const [waiting] = await tx<{ count: number }[]>`
        SELECT count(*)::int AS count FROM source_requests
        WHERE account_id = ${accountId} AND refused_at IS NULL AND source <> ${source}`;
      if (waiting!.count >= MAX_WAITING) {
        throw new Refusal('not-now', `${MAX_WAITING} names wait for the operator already`, undefined, {
          reason: 'too-many-waiting',
          params: { max: MAX_WAITING },
        });
      }
      await tx`
        INSERT INTO source_requests (account_id, source, name, note, asked_at)
        VALUES (${accountId}, ${source}, ${name}, ${note}, ${now})
        ON CONFLICT ON CONSTRAINT source_requests_pkey DO UPDATE SET name = excluded.name, note = excluded.note,
          asked_at = excluded.asked_at, refused_at = NULL, reason = ''`;
    });
  }

  /** Withdraws a waiting request, or deletes a refused one. Returns false if no such request exists. */
  async withdraw(accountId: number, name: string): Promise<boolean> {
    const gone = await this.#deps.sql`
      DELETE FROM source_requests
      WHERE account_id = ${accountId} AND source = ${this.#deps.sources.keyOf(name)} RETURNING 1`;
    return gone.length > 0;
  }

  /** Returns the waiting and refused requests of an account, newest first. */
  async ofAccount(accountId: number): Promise<SourceRequest[]> {
    return this.#deps.sql<SourceRequest[]>`
      SELECT name, note, asked_at AS "askedAt", refused_at AS "refusedAt", reason FROM source_requests
      WHERE account_id = ${accountId} ORDER BY asked_at DESC, source`;
  }

  /** Returns the oldest 500 waiting requests of all accounts, oldest first. */
  async waiting(): Promise<WaitingRequest[]> {
    return this.#deps.sql<WaitingRequest[]>`
      SELECT r.account_id AS "accountId", a.username, r.name, r.note, r.asked_at AS "askedAt",
        r.refused_at AS "refusedAt", r.reason
      FROM source_requests r JOIN accounts a ON a.id = r.account_id
      WHERE r.refused_at IS NULL ORDER BY r.asked_at LIMIT ${MAX_SHOWN}`;
  }

  /** Approves a requested name, so that the account may send from it. Returns false if no such request waits. */
  async approve(accountId: number, name: string): Promise<boolean> {
    const source = this.#deps.sources.keyOf(name);
    const done = await this.#deps.sql.begin(async (tx) => {
      const taken = await tx`
        DELETE FROM source_requests WHERE account_id = ${accountId} AND source = ${source} AND refused_at IS NULL
        RETURNING 1`;
      if (taken.length > 0) await this.#deps.sources.assign(tx, accountId, source);
      return taken.length > 0;
    });
    if (done) this.#deps.sources.forget(accountId);
    return done;
  }

  /** Refuses a requested name, with a reason that the account sees. Returns false if no such request waits. */
  async refuse(accountId: number, name: string, reason: string): Promise<boolean> {
    const refused = await this.#deps.sql`
      UPDATE source_requests SET refused_at = ${this.#deps.clock.now()}, reason = ${reason}
      WHERE account_id = ${accountId} AND source = ${this.#deps.sources.keyOf(name)} AND refused_at IS NULL
      RETURNING 1`;
    return refused.length > 0;
  }
}
