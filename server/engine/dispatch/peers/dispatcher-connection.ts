import { connect, type Socket } from 'node:net';
import { leaseClock } from '../../../database/lease-clock.ts';
import type { Logger } from '../../../kit/observability/log.ts';
import { type Lane, lanes } from '../../messages/lanes.ts';
import type { BatchLease } from '../../messages/store-messages.ts';
import type { AccountPlan } from '../../messages/store-shipments.ts';
import { LEASE_MS } from '../batches.ts';
import { FrameReader, frameOf } from './frames.ts';
import { countHanded, handedPlan } from './handed-plans.ts';
import { peerConnections, peerMessages } from './metrics.ts';
import { isProof, newNonce, proofOf } from './proofs.ts';
import {
  type Challenge,
  type DispatcherState,
  type HandedFrame,
  PROTOCOL,
  type Response,
  type Welcome,
} from './protocol.ts';

/** Milliseconds within which a dispatcher must answer a new connection. */
const CONNECT_MS = 5_000;
/** Milliseconds without a state after which a dispatcher gets no more messages: it sends one every 500 ms. */
const STALE_MS = 2_000;
/** Milliseconds after which a lease that was not used counts no more: its transaction has stored nothing. */
const UNUSED_MS = 5_000;
/** Unsent bytes from which a dispatcher gets no more messages. */
const MAX_UNSENT = 1 << 20;
/** Approximate number of messages of a frame: reading one must not block the other process for long. */
const FRAME_MESSAGES = 500;
/** Milliseconds to wait for the other side to close. */
const CLOSE_MS = 1_000;

/** Messages of a plan by lane and route. */
export interface Need {
  /** `placeOf`. */
  readonly place: string;
  readonly lane: Lane;
  count: number;
}

/** Returns the key of a lane and a route. */
export const placeOf = (lane: Lane, route: string): string => `${lane}/${route}`;

/** A lease for the dispatcher of another process. */
export class PeerLease implements BatchLease {
  readonly owner: string;
  readonly until: number;
  readonly connection: DispatcherConnection;
  readonly needs: readonly Need[];
  readonly givenAt = performance.now();

  constructor(connection: DispatcherConnection, owner: string, needs: readonly Need[]) {
    this.owner = owner;
    this.until = leaseClock.now() + LEASE_MS;
    this.connection = connection;
    this.needs = needs;
  }
}

/** A plan that was stored with a lease for another process. */
export type LeasedPlan = AccountPlan & { readonly lease: PeerLease };

interface DispatcherConnectionDeps {
  readonly path: string;
  /** Owner of the leases of the dispatcher. */
  readonly dispatcher: string;
  /** Key of the installation. */
  readonly key: Buffer;
  /** This run of this process. */
  readonly owner: string;
  readonly log: Logger;
  /** How long delivery is attempted, in milliseconds. */
  readonly validityMs: number;
  readonly closed: (connection: DispatcherConnection) => void;
}

/** A connection to a dispatcher in another process of this machine, in a process that accepts. */
export class DispatcherConnection {
  readonly #deps: DispatcherConnectionDeps;
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  readonly #nonce = newNonce();
  readonly #opening: NodeJS.Timeout;
  readonly #closed = Promise.withResolvers<void>();
  #expectedProof: string | undefined;
  #isProven = false;
  #state: DispatcherState | undefined;
  #stateAt = 0;
  /** Free places by `placeOf`, as in the state. */
  #places: ReadonlyMap<string, number> = new Map();
  #due: readonly (ReadonlySet<number> | null)[] = [];
  /** Number of messages with leases that the state does not include yet, by `placeOf`. */
  readonly #reserved = new Map<string, number>();
  readonly #unused = new Set<PeerLease>();
  /** Sent frames that the dispatcher has not confirmed, oldest first. */
  readonly #unconfirmed: (readonly PeerLease[])[] = [];
  #confirmed = 0;
  /** Hints of this turn, by account and lane. */
  readonly #hints = new Map<string, readonly [accountId: number, lane: Lane]>();
  /** Hints that the dispatcher has not confirmed, with their numbers. */
  readonly #hinted = new Map<string, number>();
  #hintCount = 0;

  constructor(deps: DispatcherConnectionDeps) {
    this.#deps = deps;
    this.#socket = connect({ path: deps.path, allowHalfOpen: true });
    this.#opening = setTimeout(() => this.#socket.destroy(), CONNECT_MS);
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('end', () => this.#socket.end());
    this.#socket.on('error', (error) => deps.log.debug({ err: error }, 'connection to a dispatcher failed'));
    this.#socket.once('close', () => this.#close());
  }

  /** Whether the dispatcher is proven and gets messages and hints. */
  get isOpen(): boolean {
    return this.#state !== undefined && this.#socket.writable;
  }

  /** Whether a message of this account would overtake older ones in the database. */
  isDue(accountId: number, lane: Lane): boolean {
    const due = this.#due[lane];
    return !due || due.has(accountId) || this.#hinted.has(hintKey(accountId, lane));
  }

  /** Free places for messages of this lane and route. */
  roomIn(place: string): number {
    const isReady =
      this.isOpen &&
      !this.#state!.stops &&
      performance.now() - this.#stateAt < STALE_MS &&
      this.#socket.writableLength < MAX_UNSENT;
    return isReady ? (this.#places.get(place) ?? 0) - (this.#reserved.get(place) ?? 0) : 0;
  }

  /** Returns a lease for batches that are about to be stored. */
  lease(needs: readonly Need[]): PeerLease {
    const lease = new PeerLease(this, this.#deps.dispatcher, needs);
    this.#unused.add(lease);
    this.#reserve(lease, 1);
    return lease;
  }

  /**
   * Sends plans that were stored with leases of this connection. Returns false, without sending any part of them, if the
   * connection is closed.
   */
  send(plans: readonly LeasedPlan[]): boolean {
    if (!this.isOpen) return false;
    // A slow transaction ends after its leases counted as unused.
    for (const { lease } of plans) if (!this.#unused.delete(lease)) this.#reserve(lease, 1);
    this.#socket.cork();
    for (const some of inFrames(plans)) {
      const handed = some.map((plan) => handedPlan(plan, this.#deps.validityMs));
      this.#socket.write(frameOf({ plans: handed } satisfies HandedFrame));
      this.#unconfirmed.push(some.map(({ lease }) => lease));
      peerMessages.inc({ direction: 'to' }, countHanded(handed));
    }
    this.#socket.uncork();
    this.#endWhenStopped();
    return true;
  }

  /** Tells the dispatcher that an account has new work in the database, together with other hints of this turn. */
  hint(accountId: number, lane: Lane): void {
    if (!this.isOpen) return;
    const key = hintKey(accountId, lane);
    if (this.#hints.has(key)) return;
    if (this.#hints.size === 0) setImmediate(() => this.#sendHints());
    this.#hints.set(key, [accountId, lane]);
    this.#hinted.set(key, Number.POSITIVE_INFINITY);
  }

  #sendHints(): void {
    const due = [...this.#hints.values()];
    this.#hintCount += due.length;
    for (const key of this.#hints.keys()) this.#hinted.set(key, this.#hintCount);
    this.#hints.clear();
    if (this.isOpen) this.#socket.write(frameOf({ due } satisfies HandedFrame));
  }

  /** Closes the connection after everything that was sent. Resolves when it is closed. */
  close(): Promise<void> {
    this.#socket.end();
    const deadline = setTimeout(() => this.#socket.destroy(), CLOSE_MS);
    return this.#closed.promise.finally(() => clearTimeout(deadline));
  }

  #read(chunk: Buffer): void {
    this.#reader.add(chunk);
    try {
      for (let frame = this.#reader.next(); frame !== undefined; frame = this.#reader.next()) {
        if (this.#expectedProof === undefined) this.#answer(frame as Challenge);
        else if (!this.#isProven) this.#check(frame as Welcome);
        else this.#learn(frame as DispatcherState);
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a dispatcher sent data that cannot be used');
      this.#socket.destroy();
    }
  }

  #answer({ protocol, nonce }: Challenge): void {
    if (protocol !== PROTOCOL) {
      // A process of another version; the database connects both.
      this.#socket.destroy();
      return;
    }
    const { key, owner, dispatcher } = this.#deps;
    const agreed = { key, dispatcherNonce: String(nonce), acceptorNonce: this.#nonce };
    this.#expectedProof = proofOf('dispatcher', { ...agreed, owner: dispatcher });
    const proof = proofOf('acceptor', { ...agreed, owner });
    this.#socket.write(frameOf({ owner, nonce: this.#nonce, proof } satisfies Response));
  }

  #check({ proof }: Welcome): void {
    if (!isProof(proof, this.#expectedProof!)) throw new Error('it has not proven who it is');
    clearTimeout(this.#opening);
    this.#isProven = true;
    this.#reader.trust();
  }

  #learn(state: DispatcherState): void {
    if (this.#state === undefined) peerConnections.inc({ direction: 'to' });
    this.#state = state;
    this.#stateAt = performance.now();
    this.#places = new Map(
      state.routes.flatMap(([route, otp, single]) => [
        [placeOf(lanes.otp, route), otp],
        [placeOf(lanes.single, route), single],
      ]),
    );
    this.#due = state.due.map((accountIds) => accountIds && new Set(accountIds));
    for (; this.#confirmed < state.taken; this.#confirmed++) {
      for (const lease of this.#unconfirmed.shift() ?? []) this.#reserve(lease, -1);
    }
    for (const lease of this.#unused) {
      if (this.#stateAt - lease.givenAt < UNUSED_MS) break;
      this.#unused.delete(lease);
      this.#reserve(lease, -1);
    }
    for (const [key, number] of this.#hinted) if (number <= state.hints) this.#hinted.delete(key);
    this.#endWhenStopped();
  }

  #reserve({ needs }: PeerLease, change: 1 | -1): void {
    for (const { place, count } of needs) {
      const reserved = (this.#reserved.get(place) ?? 0) + change * count;
      if (reserved > 0) this.#reserved.set(place, reserved);
      else this.#reserved.delete(place);
    }
  }

  /** Ends the connection to a dispatcher that stops, when no transaction can bring more messages for it. */
  #endWhenStopped(): void {
    if (this.#state?.stops && this.#unused.size === 0) this.#socket.end();
  }

  #close(): void {
    clearTimeout(this.#opening);
    if (this.#state !== undefined) peerConnections.dec({ direction: 'to' });
    const unconfirmed = this.#unconfirmed.flat();
    if (unconfirmed.length > 0) {
      // Whether the dispatcher has read them is unknown, so their leases must end.
      const batches = unconfirmed.length;
      this.#deps.log.warn(
        { batches },
        'connection to a dispatcher lost: the last batches may wait for their leases',
      );
    }
    this.#deps.closed(this);
    this.#closed.resolve();
  }
}

const hintKey = (accountId: number, lane: Lane): string => `${accountId} ${lane}`;

/** Divides plans into frames; a plan is not divided. */
function* inFrames(plans: readonly LeasedPlan[]): Generator<readonly LeasedPlan[]> {
  let some: LeasedPlan[] = [];
  let count = 0;
  for (const plan of plans) {
    some.push(plan);
    for (const need of plan.lease.needs) count += need.count;
    if (count < FRAME_MESSAGES) continue;
    yield some;
    some = [];
    count = 0;
  }
  if (some.length > 0) yield some;
}
