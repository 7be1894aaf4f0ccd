import type { Queryable } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { badField } from '../../kit/errors.ts';
import { SsrfError, type SsrfGuard } from '../../kit/http/ssrf-guard.ts';
import type { Directory } from './directory.ts';

/** Maximum number of hosts that the sends of one account may name. */
const MAX_HOSTS = 100;
const LONGEST_URL = 2_000;

interface CallbackEndpointsDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly ssrfGuard: SsrfGuard;
  readonly directory: Pick<Directory, 'queuesOf' | 'refresh'>;
}

/**
 * Endpoints of status callbacks: one for each account and host (scheme, name and port). Requests to a host share its
 * connections, its retries and its state, as those to a webhook do.
 */
export class CallbackEndpoints {
  readonly #deps: CallbackEndpointsDeps;

  constructor(deps: CallbackEndpointsDeps) {
    this.#deps = deps;
  }

  /** Checks the address of a callback. Throws Refusal `bad-field` with the field `callback`. */
  check(address: string): URL {
    if (address.length > LONGEST_URL) {
      throw badField('callback', `over ${LONGEST_URL} characters`, 'too-long', { max: LONGEST_URL });
    }
    try {
      return this.#deps.ssrfGuard.check(address);
    } catch (error) {
      if (error instanceof SsrfError) throw badField('callback', error.message, 'forbidden-address');
      throw error;
    }
  }

  /**
   * Returns the id of the endpoint for an address, and registers it if its host is new. A disabled one is enabled
   * again, since a send asks for it. Throws as `check` does, also when the sends of the account name too many hosts.
   */
  async of(accountId: number, address: string): Promise<number> {
    const { sql, directory } = this.#deps;
    const known = this.#known(accountId, address);
    if (known !== undefined) return known;
    const id = await this.#register(sql, accountId, address);
    await directory.refresh();
    return id;
  }

  /**
   * As `of`, in the transaction of the caller. Processes read the endpoints before they send to one that they do not know
   * as active.
   */
  async within(tx: Queryable, accountId: number, address: string): Promise<number> {
    return this.#known(accountId, address) ?? this.#register(tx, accountId, address);
  }

  async #register(tx: Queryable, accountId: number, address: string): Promise<number> {
    const { ids, clock } = this.#deps;
    const url = `${this.check(address).origin}/`;
    const now = clock.now();
    const [row] = await tx<{ id: number }[]>`
      INSERT INTO event_endpoints AS e (id, account_id, kind, url, created_at, changed_at)
      SELECT ${ids.next()}, ${accountId}, 'callback', ${url}, ${now}, ${now}
      WHERE (SELECT count(*) FROM event_endpoints
        WHERE account_id = ${accountId} AND kind = 'callback' AND url <> ${url}) < ${MAX_HOSTS}
      ON CONFLICT (account_id, kind, url) DO UPDATE
        SET state = 'active', off_reason = NULL, off_at = NULL, failing_since = NULL, changed_at = ${now}
      RETURNING e.id`;
    if (!row) {
      throw badField('callback', `over ${MAX_HOSTS} hosts are used; delete old endpoints`, 'too-many', {
        max: MAX_HOSTS,
      });
    }
    return row.id;
  }

  /** Returns the id of an active endpoint that this process knows. Throws as `check` does. */
  #known(accountId: number, address: string): number | undefined {
    const url = `${this.check(address).origin}/`;
    return this.#deps.directory
      .queuesOf(accountId)
      .find(({ endpoint }) => endpoint.kind === 'callback' && endpoint.url === url)?.endpoint.id;
  }
}
