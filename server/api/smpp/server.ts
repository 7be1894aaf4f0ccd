import type { Context } from '../../kit/context.ts';
import { Loop } from '../../kit/loop.ts';
import { Rate } from '../../kit/rate.ts';
import type { BindPdu } from '../../protocols/smpp/pdu.ts';
import type { BindMode, SmppBinds } from './binds.ts';
import type { SmppClient, SmppClients } from './clients.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import { type ListenerSettings, SmppListeners } from './listeners.ts';
import type { EndedRow, Receivers } from './messages.ts';
import { boundClients } from './metrics.ts';
import { Outbox } from './outbox.ts';
import type { Requests } from './requests.ts';
import type { DeliveryStore } from './sent-deliveries.ts';
import type { SessionOwner, SignedIn, SmppSession } from './session.ts';
import type { SignIn } from './sign-in.ts';

interface ServerDeps extends Pick<Context, 'log'> {
  readonly settings: ListenerSettings;
  readonly limits: ConnectionLimits;
  readonly clients: SmppClients;
  readonly binds: SmppBinds;
  readonly signIn: SignIn;
  readonly requests: Requests;
  readonly rows: DeliveryRows;
  /** Store of messages whose receipts are sent without a delivery. */
  readonly finished: DeliveryStore<EndedRow>;
}

/** Milliseconds between two looks for deliveries that other processes have stored. */
const POLL_MS = 1_000;
/** Looks between two renewals of the leases of binds. */
const RENEWED_EVERY = 5;

/** The SMPP server of this process: listeners, sessions, and deliveries to receivers. */
export class SmppServer implements SessionOwner, Receivers {
  readonly log: ServerDeps['log'];
  readonly requests: Requests;
  readonly #deps: ServerDeps;
  readonly #connections: Connections;
  readonly #listeners: SmppListeners;
  readonly #outboxes = new Map<number, Outbox>();
  readonly #rates = new Map<number, Rate>();
  readonly #loop: Loop;
  #steps = 0;
  #stopping = false;
  #onEmpty: (() => void) | undefined;

  constructor(deps: ServerDeps) {
    this.#deps = deps;
    this.log = deps.log;
    this.requests = deps.requests;
    this.#connections = new Connections(deps.limits, this);
    this.#listeners = new SmppListeners(deps.settings, deps.log, (socket, isSecure) =>
      this.#connections.add(socket, isSecure),
    );
    this.#loop = new Loop({
      owner: 'module smpp-server',
      everyMs: POLL_MS,
      step: () => this.#step(),
      log: deps.log,
      failed: 'binds of SMPP clients not renewed',
    });
  }

  /** Ports of the listeners, without TLS and with it; undefined for one that is not set up. */
  get ports(): SmppListeners['ports'] {
    return this.#listeners.ports;
  }

  /** Starts listening. Rejects if an address cannot be bound or the certificate cannot be read. */
  async start(): Promise<void> {
    await this.#deps.clients.refresh();
    await this.#listeners.open();
    this.#loop.start();
  }

  /** Stops listening, answers running requests within `graceMs`, and unbinds. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#loop.stop();
    const closed = this.#listeners.close();
    for (const session of this.#connections.all) session.leave('the server stops');
    await this.#untilEmpty(graceMs);
    for (const session of this.#connections.all) session.destroy('the server stops');
    await closed;
    await Promise.all(Array.from(this.#outboxes.values(), (outbox) => outbox.idle()));
  }

  /** Sends new deliveries of these clients. It is a hint: others are found by the next look. */
  announce(clientIds: Iterable<number>): void {
    for (const id of clientIds) this.#outboxes.get(id)?.pull();
  }

  roomOf(accountId: number): Map<number, number> {
    const rooms = new Map<number, number>();
    for (const { id } of this.#deps.clients.cachedOf(accountId)) {
      const room = this.#outboxes.get(id)?.room ?? 0;
      if (room > 0) rooms.set(id, room);
    }
    return rooms;
  }

  send(rows: readonly EndedRow[]): void {
    for (const [clientId, mine] of Map.groupBy(rows, (row) => row.clientId))
      this.#outboxes.get(clientId)?.finish(mine);
  }

  async signIn(pdu: BindPdu, mode: BindMode, session: SmppSession): Promise<SignedIn | number> {
    return this.#deps.signIn.check(pdu, mode, session);
  }

  current(clientId: number): SmppClient | undefined {
    const client = this.#deps.clients.cached(clientId);
    return client?.enabled ? client : undefined;
  }

  takeRate({ id, messagesPerSecond }: SmppClient, count: number): boolean {
    let rate = this.#rates.get(id);
    if (!rate) {
      rate = new Rate();
      this.#rates.set(id, rate);
    }
    return rate.take(messagesPerSecond, count);
  }

  bound(session: SmppSession): void {
    const { client } = session.signedIn!;
    boundClients.inc();
    this.#connections.bound(session);
    this.log.info(
      { clientId: client.id, accountId: client.accountId, address: session.address },
      'SMPP client bound',
    );
    if (this.#stopping) {
      session.leave('the server stops');
      return;
    }
    if (!session.receives) return;
    let outbox = this.#outboxes.get(client.id);
    if (!outbox) {
      outbox = new Outbox(client, {
        rows: this.#deps.rows,
        finished: this.#deps.finished,
        log: this.log,
        alphabet: () => (this.current(client.id) ?? client).defaultAlphabet,
      });
      this.#outboxes.set(client.id, outbox);
    }
    outbox.add(session);
  }

  ended(session: SmppSession, reason: string): void {
    const wasBound = this.#connections.remove(session);
    const { signedIn } = session;
    if (signedIn) {
      const { client, bindId } = signedIn;
      if (wasBound) {
        boundClients.dec();
        this.log.info({ clientId: client.id, reason }, 'SMPP client disconnected');
      }
      this.#outboxes.get(client.id)?.remove(session);
      // Otherwise its lease ends.
      this.#deps.binds
        .remove(client.accountId, bindId)
        .catch((error: unknown) => this.log.warn({ err: error }, 'bind of an SMPP client not removed'));
    }
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  async #step(): Promise<void> {
    await this.#deps.clients.refresh();
    for (const outbox of this.#outboxes.values()) outbox.pull();
    this.#steps++;
    if (this.#steps % RENEWED_EVERY !== 0) return;
    this.#listeners.reloadCertificate();
    this.#forgetRemoved();
    await this.#renew();
  }

  /** Forgets clients that were removed. */
  #forgetRemoved(): void {
    const isRemoved = (id: number) => this.#deps.clients.cached(id) === undefined;
    for (const id of this.#rates.keys()) if (isRemoved(id)) this.#rates.delete(id);
    for (const [id, outbox] of this.#outboxes) if (outbox.isEmpty && isRemoved(id)) this.#outboxes.delete(id);
  }

  /** Renews the leases of binds. Ends binds that an owner has removed, and those of disabled clients. */
  async #renew(): Promise<void> {
    const bound = [...this.#connections.all].filter(({ isBound }) => isBound);
    if (bound.length === 0) return;
    const kept = await this.#deps.binds.renew(
      bound.map(({ signedIn, counts }) => ({
        ...counts,
        accountId: signedIn!.client.accountId,
        id: signedIn!.bindId,
      })),
    );
    for (const session of bound) {
      const { bindId, client } = session.signedIn!;
      if (!kept.has(bindId)) session.leave('disconnected by the account');
      else if (!this.current(client.id)) session.leave('the client was disabled');
    }
  }

  async #untilEmpty(graceMs: number): Promise<void> {
    if (this.#connections.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
