import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** One connection through the proxy. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Held back while it is silent. */
  readonly held: { readonly to: Socket; readonly chunk: Buffer }[];
  isSilent: boolean;
  /** Bytes of the server's that still pass before the connection is reset. */
  left: number;
}

/** A TCP proxy before a database, which resets connections, or leaves them open and forwards nothing. */
export class DatabaseProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  port = 0;

  private constructor(socketPath: string) {
    this.#server = createServer((client) => this.#join(client, connect(socketPath)));
  }

  /** Listens on a free port of 127.0.0.1, for the server that listens on this Unix socket. */
  static async start(socketPath: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(socketPath);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.port = (proxy.#server.address() as AddressInfo).port;
    return proxy;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Resets the connections (RST) after so many more bytes from the server, 0 for at once. */
  cut(afterBytes = 0): void {
    for (const pair of this.#pairs) {
      pair.left = afterBytes;
      if (afterBytes === 0) reset(pair);
    }
  }

  /** Forwards nothing more on the connections that there are, and closes none. New ones work. */
  silence(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  /** Silent connections go on: what was held back arrives, late. */
  resume(): void {
    for (const pair of this.#pairs) {
      pair.isSilent = false;
      for (const { to, chunk } of pair.held.splice(0)) to.write(chunk);
    }
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, server: Socket): void {
    const pair: Pair = { client, server, held: [], isSilent: false, left: Infinity };
    this.#pairs.add(pair);
    const forward = (to: Socket, chunk: Buffer) => {
      if (pair.isSilent) pair.held.push({ to, chunk });
      else to.write(chunk);
    };
    client.on('data', (chunk: Buffer) => forward(server, chunk));
    server.on('data', (chunk: Buffer) => {
      forward(client, chunk.subarray(0, Math.min(chunk.length, pair.left)));
      pair.left -= chunk.length;
      if (pair.left <= 0) reset(pair);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => {
        this.#pairs.delete(pair);
        // Nobody who is behind a silent network hears that the other end has gone.
        if (!pair.isSilent) other.destroy();
        else if (one === client) server.destroy();
      });
    }
  }
}

function reset({ client, server }: Pair): void {
  client.resetAndDestroy();
  server.destroy();
}
