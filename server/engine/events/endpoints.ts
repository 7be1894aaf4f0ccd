import { randomBytes } from 'node:crypto';
import { type TransactionSql, violatedConstraint } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { SsrfError, type SsrfGuard } from '../../kit/http/ssrf-guard.ts';
import type { ProblemDetail, Reason } from '../../kit/reasons.ts';
import { type Author, currentAuthor } from '../../kit/request-context.ts';
import { authorsOf, isBy, type Stopped } from '../../modules/authors/authors.ts';
import type { Failure } from './attempt.ts';
import { type EndpointKind, type EventType, eventTypes } from './types.ts';

const DAY = 86_400_000;
/** Time without success after which a failing endpoint is disabled (decisions, section 4). */
const OFF_AFTER = 5 * DAY;
/** Failures further apart than this say nothing about the time between them. */
const UNBROKEN = 2 * DAY;
const LONGEST_URL = 2_000;
/** Time for which a replaced secret still signs together with the new one. */
const OLD_SECRET_FOR = DAY;
const PURPOSE = 'event_endpoints.secret';

/** An address to which an account's events are sent. Times are milliseconds since the epoch. */
export interface Endpoint {
  readonly id: number;
  readonly account_id: number;
  readonly kind: EndpointKind;
  readonly url: string;
  readonly secret: string | null;
  /** The previous secret, which also signs until `old_secret_until`. */
  readonly old_secret: string | null;
  readonly old_secret_until: number | null;
  readonly types: readonly EventType[] | null;
  readonly state: 'active' | 'off';
  readonly off_reason: string | null;
  readonly off_at: number | null;
  readonly delivered: number;
  readonly failed: number;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly failing_since: number | null;
  readonly created_at: number;
}

/** The account has already registered this address for this kind (SMS family: status 517). */
export class DuplicateEndpoint extends Refusal {
  constructor(kind: EndpointKind) {
    super('url-known', `this address is registered already for ${kind}`, 'url');
  }
}
/** The endpoint cannot be registered or used; the message says why. */
export class EndpointRefused extends Refusal {
  constructor(problem: string, reason: Reason, params: ProblemDetail['params'] = {}) {
    super('bad-field', problem, undefined, { reason, params });
  }
}
/** The account has no such endpoint. */
export class EndpointUnknown extends Refusal {
  readonly endpointId: number;

  constructor(endpointId: number) {
    super('not-found', 'no such endpoint');
    this.endpointId = endpointId;
  }
}

export interface Registration {
  readonly accountId: number;
  readonly kind: EndpointKind;
  readonly url: string;
  /** Events that a webhook receives; all by default. */
  readonly types?: readonly EventType[] | null;
}

/** Changes to an endpoint. */
export interface EndpointChange {
  readonly url?: string | undefined;
  /** Events that a webhook receives; null for all. */
  readonly types?: readonly EventType[] | null | undefined;
}

/** Counts of an endpoint in one process since its last write. */
export interface EndpointCounts {
  readonly id: number;
  readonly delivered: number;
  readonly failed: number;
  /** 0 without a success. */
  readonly lastSuccessAt: number;
  readonly lastFailureAt: number;
  /** First failure after the last success; 0 when the last attempt succeeded. */
  readonly failingSince: number;
  /** Last failure; null without one. */
  readonly lastFailure: Pick<Failure, 'status' | 'error'> | null;
}

interface EndpointStoreDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets'> {
  readonly ssrfGuard: SsrfGuard;
  /** Called after each change, except of lost secrets: the process sends by the new state when the promise resolves. */
  readonly changed: () => Promise<void>;
}

/** The table of endpoints. It is small, so its statements need no account in the WHERE clause. */
export class EndpointStore {
  readonly #deps: EndpointStoreDeps;

  constructor(deps: EndpointStoreDeps) {
    this.#deps = deps;
  }

  /** Makes the checks of `register`, with the same errors, and stores nothing. */
  async check(registration: Registration): Promise<void> {
    const href = this.#checkForm(registration);
    const { accountId, kind } = registration;
    const known = await this.#deps.sql`
      SELECT 1 FROM event_endpoints WHERE account_id = ${accountId} AND kind = ${kind} AND url = ${href}`;
    if (known.length > 0) throw new DuplicateEndpoint(kind);
  }

  /**
   * Registers an endpoint. A webhook gets a new secret (`whsec_` and 32 random bytes in base64). Throws EndpointRefused
   * (address or types) and DuplicateEndpoint.
   */
  async register(registration: Registration): Promise<Endpoint> {
    const href = this.#checkForm(registration);
    const { accountId, kind, types = null } = registration;
    const id = this.#deps.ids.next();
    const secret = kind === 'webhook' ? this.#sealSecret(id) : null;
    const now = this.#deps.clock.now();
    const { tokenId, personId } = currentAuthor();
    const [row] = await unlessKnown(
      kind,
      this.#deps.sql<EndpointRow[]>`
        INSERT INTO event_endpoints (id, account_id, kind, url, secret, types, created_at, changed_at, author_token_id,
          author_person_id)
        VALUES (${id}, ${accountId}, ${kind}, ${href}, ${secret}, ${types as string[] | null}, ${now}, ${now}, ${tokenId},
          ${personId})
        RETURNING *`,
    );
    await this.#deps.changed();
    return this.#opened(row!);
  }

  /**
   * Changes the address of an endpoint, or the events that a webhook receives (null: all). A new address resets the
   * failure counters. Throws EndpointUnknown, EndpointRefused and DuplicateEndpoint.
   */
  async change(accountId: number, endpointId: number, { url, types }: EndpointChange): Promise<Endpoint> {
    const { sql, clock, ssrfGuard, changed } = this.#deps;
    const known = await this.one(accountId, endpointId);
    if (known.kind === 'callback')
      throw new EndpointRefused('a host of status callbacks cannot be changed', 'only-webhooks');
    const href = url === undefined ? known.url : checkUrl(ssrfGuard, url);
    const wanted = types === undefined ? known.types : types;
    checkTypes(known.kind, wanted);
    const { tokenId, personId } = currentAuthor();
    const [row] = await unlessKnown(
      known.kind,
      sql<EndpointRow[]>`
        UPDATE event_endpoints
        SET url = ${href}, types = ${wanted as string[] | null}, changed_at = ${clock.now()},
          author_token_id = ${tokenId}, author_person_id = ${personId},
          failing_since = CASE WHEN url = ${href} THEN failing_since END
        WHERE account_id = ${accountId} AND id = ${endpointId} RETURNING *`,
    );
    if (!row) throw new EndpointUnknown(endpointId);
    await changed();
    return this.#opened(row);
  }

  /** Lists the endpoints of an account, oldest first. */
  async list(accountId: number): Promise<Endpoint[]> {
    const rows = await this.#deps.sql<EndpointRow[]>`
      SELECT * FROM event_endpoints WHERE account_id = ${accountId} ORDER BY id`;
    return rows.map((row) => this.#opened(row));
  }

  /** Returns one of them. Throws EndpointUnknown. */
  async one(accountId: number, endpointId: number): Promise<Endpoint> {
    const [row] = await this.#deps.sql<EndpointRow[]>`
      SELECT * FROM event_endpoints WHERE account_id = ${accountId} AND id = ${endpointId}`;
    if (!row) throw new EndpointUnknown(endpointId);
    return this.#opened(row);
  }

  /** Removes an endpoint and abandons its waiting deliveries. Throws EndpointUnknown. */
  async remove(accountId: number, endpointId: number): Promise<void> {
    const { count } = await this.#deps.sql`
      DELETE FROM event_endpoints WHERE account_id = ${accountId} AND id = ${endpointId}`;
    if (count === 0) throw new EndpointUnknown(endpointId);
    await this.#deps.changed();
  }

  /** Enables an endpoint and resets its failure counters. Throws EndpointUnknown. */
  async enable(accountId: number, endpointId: number): Promise<Endpoint> {
    const { tokenId, personId } = currentAuthor();
    const [row] = await this.#deps.sql<EndpointRow[]>`
      UPDATE event_endpoints
      SET state = 'active', off_reason = NULL, off_at = NULL, failing_since = NULL, changed_at = ${this.#deps.clock.now()},
        author_token_id = ${tokenId}, author_person_id = ${personId}
      WHERE account_id = ${accountId} AND id = ${endpointId} RETURNING *`;
    if (!row) throw new EndpointUnknown(endpointId);
    await this.#deps.changed();
    return this.#opened(row);
  }

  /**
   * Gives a webhook a new secret; the previous one also signs for another day. Throws EndpointUnknown, and
   * EndpointRefused for a push, which has no secret.
   */
  async rotateSecret(accountId: number, endpointId: number): Promise<Endpoint> {
    const now = this.#deps.clock.now();
    const [row] = await this.#deps.sql<EndpointRow[]>`
      UPDATE event_endpoints
      SET old_secret = secret, old_secret_until = ${now + OLD_SECRET_FOR}, secret = ${this.#sealSecret(endpointId)}, changed_at = ${now}
      WHERE account_id = ${accountId} AND id = ${endpointId} AND kind = 'webhook' RETURNING *`;
    if (row) {
      await this.#deps.changed();
      return this.#opened(row);
    }
    const known = await this.#deps.sql`
      SELECT 1 FROM event_endpoints WHERE account_id = ${accountId} AND id = ${endpointId}`;
    if (known.length > 0) throw new EndpointRefused('pushes are not signed', 'not-signed');
    throw new EndpointUnknown(endpointId);
  }

  /**
   * Replaces the secret of a webhook that can no longer be decrypted, and disables the webhook until its owner has
   * fetched the new one. Returns undefined when the webhook does not exist.
   */
  async replaceLostSecret(endpointId: number, reason: string): Promise<EndpointOwner | undefined> {
    const now = this.#deps.clock.now();
    const [row] = await this.#deps.sql<EndpointOwner[]>`
      UPDATE event_endpoints
      SET secret = ${this.#sealSecret(endpointId)}, old_secret = NULL, old_secret_until = NULL,
        state = 'off', off_reason = ${reason}, off_at = ${now}, changed_at = ${now}
      WHERE id = ${endpointId} RETURNING id, account_id`;
    return row;
  }

  /** Deletes the previous secret. */
  async forgetOldSecret(endpointId: number): Promise<EndpointOwner | undefined> {
    const [row] = await this.#deps.sql<EndpointOwner[]>`
      UPDATE event_endpoints SET old_secret = NULL, old_secret_until = NULL, changed_at = ${this.#deps.clock.now()}
      WHERE id = ${endpointId} RETURNING id, account_id`;
    return row;
  }

  /** Disables an endpoint. */
  async switchOff(endpointId: number, reason: string): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#deps.sql`
      UPDATE event_endpoints SET state = 'off', off_reason = ${reason}, off_at = ${now}, changed_at = ${now}
      WHERE id = ${endpointId} AND state = 'active'`;
    await this.#deps.changed();
  }

  /** Returns the authors of the active endpoints, for `AuthoredWork`. */
  authors(): Promise<Author[]> {
    const { sql } = this.#deps;
    return authorsOf(sql, sql`FROM event_endpoints WHERE state = 'active'`);
  }

  /** Disables the active endpoints of these authors. Their deliveries can be replayed when somebody enables them. */
  stop(tx: TransactionSql, authors: readonly Author[]): Promise<Stopped[]> {
    const now = this.#deps.clock.now();
    return tx<Stopped[]>`
      UPDATE event_endpoints
      SET state = 'off', off_reason = 'the token or person that registered it lost the right', off_at = ${now}, changed_at = ${now}
      WHERE state = 'active' AND ${isBy(tx, authors)} RETURNING account_id AS "accountId", id`;
  }

  /** Has the endpoints read again. */
  async announce(): Promise<void> {
    await this.#deps.changed();
  }

  /** Adds the counts of this process, and disables endpoints that have failed for five days. */
  async note(counts: readonly EndpointCounts[]): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#deps.sql`
      UPDATE event_endpoints e SET
        delivered = e.delivered + n.delivered,
        failed = e.failed + n.failed,
        last_success_at = greatest(e.last_success_at, nullif(n.success_at, 0)),
        last_failure_at = greatest(e.last_failure_at, nullif(n.failure_at, 0)),
        last_failure_status = CASE WHEN n.failure_at > 0 THEN n.status ELSE e.last_failure_status END,
        last_failure_error = CASE WHEN n.failure_at > 0 THEN n.error ELSE e.last_failure_error END,
        failing_since = CASE
          WHEN n.success_at > 0 OR e.failing_since IS NULL OR e.last_failure_at < n.failure_at - ${UNBROKEN}::bigint
          THEN nullif(n.failing_since, 0) ELSE e.failing_since END,
        changed_at = CASE
          WHEN (e.failing_since IS NULL) <> (n.failing_since = 0) THEN ${now}::bigint ELSE e.changed_at END
      FROM unnest(${counts.map((one) => one.id)}::bigint[], ${counts.map((one) => one.delivered)}::bigint[],
        ${counts.map((one) => one.failed)}::bigint[], ${counts.map((one) => one.lastSuccessAt)}::bigint[],
        ${counts.map((one) => one.lastFailureAt)}::bigint[], ${counts.map((one) => one.failingSince)}::bigint[],
        ${counts.map((one) => one.lastFailure?.status ?? null)}::smallint[],
        ${counts.map((one) => one.lastFailure?.error ?? null)}::text[])
        AS n (id, delivered, failed, success_at, failure_at, failing_since, status, error)
      WHERE e.id = n.id`;
    if (counts.every((one) => one.failingSince === 0)) return;
    await this.#deps.sql`
      UPDATE event_endpoints
      SET state = 'off', off_reason = 'failed for 5 days', off_at = ${now}, changed_at = ${now}
      WHERE state = 'active' AND failing_since <= ${now - OFF_AFTER} AND last_failure_at - failing_since >= ${OFF_AFTER}`;
  }

  /**
   * Returns a value that differs whenever an endpoint was added, changed or removed, and the accounts with open
   * streams.
   */
  async version(): Promise<{ readonly version: string; readonly listening: readonly number[] }> {
    const [row] = await this.#deps.sql<{ version: string; listening: string }[]>`
      SELECT count(*)::text || '/' || coalesce(sum(changed_at), 0)::text AS version,
        (SELECT coalesce(string_agg(account_id::text, ' '), '') FROM event_listeners
          WHERE until > ${this.#deps.clock.now()}) AS listening
      FROM event_endpoints`;
    const { version, listening } = row!;
    return { version, listening: listening === '' ? [] : listening.split(' ').map(Number) };
  }

  /** Returns every endpoint, including disabled ones. */
  async all(): Promise<Endpoint[]> {
    const rows = await this.#deps.sql<EndpointRow[]>`SELECT * FROM event_endpoints`;
    return rows.map((row) => this.#opened(row));
  }

  /** Checks a registration and returns its address in normalized spelling. Throws EndpointRefused. */
  #checkForm({ kind, url, types = null }: Registration): string {
    const href = checkUrl(this.#deps.ssrfGuard, url);
    checkTypes(kind, types);
    return href;
  }

  #sealSecret(id: number): Buffer {
    return this.#deps.secrets.seal(newSecret(), PURPOSE, id);
  }

  #opened(row: EndpointRow): Endpoint {
    const open = (sealed: Buffer | null) => sealed && this.#deps.secrets.openText(sealed, PURPOSE, row.id);
    return { ...row, secret: open(row.secret), old_secret: open(row.old_secret) };
  }
}

/** An endpoint and its account. */
interface EndpointOwner {
  readonly id: number;
  readonly account_id: number;
}

type EndpointRow = Omit<Endpoint, 'secret' | 'old_secret'> & {
  readonly secret: Buffer | null;
  readonly old_secret: Buffer | null;
};

/**
 * Runs a statement that writes an address. Throws DuplicateEndpoint when the account already has that address for this
 * kind.
 */
async function unlessKnown<T>(kind: EndpointKind, statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (violatedConstraint(error) === 'event_endpoints_url_key') throw new DuplicateEndpoint(kind);
    throw error;
  }
}

/** Throws EndpointRefused for event types that an endpoint cannot have. */
function checkTypes(kind: EndpointKind, types: readonly EventType[] | null): void {
  const unknown = types?.find((type) => !eventTypes.includes(type));
  if (unknown !== undefined)
    throw new EndpointRefused(`there is no event type ${unknown}`, 'unknown-event', { type: unknown });
  if (types && kind !== 'webhook')
    throw new EndpointRefused('only webhooks choose their event types', 'only-webhooks');
  if (types?.length === 0) throw new EndpointRefused('a webhook needs at least one event type', 'no-events');
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

function checkUrl(ssrfGuard: SsrfGuard, text: string): string {
  try {
    const url = ssrfGuard.check(text.trim());
    url.hash = '';
    if (url.href.length > LONGEST_URL) {
      throw new EndpointRefused(`the address is longer than ${LONGEST_URL} characters`, 'too-long', {
        max: LONGEST_URL,
      });
    }
    return url.href;
  } catch (error) {
    if (error instanceof SsrfError) throw new EndpointRefused(error.message, 'forbidden-address');
    throw error;
  }
}
