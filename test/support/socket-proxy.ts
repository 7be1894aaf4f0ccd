import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './database.ts';

/** A proxy before a Unix socket, which holds the data of clients back, or cuts connections. */
export class SocketProxy {
  readonly path: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held: { readonly to: Socket; readonly chunk: Buffer }[] = [];
  #isHolding = false;
  /** Bytes of clients that still pass before every connection is cut. */
  #left = Number.POSITIVE_INFINITY;

  private constructor(path: string, target: string) {
    this.path = path;
    this.#server = createServer({ allowHalfOpen: true }, (client) =>
      this.#join(client, connect({ path: target, allowHalfOpen: true })),
    );
  }

  /** Listens on a new Unix socket and forwards to the one at `target`; stopped with the test file. */
  static async start(target: string): Promise<SocketProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    const proxy = new SocketProxy(join(folder, 'socket'), target);
    proxy.#server.listen(proxy.path);
    await once(proxy.#server, 'listening');
    atEnd(async () => {
      proxy.cut();
      proxy.#server.close();
      await rm(folder, { recursive: true, force: true });
    });
    return proxy;
  }

  /** Number of chunks that are held back. */
  get held(): number {
    return this.#held.length;
  }

  /** Holds back what clients send, until `resume`. */
  hold(): void {
    this.#isHolding = true;
  }

  resume(): void {
    this.#isHolding = false;
    for (const { to, chunk } of this.#held.splice(0)) to.write(chunk);
  }

  /** Cuts every connection after this number of further bytes of clients; 0 cuts immediately. What is held is lost. */
  cut(afterBytes = 0): void {
    this.#left = afterBytes;
    if (afterBytes > 0) return;
    this.#left = Number.POSITIVE_INFINITY;
    this.#held.splice(0);
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('end', () => other.end());
      socket.once('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    server.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => {
      if (this.#isHolding) this.#held.push({ to: server, chunk });
      else if (chunk.length < this.#left) {
        this.#left -= chunk.length;
        server.write(chunk);
      } else {
        // Written first, so that the other side gets a part of a frame.
        server.write(chunk.subarray(0, this.#left), () => this.cut());
      }
    });
  }
}
