import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Sources } from './sources.ts';

/** Names of one account that wait for the operator at a time. */
const MAX_WAITING = 20;
/** Requests that the operator is shown. */
const MAX_SHOWN = 500;

/** A name that an account wants to send from. Times in milliseconds since the epoch. */
interface SourceRequest {
  /** As it was written. */
  readonly name: string;
  /** What the account says of it. */
  readonly note: string;
  readonly askedAt: number;
  /** Null: it waits. */
  readonly refusedAt: number | null;
  /** Why it was refused. */
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
   * Asks for a name, anew where it was refused. Throws Refusal `not-now` when the account may send from it already, or
   * when 20 of its names wait.
   */
  async ask(accountId: number, name: string, note: string): Promise<void> {
    if (await this.#deps.sources.isApproved(accountId, name)) {
      throw new Refusal('not-now', 'the account may send from it already', 'source');
    }
    const source = this.#deps.sources.keyOf(name);
    const now = this.#deps.clock.now();
    await this.#deps.sql.begin(async (tx) => {
      // The account's row is the lock: requests at once are counted one after the other.
      await tx`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`;
      const [waiting] = await tx<{ count: number }[]>`
        SELECT count(*)::int AS count FROM source_requests
        WHERE account_id = ${accountId} AND refused_at IS NULL AND source <> ${source}`;
      if (waiting!.count >= MAX_WAITING) {
        throw new Refusal('not-now', `${MAX_WAITING} names wait for the operator already`);
      }
      await tx`
        INSERT INTO source_requests (account_id, source, name, note, asked_at)
        VALUES (${accountId}, ${source}, ${name}, ${note}, ${now})
        ON CONFLICT ON CONSTRAINT source_requests_pkey DO UPDATE SET name = excluded.name, note = excluded.note,
          asked_at = excluded.asked_at, refused_at = NULL, reason = ''`;
    });
  }

  /** Takes a request back, or puts one away that was refused. False when there is none. */
  async withdraw(accountId: number, name: string): Promise<boolean> {
    const gone = await this.#deps.sql`
      DELETE FROM source_requests
      WHERE account_id = ${accountId} AND source = ${this.#deps.sources.keyOf(name)} RETURNING 1`;
    return gone.length > 0;
  }

  /** What an account has asked for and not got, the newest first. */
  async ofAccount(accountId: number): Promise<SourceRequest[]> {
    return this.#deps.sql<SourceRequest[]>`
      SELECT name, note, asked_at AS "askedAt", refused_at AS "refusedAt", reason FROM source_requests
      WHERE account_id = ${accountId} ORDER BY asked_at DESC, source`;
  }

  /** What waits, of all accounts, the oldest first; the first 500. */
  async waiting(): Promise<WaitingRequest[]> {
    return this.#deps.sql<WaitingRequest[]>`
      SELECT r.account_id AS "accountId", a.username, r.name, r.note, r.asked_at AS "askedAt",
        r.refused_at AS "refusedAt", r.reason
      FROM source_requests r JOIN accounts a ON a.id = r.account_id
      WHERE r.refused_at IS NULL ORDER BY r.asked_at LIMIT ${MAX_SHOWN}`;
  }

  /** Lets the account send from a name that it asked for. False when no such request waits. */
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

  /** Refuses a name that was asked for, with a reason that the account reads. False when no such request waits. */
  async refuse(accountId: number, name: string, reason: string): Promise<boolean> {
    const refused = await this.#deps.sql`
      UPDATE source_requests SET refused_at = ${this.#deps.clock.now()}, reason = ${reason}
      WHERE account_id = ${accountId} AND source = ${this.#deps.sources.keyOf(name)} AND refused_at IS NULL
      RETURNING 1`;
    return refused.length > 0;
  }
}
