import { chmod } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../../database/connection.ts';
import { leaseClock } from '../../../database/lease-clock.ts';
import type { ProcessNumber } from '../../../database/processes.ts';
import type { Logger } from '../../../kit/observability/log.ts';
import { supervise } from '../../../kit/owners.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { Permits } from '../permits.ts';
import { AcceptorConnection } from './acceptor-connection.ts';
import { isRegistered, storeAddress } from './addresses.ts';
import type { HandedPlan } from './handed-plans.ts';
import { socketPath } from './socket-folder.ts';

/** Minimum milliseconds between two states while messages arrive, and the pause between looks while nothing happens. */
const STATE_MS = 20;
const IDLE_MS = 250;
const RETRY_MS = 200;
/** Maximum milliseconds that a stop waits for messages on their way. */
const STOP_MS = 3_000;

interface PeerServerDeps {
  readonly sql: Sql;
  readonly process: ProcessNumber;
  readonly log: Logger;
  /** Key of the installation, with which processes prove that they belong to it. */
  readonly key: Buffer;
}

/** The parts of a process that take messages of other processes. */
interface Takers {
  readonly dispatcher: Pick<Dispatcher, 'capacity' | 'takeHanded' | 'hint'>;
  readonly permits: Pick<Permits, 'refresh'>;
}

/**
 * Takes accepted messages from other processes of this machine, over a local socket
 * (docs/decisions/0041-hand-over-between-processes.md). Without a folder for the socket, other processes notify this one
 * through the database.
 */
export class PeerServer {
  readonly #deps: PeerServerDeps;
  readonly #connections = new Set<AcceptorConnection>();
  #takers: Takers | undefined;
  #server: Server | undefined;
  #telling: NodeJS.Timeout | undefined;
  #tellsAt = Number.POSITIVE_INFINITY;
  #stops = false;

  constructor(deps: PeerServerDeps) {
    this.#deps = deps;
  }

  /** Whether a process sends its hints over a connection. */
  hearsFrom(owner: string): boolean {
    return [...this.#connections].some((connection) => connection.owner === owner);
  }

  /** Listens, and stores the address for other processes. Rejects with errors of the database. */
  async start(takers: Takers): Promise<void> {
    const { sql, process, log } = this.#deps;
    this.#takers = takers;
    const path = await this.#listen();
    if (path === undefined || this.#stops) return;
    await storeAddress(sql, process, path);
    log.debug({ path }, 'listening for messages of other processes');
  }

  /** Returns the path of the socket; undefined without a folder for it. */
  async #listen(): Promise<string | undefined> {
    const { process, key, log } = this.#deps;
    try {
      const path = await socketPath({ key, process });
      if (this.#stops) return undefined;
      if (path === undefined) {
        log.info('no private folder for a socket: other processes use the database to notify this one');
        return undefined;
      }
      const server = createServer({ allowHalfOpen: true }, (socket) => this.#connect(socket));
      this.#server = server;
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(path, resolve);
      });
      server.on('error', (error) => log.warn({ err: error }, 'socket for other processes failed'));
      await chmod(path, 0o600);
      return path;
    } catch (error) {
      log.info({ err: error }, 'no socket: other processes use the database to notify this one');
      return undefined;
    }
  }

  #connect(socket: ConstructorParameters<typeof AcceptorConnection>[0]): void {
    const { key, sql, log, process } = this.#deps;
    const connection = new AcceptorConnection(socket, {
      key,
      owner: process.boot,
      log,
      isRegistered: (owner) => supervise('peers', () => isRegistered(sql, owner)),
      take: (plans) => this.#take(plans),
      hint: (accountId, lane) => this.#takers!.dispatcher.hint(accountId, lane),
      changed: () => this.#tellIn(STATE_MS),
      closed: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
  }

  /**
   * Takes messages when the accounts and policies that decide about them are in memory. Without a database, their leases
   * end, and any process claims them.
   */
  async #take(plans: readonly HandedPlan[]): Promise<void> {
    const accountIds = new Set(plans.map(({ accountId }) => accountId));
    if (!(await this.#refresh(accountIds, Math.max(...plans.map((plan) => plan.leaseUntil))))) return;
    try {
      this.#takers!.dispatcher.takeHanded(plans);
    } catch (error) {
      this.#deps.log.error(
        { err: error },
        'messages of another process not taken: they wait for their leases',
      );
    }
  }

  /** Reads accounts and policies that are too old, and retries until `leaseUntil`. Returns whether it has succeeded. */
  async #refresh(accountIds: Iterable<number>, leaseUntil: number): Promise<boolean> {
    while (leaseClock.now() < leaseUntil && !this.#stops) {
      try {
        await supervise('peers', () => this.#takers!.permits.refresh(accountIds));
        return true;
      } catch (error) {
        this.#deps.log.debug({ err: error }, 'messages of another process wait for the database');
        await pause(RETRY_MS);
      }
    }
    return false;
  }

  /** Sends the state of the dispatcher in `milliseconds`, unless it is sent earlier. */
  #tellIn(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (at >= this.#tellsAt) return;
    clearTimeout(this.#telling);
    this.#tellsAt = at;
    this.#telling = setTimeout(() => this.#tell(), milliseconds);
  }

  #tell(): void {
    clearTimeout(this.#telling);
    this.#tellsAt = Number.POSITIVE_INFINITY;
    if (this.#connections.size === 0) return;
    const began = performance.now();
    const { capacity } = this.#takers!.dispatcher;
    let hasChanged = false;
    for (const connection of this.#connections) {
      if (connection.tell(capacity, this.#stops)) hasChanged = true;
    }
    // With a thousand routes a state takes a millisecond: it may use a twentieth of the time.
    this.#tellIn(hasChanged ? Math.max(STATE_MS, (performance.now() - began) * 20) : IDLE_MS);
  }

  /**
   * Asks the other processes to hand over no more, takes what is on its way, and closes the connections. The dispatcher
   * must stop after it.
   */
  async stop(graceMs: number): Promise<void> {
    const { sql, process, log } = this.#deps;
    this.#stops = true;
    const server = this.#server;
    if (!server) return;
    await storeAddress(sql, process, null).catch((error: unknown) => {
      log.debug({ err: error }, 'address for other processes not removed');
    });
    const closed = new Promise((resolve) => server.close(resolve));
    this.#tell();
    const deadline = setTimeout(
      () => {
        for (const connection of this.#connections) connection.destroy();
      },
      Math.min(graceMs, STOP_MS),
    );
    await Promise.all([closed, ...[...this.#connections].map((connection) => connection.closed)]);
    clearTimeout(deadline);
    clearTimeout(this.#telling);
  }
}
