import { setTimeout as pause } from 'node:timers/promises';
import { unwatch, watch } from '../kit/deadlines.ts';
import { ConnectionError } from './errors.ts';
import { forgetPool, measurePool } from './metrics.ts';
import { noteRefusal } from './refusals.ts';
import { type Execution, Session, type SessionOptions } from './session.ts';
import type { DatabaseTarget } from './target.ts';

/*
 * The sessions of a pool. Each has one statement or one transaction at a time, so a statement never waits behind
 * another caller's. When no session is free, callers wait in a queue, at most `acquireMs`.
 */

interface PoolOptions extends SessionOptions {
  /** Maximum number of sessions. */
  readonly max: number;
  /** Milliseconds to wait for a free session. */
  readonly acquireMs: number;
}

interface InLine {
  readonly take: (session: Session) => void;
  readonly refuse: (error: unknown) => void;
  waited: number;
}

/** Maximum age of a session in milliseconds, because the server's memory for its caches grows. */
const MAX_AGE_MS = 45 * 60_000;
/** Pauses between attempts to reach an unavailable database. Short, since requests wait for it. */
const MIN_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 1_000;

export class Pool {
  readonly target: DatabaseTarget;
  readonly options: PoolOptions;
  readonly #free: Session[] = [];
  readonly #all = new Set<Session>();
  #line: InLine[] = [];
  #opening = 0;
  #failures = 0;
  #ended = false;

  constructor(target: DatabaseTarget, options: PoolOptions) {
    this.target = target;
    this.options = options;
    watch(this);
    measurePool(this);
  }

  /** Number of open and free sessions, and of callers waiting for one. */
  get state(): { open: number; free: number; waiting: number } {
    return { open: this.#all.size, free: this.#free.length, waiting: this.#line.length };
  }

  /** Runs one statement on a free session. */
  execute(execution: Execution): void {
    this.#take((session) => session.execute(execution), execution.reject);
  }

  /** The same for a statement about a shard; `notSent` is called instead of `reject` when no session became free. */
  executeOn(shard: number, execution: Execution, notSent: (error: unknown) => void): void {
    this.#take((session) => session.execute(execution), notSent, shard);
  }

  /**
   * Returns a session for exclusive use, for statements about `shard`, until `release`. Throws ConnectionError when
   * none of them becomes free in time, and errors of the database for a new one.
   */
  acquire(shard?: number): Promise<Session> {
    return new Promise((resolve, reject) => {
      const take = (session: Session) => {
        session.onFree = () => {};
        resolve(session);
      };
      this.#take(take, reject, shard);
    });
  }

  /** Takes a session back. Closes one that is still busy or in a transaction. */
  release(session: Session): void {
    session.deadlineMs = this.options.deadlineMs;
    session.onFree = () => this.#next(session);
    if (!session.isFree)
      session.destroy(new ConnectionError('CONNECTION_LOST', 'a connection was not left free'));
    else this.#next(session);
  }

  passed(milliseconds: number): void {
    if (this.#line.length === 0) return;
    for (const one of this.#line) one.waited += milliseconds;
    const late = this.#line.filter(({ waited }) => waited >= this.options.acquireMs);
    if (late.length === 0) return;
    this.#line = this.#line.filter(({ waited }) => waited < this.options.acquireMs);
    const seconds = Math.round(this.options.acquireMs / 1_000);
    for (const { refuse } of late) {
      const words = `no connection to the database became free in ${seconds} s`;
      const error = new ConnectionError('CONNECTION_BUSY', words);
      noteRefusal(error);
      refuse(error);
    }
  }

  /** Accepts no more statements, waits at most `graceMs` for running ones, and closes. */
  async end(graceMs: number): Promise<void> {
    this.#ended = true;
    const until = performance.now() + graceMs;
    while ((this.#line.length > 0 || this.#free.length < this.#all.size) && performance.now() < until)
      await pause(5);
    unwatch(this);
    forgetPool(this);
    this.#refuseAll(ended());
    this.#free.length = 0;
    await Promise.all([...this.#all].map((session) => session.close()));
  }

  #take(take: InLine['take'], refuse: InLine['refuse'], shard?: number): void {
    if (this.#ended) {
      refuse(ended());
      return;
    }
    if (shard !== undefined) this.#preferFor(shard);
    for (let session = this.#free.pop(); session; session = this.#free.pop()) {
      if (session.isFree && performance.now() - session.openedAt < MAX_AGE_MS) {
        take(session);
        return;
      }
      this.#drop(session);
    }
    this.#line.push({ take, refuse, waited: 0 });
    this.#open();
  }

  /**
   * Moves a free session to the end of the list, from which the next one is popped: preferably a session with prepared
   * statements for the shard.
   */
  #preferFor(shard: number): void {
    const known = this.#free.findLastIndex(({ shards }) => shards.has(shard));
    const at = known >= 0 ? known : 0;
    const [session] = this.#free.splice(at, 1);
    if (!session) return;
    session.shards.add(shard);
    this.#free.push(session);
  }

  /** Opens a session for waiting callers, if another one is allowed. */
  #open(): void {
    if (this.#opening >= this.#line.length || this.#all.size + this.#opening >= this.options.max) return;
    this.#opening++;
    void this.#connect().finally(() => {
      this.#opening--;
      if (this.#line.length > 0) this.#open();
    });
  }

  async #connect(): Promise<void> {
    if (this.#failures > 0) await pause(Math.min(MIN_BACKOFF_MS * 2 ** this.#failures, MAX_BACKOFF_MS));
    let session: Session;
    try {
      session = await Session.open(this.target, this.options);
    } catch (error) {
      this.#failures++;
      noteRefusal(error);
      // While there are sessions, one of them becomes free. Without any the database is unavailable.
      if (this.#all.size === 0) this.#refuseAll(error);
      return;
    }
    this.#failures = 0;
    this.#all.add(session);
    session.onFree = () => this.#next(session);
    session.onLost = (error) => this.#lost(session, error);
    if (this.#ended && this.#line.length === 0) this.#drop(session);
    else this.#next(session);
  }

  /** Called when a session has become free. */
  #next(session: Session): void {
    if (!session.isFree) {
      this.#drop(session);
      return;
    }
    const first = this.#line.shift();
    if (first) first.take(session);
    else this.#free.push(session);
  }

  #lost(session: Session, error: Error): void {
    this.#all.delete(session);
    const at = this.#free.indexOf(session);
    if (at >= 0) this.#free.splice(at, 1);
    // The network or the server is silent: other idle sessions are probably affected, and would cost their next users
    // the same time.
    if (error instanceof ConnectionError && error.code === 'CONNECTION_DEADLINE') {
      for (const idle of this.#free.splice(0)) this.#drop(idle);
    }
    if (this.#line.length > 0) this.#open();
  }

  #drop(session: Session): void {
    void session.close();
  }

  #refuseAll(error: unknown): void {
    for (const { refuse } of this.#line.splice(0)) refuse(error);
  }
}

function ended(): ConnectionError {
  return new ConnectionError('CONNECTION_ENDED', 'the connections to the database are closed');
}
