import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable, Sql } from '../../database/connection.ts';
import { violatedConstraint } from '../../database/errors.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { type IdSource, idFloor, timeOfId } from '../../kit/ids.ts';

/** Account number for changes that concern only the operator. */
export const NO_ACCOUNT = 0;

/** Prefix of the names of command-line users. No user name has a colon. */
export const CLI_PREFIX = 'cli:';

/**
 * Milliseconds to retry the audit entry of a committed change while the database is unavailable: a restart takes
 * seconds.
 */
const FOLLOW_MS = 30_000;
const FOLLOW_PAUSE_MS = 200;

/** Values of a change as JSON. Fields with secrets are removed before writing. */
type Shown = Readonly<Record<string, unknown>>;

/** The changed object. */
export interface Details {
  /** Kind of the object: `person`, `token`. */
  readonly kind?: string;
  readonly id?: string | number;
  readonly before?: Shown;
  readonly after?: Shown;
}

/** A change, or a refused one. */
export interface AuditEntry extends Details {
  /** The account that the change concerns. */
  readonly accountId: number;
  readonly personId?: number | undefined;
  /** User name of the person. For the command line: CLI_PREFIX and the user of the machine. */
  readonly username?: string | undefined;
  readonly tokenId?: number | undefined;
  readonly address?: string | undefined;
  /** `POST /v1/people`, or `person add` for the command line. */
  readonly action: string;
  /** HTTP status. */
  readonly status: number;
}

/** A stored entry. */
export interface AuditRow {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly personId: number | null;
  readonly username: string | null;
  readonly tokenId: number | null;
  readonly address: string | null;
  readonly action: string;
  readonly kind: string | null;
  readonly objectId: string | null;
  readonly status: number;
  readonly before: Shown | null;
  readonly after: Shown | null;
}

/** Filter of entries. */
interface AuditFilter {
  /** Only rows with a smaller id: the last one of the previous page. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly personId?: number | undefined;
  readonly kind?: string | undefined;
  readonly objectId?: string | undefined;
  /** Milliseconds since the epoch, `from` inclusive, `to` exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * Log of changes: who made which change, when and from where. Rows are only added, and kept as long as messages
 * (KEEP_DAYS).
 */
export class AuditLog {
  readonly #sql: Sql;
  readonly #ids: IdSource;

  constructor(sql: Sql, ids: IdSource) {
    this.#sql = sql;
    this.#ids = ids;
  }

  /** Writes an entry, with `tx` in the transaction of the change. */
  async write(entry: AuditEntry, tx: Queryable = this.#sql): Promise<void> {
    await this.#insert(this.#ids.next(), entry, tx);
  }

  /**
   * Writes the entry of a change that is already committed. Repeats the write for up to 30 seconds while the database is in
   * trouble, because the change itself cannot be undone. Throws the last error after that.
   */
  async writeAfter(entry: AuditEntry): Promise<void> {
    const id = this.#ids.next();
    const until = performance.now() + FOLLOW_MS;
    for (;;) {
      try {
        return await this.#insert(id, entry, this.#sql);
      } catch (error) {
        // An earlier attempt stored the row, and only its response was lost.
        if (violatedConstraint(error) === 'audit_log_pkey') return;
        if (!isDatabaseTrouble(error) || performance.now() > until) throw error;
        await pause(FOLLOW_PAUSE_MS);
      }
    }
  }

  async #insert(id: number, entry: AuditEntry, tx: Queryable): Promise<void> {
    const json = (value: Shown | undefined) =>
      value === undefined ? null : tx.json(withoutSecrets(value) as never);
    await tx`
      INSERT INTO audit_log (account_id, id, person_id, username, token_id, address, action, object_kind, object_id,
        status, before, after)
      VALUES (${entry.accountId}, ${id}, ${entry.personId ?? null}, ${entry.username ?? null},
        ${entry.tokenId ?? null}, ${entry.address ?? null}, ${entry.action}, ${entry.kind ?? null},
        ${entry.id === undefined ? null : String(entry.id)}, ${entry.status}, ${json(entry.before)},
        ${json(entry.after)})`;
  }

  /** Returns entries of an account, newest first. */
  async list(accountId: number, filter: AuditFilter): Promise<AuditRow[]> {
    const sql = this.#sql;
    const { before, personId, kind, objectId, from, to } = filter;
    const rows = await sql<Omit<AuditRow, 'at'>[]>`
      SELECT id, person_id AS "personId", username, token_id AS "tokenId", address, action, object_kind AS kind,
        object_id AS "objectId", status, before, after
      FROM audit_log
      WHERE account_id = ${accountId}
        ${before === undefined ? sql`` : sql`AND id < ${before}`}
        ${from === undefined ? sql`` : sql`AND id >= ${idFloor(from)}`}
        ${to === undefined ? sql`` : sql`AND id < ${idFloor(to)}`}
        ${personId === undefined ? sql`` : sql`AND person_id = ${personId}`}
        ${kind === undefined ? sql`` : sql`AND object_kind = ${kind}`}
        ${objectId === undefined ? sql`` : sql`AND object_id = ${objectId}`}
      ORDER BY id DESC LIMIT ${filter.limit}`;
    return rows.map((row) => ({ ...row, at: timeOfId(row.id) }));
  }
}

const secret = /password|secret|token|digest|hash|^codes?$/i;

/**
 * Removes fields whose names suggest a secret, at any depth: a mistake in a route must not reach the log. Booleans are
 * not secrets: `password_sign_in` stays.
 */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => typeof inner === 'boolean' || !secret.test(name))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  );
}
