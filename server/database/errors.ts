import type { DatabaseError } from 'pg-protocol';
import { asLogged, type LoggedError } from '../kit/observability/log.ts';

// Data exceptions: their messages quote the value.
const quotesValue = /^22/;

/**
 * A statement that the server rejected, or a session that it ended. Fields have the names of libpq; the stack is that
 * of the code that made the statement.
 */
export class PostgresError extends Error implements LoggedError {
  override readonly name = 'PostgresError';
  readonly severity: string;
  /** SQLSTATE, five characters. */
  readonly code: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly where: string | undefined;
  readonly routine: string | undefined;
  readonly table_name: string | undefined;
  readonly column_name: string | undefined;
  readonly constraint_name: string | undefined;

  constructor(told: DatabaseError, origin?: string) {
    super(told.message);
    this.severity = told.severity ?? 'ERROR';
    this.code = told.code ?? '';
    this.detail = told.detail;
    this.hint = told.hint;
    this.where = told.where;
    this.routine = told.routine;
    this.table_name = told.table;
    this.column_name = told.column;
    this.constraint_name = told.constraint;
    if (origin !== undefined) this.stack = `PostgresError: ${told.message}\n${origin}`;
  }

  /** Whether the server ended the session with it. */
  get isFatal(): boolean {
    return this.severity === 'FATAL' || this.severity === 'PANIC';
  }

  /** Without the details about rows, which contain texts and phone numbers. */
  [asLogged](shown: Readonly<Record<string, unknown>>): object {
    const { type, message, stack, name, code, severity, table_name, constraint_name, routine } = shown;
    const rest = { type, name, code, severity, table_name, constraint_name, routine };
    if (!quotesValue.test(this.code)) return { ...rest, message, stack };
    return { ...rest, message: '[redacted]', stack: String(stack).replace(this.message, '[redacted]') };
  }
}

/** A session as identified by the server. */
interface Backend {
  /** Process id on the server. */
  readonly pid: number;
  /** Time of opening, in monotonic milliseconds. */
  readonly openedAt: number;
}

type ConnectionErrorCode =
  /** The connection ended during the statement: it is not known whether it ran. */
  | 'CONNECTION_LOST'
  /** The statement was not answered in time and its connection was closed: it is not known whether it ran. */
  | 'CONNECTION_DEADLINE'
  /** No connection became free within the time; the statement was not sent. */
  | 'CONNECTION_BUSY'
  /** The pool is closed; the statement was not sent. */
  | 'CONNECTION_ENDED'
  /** The server did not accept a new connection in time; the statement was not sent. */
  | 'CONNECT_TIMEOUT';

/** A statement without an answer because of its connection. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ConnectionErrorCode;
  /** The session that was lost with it, if there was one. */
  backend: Backend | undefined;

  constructor(code: ConnectionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Returns the name of the constraint that a failed statement violated, or '' when it failed for another reason. Citus
 * appends the shard's number, and errors of the coordinator have the name only in their message.
 */
export function violatedConstraint(error: unknown): string {
  if (!(error instanceof PostgresError)) return '';
  const named = error.constraint_name ?? /constraint "([^"]+)"/.exec(error.message)?.[1] ?? '';
  return named.replace(/_\d{6,}$/, '');
}
