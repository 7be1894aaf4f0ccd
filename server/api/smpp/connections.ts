import type { Socket } from 'node:net';
import { networkOf } from '../../kit/http/addresses.ts';
import { type SessionOwner, SmppSession } from './session.ts';

export interface ConnectionLimits {
  /** Maximum connections that are not bound, in all and from one address. */
  readonly unbound: number;
  readonly unboundPerAddress: number;
}

/**
 * The connections of this process. A connection that is not bound costs a client nothing, so their number is limited: an
 * address with too many is refused, and of too many in all the oldest is disconnected.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #owner: SessionOwner;
  readonly #all = new Set<SmppSession>();
  /** Not bound yet, oldest first. */
  readonly #unbound = new Set<SmppSession>();
  readonly #bound = new Set<SmppSession>();
  readonly #perAddress = new Map<string, number>();

  constructor(limits: ConnectionLimits, owner: SessionOwner) {
    this.#limits = limits;
    this.#owner = owner;
  }

  get all(): Iterable<SmppSession> {
    return this.#all;
  }

  get size(): number {
    return this.#all.size;
  }

  add(socket: Socket, isSecure: boolean): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = this.#perAddress.get(network) ?? 0;
    if (count >= this.#limits.unboundPerAddress) {
      socket.destroy();
      return;
    }
    if (this.#unbound.size >= this.#limits.unbound) {
      const [oldest] = this.#unbound;
      if (oldest) {
        this.#settle(oldest);
        oldest.destroy('too many connections without a bind');
      }
    }
    const session = new SmppSession(socket, isSecure, this.#owner);
    this.#all.add(session);
    this.#unbound.add(session);
    this.#perAddress.set(network, count + 1);
  }

  bound(session: SmppSession): void {
    this.#settle(session);
    this.#bound.add(session);
  }

  /** Removes a connection that has ended. Returns whether it was bound. */
  remove(session: SmppSession): boolean {
    this.#settle(session);
    this.#all.delete(session);
    return this.#bound.delete(session);
  }

  /** A connection counts as unbound no longer. */
  #settle(session: SmppSession): void {
    if (!this.#unbound.delete(session)) return;
    const network = networkOf(session.address);
    const left = (this.#perAddress.get(network) ?? 1) - 1;
    if (left === 0) this.#perAddress.delete(network);
    else this.#perAddress.set(network, left);
  }
}
