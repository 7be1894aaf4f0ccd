import { currentStep } from '../owners.ts';
import { PostgresError } from './errors.ts';
import type { SealedText } from './sealed-text.ts';
import type { Execution } from './session.ts';
import {
  Assignments,
  buildStatement,
  type Fragment,
  Names,
  type Statement,
  textStatement,
} from './statement.ts';
import type { DatabaseTarget } from './target.ts';
import { Json, type Parameter } from './values.ts';

/* What modules write statements with, and the statements themselves; connection.ts opens a pool that they run on. */

/** A row of a statement whose columns nobody has named. */
// biome-ignore lint/suspicious/noExplicitAny: what it is stands in the statement alone
export type Row = Record<string, any>;
/** What may stand in a statement. */
type Value = Parameter | Names | Assignments | Query<readonly object[]> | readonly Query<readonly object[]>[];

/** What a statement can run on: the pool, or a transaction of it. */
export interface Queryable {
  /** A statement, sent when it is awaited; or a part of another one. */
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: readonly Value[]): Query<T>;
  /** Names in a statement; after IN, values. */
  (names: string | readonly (string | number)[]): Names;
  /** Columns with their new values, after SET. */
  (columns: Readonly<Record<string, Parameter>>): Assignments;
  json(value: unknown): Json;
  /** A text of a message that is still to be sent, as the account has its texts stored: as it is, or sealed. */
  waitingText<T extends string | null>(accountId: number, text: T): T | SealedText;
  /** A text that stood in the database and is written anew: sealed if it was, whatever the account wants now. */
  rewrittenText(accountId: number, text: string, wasSealed: boolean): string | SealedText;
  /** A value of such a text, as JSON. */
  waitingJson(accountId: number, value: unknown): Json;
  /** One that nobody waits for any more; null where the account has its texts not stored. */
  keptText(accountId: number, text: string): string | SealedText | null;
  /** Those of the accounts that have their texts not stored. */
  withoutTexts(accountIds: readonly number[]): readonly number[];
  /**
   * A text that was put together by the program, never from what a caller sent. With parameters (`$1`) one statement;
   * without any it may be several, and the rows are those of the last one that has some.
   */
  unsafe<T extends readonly object[] = Row[]>(text: string, parameters?: readonly Parameter[]): Query<T>;
}

export interface TransactionSql extends Queryable {
  /** Undoes what `work` did, and only that, when it throws. */
  savepoint<T>(work: (tx: TransactionSql) => T): Promise<Settled<T>>;
  /**
   * Has `work` called right after the commit, before `begin` is fulfilled; never when the transaction, or the savepoint
   * that it was asked for in, is undone. It must not throw.
   */
  afterCommit(work: () => void): void;
}

interface ReservedSql extends Queryable {
  /** Gives the session back to the pool. */
  release(): void;
}

/** For work that takes longer than statements may. */
export interface WorkOptions {
  /** Of each statement and of the whole work, milliseconds. */
  readonly deadlineMs?: number;
  /** How long each statement of a transaction waits for a lock, milliseconds; then it fails with 55P03. */
  readonly lockMs?: number;
}

export interface Sql extends Queryable {
  /**
   * Runs `work` in a transaction: committed when it is fulfilled, rolled back when it throws or one of its statements has
   * failed. When the connection is lost with the COMMIT, the server is asked on another one whether it was done
   * (lost-commits.ts). Throws what `work` throws, and ConnectionError or PostgresError when it was not committed, or when
   * the database did not say within 10 s.
   */
  begin<T>(work: (tx: TransactionSql) => T): Promise<Settled<T>>;
  begin<T>(options: WorkOptions, work: (tx: TransactionSql) => T): Promise<Settled<T>>;
  /** A session for oneself, until `release`. */
  reserve(options?: WorkOptions): Promise<ReservedSql>;
  notify(channel: string, payload: string): Promise<void>;
  /** Closes when what runs is finished, or after `timeout` seconds (5). */
  end(options?: { timeout?: number }): Promise<void>;
  readonly options: SqlOptions;
}

/** What the pool was made with; `listen` opens a connection of its own with it. */
export interface SqlOptions {
  readonly target: DatabaseTarget;
  readonly connect: Required<ConnectOptions>;
  /** Called with what the server refused. */
  refused?: ((error: PostgresError) => void) | undefined;
  /** How accounts have their texts stored (secrets/text-storage.ts); undefined: as they are. */
  texts?: TextRules | undefined;
  /** Of statements that are sent to the node of one shard. */
  readonly shard?: ShardStatements | undefined;
  /** Called with each statement before it is sent, for tests. */
  observe?: ((text: string, parameters: readonly unknown[]) => void) | undefined;
}

/** How accounts have their texts stored. */
export interface TextRules {
  sealed(accountId: number, text: string): SealedText;
  waiting(accountId: number, text: string): string | SealedText;
  kept(accountId: number, text: string): string | SealedText | null;
  /** Those of the accounts that have their texts not stored. */
  without(accountIds: readonly number[]): readonly number[];
}

/** How statements about one shard are sent to its node (shard-nodes.ts). */
export interface ShardStatements {
  readonly shard: number;
  /** Keeps the shard where it is until the transaction ends; fails as `isMoved` knows when it is elsewhere. */
  readonly hold: Statement;
  /** The same as a text. */
  readonly holdText: string;
  /** The statement with the tables of the shard. */
  write(statement: Statement | string): Statement | string;
  isMoved(error: unknown): boolean;
}

type Settled<T> = T extends readonly (infer U | PromiseLike<infer U>)[] ? U[] : Awaited<T>;

export interface ConnectOptions {
  /** Connections, at most. */
  max?: number;
  application?: string;
  /**
   * Commits without waiting for the disk: for leases and the removal of finished work, of which a power failure may
   * undo the last fraction of a second and nothing but repeated work comes of it.
   */
  asyncCommit?: boolean;
  /**
   * A statement may run this long on the server, milliseconds; it is given up with its connection a little later, for a
   * server or a network that is silent. A transaction has twice the time.
   */
  statementMs?: number;
  /** Called with what the server says beside its answers. */
  onNotice?: (message: string) => void;
  /** Who has no connection after so long is refused, milliseconds. A new connection may take as long. */
  acquireMs?: number;
}

/** Rows, with how many a statement touched. */
type Answer<T> = T & { count: number; command: string };

export type Send = (execution: Execution) => void;

/** A statement that is sent when somebody waits for it, or a part of another one. */
export class Query<T extends readonly object[]> implements Promise<Answer<T>>, Fragment {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  readonly #send: Send;
  /** A text as it is, with its own parameters. */
  readonly #isText: boolean;
  readonly #options: SqlOptions;
  readonly #origin: () => string | undefined;
  #answer: Promise<Answer<T>> | undefined;

  constructor(
    strings: readonly string[],
    args: readonly unknown[],
    how: { send: Send; isText?: boolean; options: SqlOptions },
  ) {
    this.strings = strings;
    this.args = args;
    this.#send = how.send;
    this.#isText = how.isText ?? false;
    this.#options = how.options;
    // A text has no place of its own in the program.
    this.#origin = this.#isText ? noOrigin : originOf(strings);
  }

  get [Symbol.toStringTag](): string {
    return 'Query';
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = Answer<T>, B = never>(
    fulfilled?: ((rows: Answer<T>) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(fulfilled, rejected);
  }

  catch<B = never>(rejected?: ((error: unknown) => B | PromiseLike<B>) | null) {
    return this.execute().catch(rejected);
  }

  finally(settled?: (() => void) | null) {
    return this.execute().finally(settled);
  }

  /** Sends it now. */
  execute(): Promise<Answer<T>> {
    this.#answer ??= new Promise((resolve, reject) => {
      const statement = this.#statement();
      const step = currentStep();
      if (step?.refusal) throw step.refusal;
      if (typeof statement === 'string') this.#options.observe?.(statement, []);
      else this.#options.observe?.(statement.shape.text, statement.values);
      this.#send({
        statement,
        origin: this.#origin,
        resolve: (rows) => {
          step?.progressed();
          resolve(rows as unknown as Answer<T>);
        },
        reject: (error) => {
          if (error instanceof PostgresError) this.#options.refused?.(error);
          reject(error);
        },
      });
    });
    return this.#answer;
  }

  #statement(): Statement | string {
    if (!this.#isText) return buildStatement(this.strings, this.args, isQuery);
    return this.args.length === 0 ? this.strings[0]! : textStatement(this.strings[0]!, this.args);
  }
}

const isQuery = (value: unknown): value is Fragment => value instanceof Query;

const noOrigin = () => undefined;
const origins = new WeakMap<readonly string[], Error>();

/** The stack of the code that made a statement first: looking it up each time would cost more than sending it. */
function originOf(strings: readonly string[]): () => string | undefined {
  let known = origins.get(strings);
  if (!known) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 6;
    known = new Error();
    Error.stackTraceLimit = limit;
    origins.set(strings, known);
  }
  const error = known;
  return () =>
    error.stack
      ?.split('\n')
      .filter((line) => /^ +at /.test(line) && !line.includes(import.meta.filename))
      .join('\n');
}

/** The functions of a `sql` whose statements go to `send`. */
export function createSql(send: Send, options: SqlOptions): Queryable {
  const sql = (
    first: TemplateStringsArray | string | readonly (string | number)[] | Row,
    ...values: unknown[]
  ) => {
    if (Array.isArray(first)) {
      if ('raw' in first) return new Query(first as string[], values, { send, options });
      return new Names(first);
    }
    return typeof first === 'string' ? new Names([first]) : new Assignments(first as Row);
  };
  return Object.assign(sql, {
    json: (value: unknown) => new Json(value),
    waitingText: (accountId: number, text: string | null) =>
      text === null ? null : (options.texts?.waiting(accountId, text) ?? text),
    rewrittenText(accountId: number, text: string, wasSealed: boolean) {
      if (!wasSealed) return options.texts?.waiting(accountId, text) ?? text;
      if (!options.texts) throw new Error('a sealed text cannot be written without its key');
      return options.texts.sealed(accountId, text);
    },
    waitingJson(accountId: number, value: unknown) {
      const text = JSON.stringify(value);
      const stored = options.texts?.waiting(accountId, text) ?? text;
      return new Json(typeof stored === 'string' ? value : stored);
    },
    keptText: (accountId: number, text: string) =>
      options.texts ? options.texts.kept(accountId, text) : text,
    withoutTexts: (accountIds: readonly number[]) => options.texts?.without(accountIds) ?? [],
    unsafe: (text: string, parameters: readonly unknown[] = []) =>
      new Query([text], parameters, { send, isText: true, options }),
  }) as unknown as Queryable;
}
