import type { Socket } from 'node:net';
import pg from 'pg';
import { type DatabaseError, serialize } from 'pg-protocol';
import { unwatch, watch } from '../kit/deadlines.ts';
import { ConnectionError, PostgresError } from './errors.ts';
import { noteAnswer, noteRefusal } from './refusals.ts';
import type { Shape, Statement } from './statement.ts';
import { clientConfig, type DatabaseTarget, prefersEncryption, type SessionSettings } from './target.ts';
import { type Reader, readerOf } from './values.ts';

/*
 * One session with the server. node-postgres opens it (encryption, sign-in) and implements the protocol. This module
 * matches answers to statements, prepares statements, and decides when a session is closed. A lost session fails all
 * its waiting statements and is never used again.
 */

/** The rows of a statement, and the number of rows that it affected. */
export class Rows<T> extends Array<T> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
  declare count: number;
  declare command: string;
}

/** A statement under way, and the callbacks for its answer. */
export interface Execution {
  /** A prepared statement, or a text without parameters, which may contain several statements. */
  readonly statement: Statement | string;
  /** Sent immediately before it, in one transaction with it; its rows are ignored. Only with a prepared statement. */
  readonly before?: Statement | undefined;
  /** Returns the stack of the code that made it. */
  readonly origin: () => string | undefined;
  readonly resolve: (rows: Rows<object>) => void;
  readonly reject: (error: unknown) => void;
}

export interface SessionOptions {
  readonly application: string;
  readonly settings: SessionSettings;
  /** Milliseconds after which an unanswered statement is abandoned, together with its session. */
  readonly deadlineMs: number;
  /** Milliseconds in which the server must accept the session. */
  readonly connectMs: number;
  readonly onNotice: (message: string) => void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** A statement that the server has under a name. */
interface Prepared {
  readonly name: string;
  isParsed: boolean;
  /** Undefined until the server has described the columns. */
  columns: Columns | undefined;
}

interface Columns {
  readonly names: readonly string[];
  readonly readers: readonly Reader[];
}

/** The internals of the driver's connection that are used here. */
interface Wire extends pg.Connection {
  readonly stream: Socket;
}

/** Milliseconds to wait for the server to close the connection after Terminate. */
const GOODBYE_MS = 1_000;
const noColumns: Columns = { names: [], readers: [] };
const describePortal = serialize.describe({ type: 'P' });
const executePortal = serialize.execute({});
const executeAndSync = Buffer.concat([executePortal, serialize.sync()]);
const describeExecuteAndSync = Buffer.concat([describePortal, executeAndSync]);
/** The plan or columns of a prepared statement changed: the server has dropped it, or a migration ran. */
const staleRoutines = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery']);

export class Session {
  /** Called when the session has no statement left. */
  onFree: () => void = () => {};
  /** Called once, after all waiting statements have been settled. */
  onLost: (error: Error) => void = () => {};
  onNotification: (channel: string, payload: string) => void = () => {};
  /** Milliseconds on the monotonic clock. */
  readonly openedAt = performance.now();
  /** Maximum duration of a statement; changed for long work. */
  deadlineMs: number;
  /** Shards for which it was used, and so has prepared statements (shard-nodes.ts). */
  readonly shards = new Set<number>();
  readonly #client: pg.Client;
  readonly #wire: Wire;
  readonly #prepared = new Map<Shape, Prepared>();
  #made = 0;
  #lost: Error | undefined;
  #current: Execution | undefined;
  readonly #queue: Execution[] = [];
  readonly #losing = new Set<(error: Error) => void>();
  /** Milliseconds of waiting for the current statement. */
  #age = 0;
  /** The last statement that was repeated because its prepared form was stale. */
  #repeated: Execution | undefined;
  #preparing: Prepared | undefined;
  /** Statements being parsed, in the order of their answers. */
  #parsing: Prepared[] = [];
  /** Whether the answer to the preceding statement is still awaited. */
  #isBefore = false;
  #columns: Columns = noColumns;
  #rows = new Rows<object>();
  #isComplete = false;
  #error: DatabaseError | undefined;
  #status = 'I';
  /** Callbacks of the driver while it reads the answer to a statement. */
  readonly #reader = {
    submit: () => this.#send(),
    handleRowDescription: ({ fields }: { fields: readonly Field[] }) => this.#describe(fields),
    handleDataRow: ({ fields }: { fields: readonly (string | null)[] }) => this.#row(fields),
    handleCommandComplete: ({ text }: { text: string }) => this.#complete(text),
    handleEmptyQuery: () => this.#complete(''),
    handleError: (error: Error) => this.#refused(error),
    handleReadyForQuery: () => {},
    handlePortalSuspended: () => {},
    // Clients never copy: the server is informed, and the statement fails.
    handleCopyInResponse: (connection: { sendCopyFail(reason: string): void }) =>
      connection.sendCopyFail('not supported'),
    handleCopyData: () => {},
    callback: () => {},
  };

  private constructor(client: pg.Client, { deadlineMs, onNotice }: SessionOptions) {
    this.#client = client;
    this.#wire = (client as unknown as { connection: Wire }).connection;
    this.deadlineMs = deadlineMs;
    client.on('error', (error) => this.#lose(lost(error)));
    client.on('end', () => this.#lose(lost()));
    client.on('notice', ({ message }) => onNotice(message ?? ''));
    client.on('notification', ({ channel, payload }) => this.onNotification(channel, payload ?? ''));
    this.#wire.on('parseComplete', () => {
      const parsed = this.#parsing.shift();
      if (parsed) parsed.isParsed = true;
    });
    this.#wire.on('noData', () => {
      if (this.#preparing) this.#preparing.columns = noColumns;
    });
    // After the driver's own listener, so that the driver can accept the next statement.
    this.#wire.on('readyForQuery', ({ status }: { status: string }) => this.#ready(status));
    watch(this);
  }

  /** Opens a session. Rejects with errors of the server, and with ConnectionError when it does not answer in time. */
  static async open(target: DatabaseTarget, options: SessionOptions): Promise<Session> {
    const { application, settings, connectMs } = options;
    const config = clientConfig(target, application, settings);
    try {
      return new Session(await connectClient(config, connectMs), options);
    } catch (error) {
      if (!/does not support SSL/.test((error as Error).message) || !prefersEncryption(target)) throw error;
      return new Session(await connectClient({ ...config, ssl: false }, connectMs), options);
    }
  }

  /** Whether it can accept statements. */
  get isOpen(): boolean {
    return this.#lost === undefined && this.#wire.stream.writable;
  }

  /** Whether it has no current statement and no transaction. */
  get isFree(): boolean {
    return this.isOpen && this.#current === undefined && this.#status === 'I';
  }

  /** Sends a statement after the waiting ones. Its execution is settled exactly once. */
  execute(execution: Execution): void {
    if (this.#lost) execution.reject(this.#lost);
    else if (this.#current) this.#queue.push(execution);
    else this.#start(execution);
  }

  /** Closes the session; waiting statements fail with `error`. */
  destroy(error: Error): void {
    this.#lose(error);
  }

  /** Calls `told` when the session is lost, unless the returned function was called before. */
  whenLost(told: (error: Error) => void): () => void {
    if (this.#lost) told(this.#lost);
    this.#losing.add(told);
    return () => this.#losing.delete(told);
  }

  /**
   * Sends Terminate and closes; waiting statements fail. Resolves when the connection is closed, by this side if the
   * server does not answer.
   */
  async close(): Promise<void> {
    const { stream } = this.#wire;
    const isSudden = this.#current !== undefined;
    this.#lose(new ConnectionError('CONNECTION_ENDED', 'the connection was closed'), isSudden);
    const timer = setTimeout(() => stream.destroy(), GOODBYE_MS);
    await this.#client.end();
    clearTimeout(timer);
  }

  passed(milliseconds: number): void {
    if (!this.#current) return;
    this.#age += milliseconds;
    if (this.#age < this.deadlineMs) return;
    const message = `a statement was not answered within ${Math.round(this.deadlineMs / 1_000)} s`;
    this.#lose(new ConnectionError('CONNECTION_DEADLINE', message));
  }

  #start(execution: Execution): void {
    this.#current = execution;
    this.#age = 0;
    this.#preparing = undefined;
    if (this.#parsing.length > 0) this.#parsing = [];
    this.#isBefore = false;
    this.#columns = noColumns;
    this.#rows = new Rows();
    this.#isComplete = false;
    this.#error = undefined;
    // Calls `submit`: the driver is idle whenever there is no current statement.
    this.#client.query(this.#reader as unknown as pg.Submittable);
  }

  /** Returns null, or the error that prevented sending, as the driver expects. */
  #send(): null {
    const { stream } = this.#wire;
    const { statement, before } = this.#current!;
    if (typeof statement === 'string') {
      stream.write(serialize.query(statement));
      return null;
    }
    const prepared = this.#prepare(statement.shape);
    this.#preparing = prepared;
    // Throws for a value that cannot be encoded, before anything is written.
    const bind = serialize.bind({ statement: prepared.name, values: statement.values as unknown[] });
    stream.cork();
    if (before) {
      const first = this.#prepare(before.shape);
      this.#parse(first, before.shape);
      stream.write(serialize.bind({ statement: first.name, values: before.values as unknown[] }));
      stream.write(executePortal);
      this.#isBefore = true;
    }
    this.#parse(prepared, statement.shape);
    stream.write(bind);
    if (prepared.columns) this.#columns = prepared.columns;
    stream.write(prepared.columns ? executeAndSync : describeExecuteAndSync);
    stream.uncork();
    return null;
  }

  #prepare(shape: Shape): Prepared {
    let prepared = this.#prepared.get(shape);
    if (!prepared) {
      prepared = { name: `s${++this.#made}`, isParsed: false, columns: undefined };
      this.#prepared.set(shape, prepared);
    }
    return prepared;
  }

  /** Sends the text of a statement unless the server has it. */
  #parse(prepared: Prepared, { text, types }: Shape): void {
    if (prepared.isParsed) return;
    this.#wire.stream.write(serialize.parse({ name: prepared.name, text, types: [...types] }));
    this.#parsing.push(prepared);
  }

  #describe(fields: readonly Field[]): void {
    const columns = {
      names: fields.map(({ name }) => name),
      readers: fields.map(({ dataTypeID }) => readerOf(dataTypeID)),
    };
    // A text with several statements returns the rows of the last statement that has rows.
    if (typeof this.#current?.statement === 'string') this.#rows = new Rows();
    this.#columns = columns;
    if (this.#preparing) this.#preparing.columns = columns;
  }

  #row(values: readonly (string | null)[]): void {
    if (this.#isBefore) return;
    const { names, readers } = this.#columns;
    const row: Record<string, unknown> = {};
    try {
      for (let i = 0; i < names.length; i++) {
        const value = values[i]!;
        row[names[i]!] = value === null ? null : readers[i]!(value);
      }
    } catch (error) {
      this.#error ??= error as DatabaseError;
    }
    this.#rows.push(row);
  }

  /** `tag` has the form `INSERT 0 5`, `SELECT 5`, `CREATE TABLE`. */
  #complete(tag: string): void {
    if (this.#isBefore) {
      this.#isBefore = false;
      return;
    }
    this.#isComplete = true;
    const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
    const isCounted = !Number.isNaN(count) && tag !== '';
    this.#rows.command = isCounted ? tag.slice(0, tag.indexOf(' ')) : tag;
    this.#rows.count = isCounted ? count : 0;
  }

  /** Called when the server rejected the statement, or the connection is lost. */
  #refused(error: Error): void {
    if (!('severity' in error)) {
      this.#lose(lost(error));
      return;
    }
    this.#error ??= error as DatabaseError;
    const { severity } = error as DatabaseError;
    if (severity === 'FATAL' || severity === 'PANIC') this.#lose(this.#told());
  }

  /** Called when the server has finished the statement. */
  #ready(status: string): void {
    this.#status = status;
    const execution = this.#current;
    if (!execution) return;
    this.#current = undefined;
    const preparing = this.#preparing;
    this.#preparing = undefined;
    if (this.#error) {
      const stale = preparing && staleRoutines.has(this.#error.routine ?? '');
      if (stale) {
        this.#forget(preparing);
        if (execution.before) this.#prepared.delete(execution.before.shape);
      }
      if (stale && status === 'I' && this.#repeated !== execution) {
        // The statement did not run: it is prepared and sent again.
        this.#repeated = execution;
        this.#start(execution);
        return;
      }
      const error = this.#told(execution);
      noteRefusal(error);
      execution.reject(error);
    } else if (!this.#isComplete) {
      const error = new ConnectionError('CONNECTION_LOST', 'the server left a statement without an answer');
      execution.reject(error);
      this.#lose(error);
      return;
    } else {
      noteAnswer();
      execution.resolve(this.#rows);
    }
    const next = this.#queue.shift();
    if (next) this.#start(next);
    else this.onFree();
  }

  #forget(prepared: Prepared): void {
    for (const [shape, known] of this.#prepared) if (known === prepared) this.#prepared.delete(shape);
  }

  /** Returns the server's error with the stack of the code that made the statement. */
  #told(execution = this.#current): Error {
    const error = this.#error!;
    return 'severity' in error ? new PostgresError(error, execution?.origin()) : (error as Error);
  }

  #lose(error: Error, isSudden = true): void {
    if (this.#lost) return;
    this.#lost = error;
    const pid = (this.#client as unknown as { processID: number | null }).processID;
    if (error instanceof ConnectionError && pid !== null) error.backend ??= { pid, openedAt: this.openedAt };
    unwatch(this);
    if (isSudden) this.#wire.stream.destroy();
    const waiting = this.#current ? [this.#current, ...this.#queue.splice(0)] : [];
    this.#current = undefined;
    for (const execution of waiting) {
      noteRefusal(error);
      execution.reject(error);
    }
    for (const told of this.#losing) told(error);
    this.#losing.clear();
    this.onLost(error);
  }
}

function lost(cause?: Error): ConnectionError {
  const message = cause ? `the connection was lost: ${cause.message}` : 'the connection was lost';
  return new ConnectionError('CONNECTION_LOST', message, { cause });
}

async function connectClient(config: pg.ClientConfig, connectMs: number): Promise<pg.Client> {
  const client = new pg.Client(config);
  // Errors during opening are reported by the promise.
  const swallow = () => {};
  client.on('error', swallow);
  const { stream } = (client as unknown as { connection: Wire }).connection;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stream.destroy();
  }, connectMs);
  try {
    await client.connect();
  } catch (error) {
    stream.destroy();
    if (isLate)
      throw new ConnectionError('CONNECT_TIMEOUT', 'the database does not answer', { cause: error });
    if (error instanceof Error && 'severity' in error) throw new PostgresError(error as DatabaseError);
    // The connection ended without a message: the server is starting, stopping, or full.
    if (!('code' in (error as Error))) throw lost(error as Error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  client.off('error', swallow);
  return client;
}
