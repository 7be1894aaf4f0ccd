import type { DatabaseError } from 'pg-protocol';
import { asLogged, type LoggedError } from '../observability/log.ts';

// Data exceptions: their messages quote the value.
const quotesValue = /^22/;

/**
 * A statement that the server refused, or a session that it ended. Fields have the names of libpq; the stack is of the code
 * that made the statement.
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

  /** Whether the server has ended the session with it. */
  get isFatal(): boolean {
    return this.severity === 'FATAL' || this.severity === 'PANIC';
  }

  /** Without what it says of rows, which are texts and phone numbers. */
  [asLogged](shown: Readonly<Record<string, unknown>>): object {
    const { type, message, stack, name, code, severity, table_name, constraint_name, routine } = shown;
    const rest = { type, name, code, severity, table_name, constraint_name, routine };
    if (!quotesValue.test(this.code)) return { ...rest, message, stack };
    return { ...rest, message: '[redacted]', stack: String(stack).replace(this.message, '[redacted]') };
  }
}

/** A session as the server knows it. */
interface Backend {
  /** Its process number on the server. */
  readonly pid: number;
  /** When it was opened, milliseconds on the monotonic clock. */
  readonly openedAt: number;
}

type ConnectionErrorCode =
  /** The connection ended while the statement was on the way: whether it ran is not known. */
  | 'CONNECTION_LOST'
  /** The statement was not answered within its time, and its connection was given up: whether it ran is not known. */
  | 'CONNECTION_DEADLINE'
  /** No connection became free within the time; the statement was not sent. */
  | 'CONNECTION_BUSY'
  /** The pool is closed; the statement was not sent. */
  | 'CONNECTION_ENDED'
  /** The server did not take a new connection within the time; the statement was not sent. */
  | 'CONNECT_TIMEOUT';

/** A statement that has no answer, because of its connection. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ConnectionErrorCode;
  /** The session that was lost with it, where there was one. */
  backend: Backend | undefined;

  constructor(code: ConnectionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The name of the constraint that a failed statement violated, or '' when it failed for another reason. On Citus the shard's
 * number is appended, and what the coordinator tells has the name in its message alone.
 */
export function violatedConstraint(error: unknown): string {
  if (!(error instanceof PostgresError)) return '';
  const named = error.constraint_name ?? /constraint "([^"]+)"/.exec(error.message)?.[1] ?? '';
  return named.replace(/_\d{6,}$/, '');
}
