import type { Socket } from 'node:net';
import type { Logger } from '../../../kit/observability/log.ts';
import type { Lane } from '../../messages/lanes.ts';
import { FrameReader, frameOf } from './frames.ts';
import { countHanded, type HandedPlan } from './handed-plans.ts';
import { peerConnections, peerMessages } from './metrics.ts';
import { isProof, newNonce, proofOf } from './proofs.ts';
import {
  type Capacity,
  type Challenge,
  type HandedFrame,
  PROTOCOL,
  type Response,
  type Welcome,
} from './protocol.ts';

/** Milliseconds within which the other side must prove that it belongs to the installation. */
const PROOF_MS = 5_000;
/** Milliseconds after which a state is sent although it has not changed: the other side sees that this process runs. */
const REPEAT_MS = 500;
/** Unread bytes of states from which the other side counts as stuck. */
const MAX_UNREAD = 1 << 20;

interface AcceptorConnectionDeps {
  /** Key of the installation. */
  readonly key: Buffer;
  /** Owner of the leases of this process. */
  readonly owner: string;
  readonly log: Logger;
  /** Whether a process is registered in the database of this one. */
  readonly isRegistered: (owner: string) => Promise<boolean>;
  /** Takes messages. Calls follow one another. Never rejects. */
  readonly take: (plans: readonly HandedPlan[]) => Promise<void>;
  readonly hint: (accountId: number, lane: Lane) => void;
  /** Called when the other side has proven itself, and when the dispatcher has its messages or hints. */
  readonly changed: () => void;
  readonly closed: (connection: AcceptorConnection) => void;
}

/** A connection from a process that accepts, in a process that dispatches. */
export class AcceptorConnection {
  readonly #socket: Socket;
  readonly #deps: AcceptorConnectionDeps;
  readonly #reader = new FrameReader();
  readonly #nonce = newNonce();
  readonly #proving: NodeJS.Timeout;
  #isAnswered = false;
  #owner: string | undefined;
  #taken = 0;
  #hints = 0;
  #taking: Promise<void> = Promise.resolve();
  #capacity: Capacity = { routes: [], due: [] };
  #lastState = '';
  #lastStateAt = 0;
  readonly #closed = Promise.withResolvers<void>();

  constructor(socket: Socket, deps: AcceptorConnectionDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#proving = setTimeout(() => socket.destroy(), PROOF_MS);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('end', () => this.#end());
    socket.on('error', (error) =>
      deps.log.debug({ err: error }, 'connection of an accepting process failed'),
    );
    socket.once('close', () => this.#close());
    socket.write(frameOf({ protocol: PROTOCOL, nonce: this.#nonce } satisfies Challenge));
  }

  /** The other process, once it is proven. */
  get owner(): string | undefined {
    return this.#owner;
  }

  /** Resolves when the connection is closed and the dispatcher has all messages that came over it. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Closes the connection and drops data that was not read yet. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Sends the state of the dispatcher, unless it is the same as the last one. Returns whether it has changed. */
  tell(capacity: Capacity, stops: boolean): boolean {
    if (this.#owner === undefined) return false;
    this.#capacity = capacity;
    const state = JSON.stringify({ ...capacity, taken: this.#taken, hints: this.#hints, stops });
    const now = performance.now();
    const isNew = state !== this.#lastState;
    if (!isNew && now - this.#lastStateAt < REPEAT_MS) return false;
    if (this.#socket.writableLength > MAX_UNREAD) {
      this.#socket.destroy();
      return false;
    }
    this.#lastState = state;
    this.#lastStateAt = now;
    this.#socket.write(frameOf(state));
    return isNew;
  }

  #read(chunk: Buffer): void {
    this.#reader.add(chunk);
    const plans: HandedPlan[] = [];
    let frames = 0;
    try {
      for (let frame = this.#reader.next(); frame !== undefined; frame = this.#reader.next()) {
        if (this.#owner === undefined) {
          this.#answer(frame as Response);
          continue;
        }
        const { plans: handed, due = [] } = frame as HandedFrame;
        for (const [accountId, lane] of due) this.#deps.hint(accountId, lane);
        this.#hints += due.length;
        if (handed) {
          plans.push(...handed);
          frames++;
        }
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'an accepting process sent data that cannot be read');
      this.#socket.destroy();
    }
    if (frames > 0) this.#take(plans, frames);
    else if (this.#owner !== undefined) this.#deps.changed();
  }

  #take(plans: readonly HandedPlan[], frames: number): void {
    const { take, changed } = this.#deps;
    peerMessages.inc({ direction: 'from' }, countHanded(plans));
    this.#taking = this.#taking.then(async () => {
      await take(plans);
      this.#taken += frames;
      changed();
    });
  }

  /** Checks the proof of the other side, and sends that of this one. */
  #answer({ owner, nonce, proof }: Response): void {
    const { key, log } = this.#deps;
    const agreed = { key, dispatcherNonce: this.#nonce, acceptorNonce: String(nonce) };
    const isValid =
      !this.#isAnswered && isProof(proof, proofOf('acceptor', { ...agreed, owner: String(owner) }));
    this.#isAnswered = true;
    if (!isValid) {
      log.warn('a process without the key of this installation was refused');
      this.#socket.destroy();
      return;
    }
    const own = proofOf('dispatcher', { ...agreed, owner: this.#deps.owner });
    this.#deps.isRegistered(owner).then(
      (isRegistered) => {
        if (isRegistered) this.#welcome(owner, own);
        else this.#refuse('a process of another database was refused');
      },
      (error: unknown) => {
        log.debug({ err: error }, 'an accepting process could not be looked up');
        this.#socket.destroy();
      },
    );
  }

  #refuse(reason: string): void {
    this.#deps.log.warn(reason);
    this.#socket.destroy();
  }

  #welcome(owner: string, proof: string): void {
    if (this.#socket.destroyed) return;
    clearTimeout(this.#proving);
    this.#reader.trust();
    this.#owner = owner;
    peerConnections.inc({ direction: 'from' });
    this.#socket.write(frameOf({ owner: this.#deps.owner, proof } satisfies Welcome));
    this.#deps.changed();
  }

  /** Confirms all messages after the last frame of the other side, and closes. */
  #end(): void {
    void this.#taking.then(() => {
      if (this.#socket.writable) this.tell(this.#capacity, true);
      this.#socket.end();
    });
  }

  #close(): void {
    clearTimeout(this.#proving);
    if (this.#owner !== undefined) peerConnections.dec({ direction: 'from' });
    void this.#taking.then(() => this.#closed.resolve());
    this.#deps.closed(this);
  }
}
