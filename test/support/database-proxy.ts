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

/** Operations of a tap on its connection. */
export interface Tapped {
  toServer(chunk: Buffer): void;
  toClient(chunk: Buffer): void;
  /** Resets the client's side. The server's side stays open until `end`. */
  resetClient(): void;
  /** Closes both sides. */
  end(): void;
}

/** Reads the data of one connection, and decides which of it arrives. */
export interface Tap {
  fromClient(chunk: Buffer): void;
  fromServer(chunk: Buffer): void;
}

/** A TCP proxy before a database, which resets connections, or leaves them open and forwards nothing. */
export class DatabaseProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #holdsNew = false;
  port = 0;
  #heldAfter: string | undefined;

  private constructor(socketPath: string, tap: ((tapped: Tapped) => Tap) | undefined) {
    this.#server = createServer((client) => this.#join(client, connect(socketPath), tap));
  }

  /** Listens on a free port of 127.0.0.1 and forwards to the server on this Unix socket; calls `tap` for each connection. */
  static async start(socketPath: string, tap?: (tapped: Tapped) => Tap): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(socketPath, tap);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.port = (proxy.#server.address() as AddressInfo).port;
    return proxy;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Resets the connections (RST) after this number of further bytes from the server; 0 resets immediately. */
  cut(afterBytes = 0): void {
    for (const pair of this.#pairs) {
      pair.left = afterBytes;
      if (afterBytes === 0) reset(pair);
    }
  }

  /** Forwards no more data on existing connections, and closes none. New ones work. */
  silence(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  /** Forwards no data on new connections, until `resume`. */
  holdNew(): void {
    this.#holdsNew = true;
  }

  /**
   * From now on, holds responses to clients that send this text, permanently. The server still executes their statements.
   */
  holdAnswersTo(text: string): void {
    this.#heldAfter = text;
  }

  /** Resumes silent connections: held data arrives late. */
  resume(): void {
    this.#holdsNew = false;
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

  #join(client: Socket, server: Socket, makeTap?: (tapped: Tapped) => Tap): void {
    const pair: Pair = { client, server, held: [], isSilent: this.#holdsNew, left: Infinity };
    this.#pairs.add(pair);
    let isReset = false;
    let isAnswerHeld = false;
    const forward = (to: Socket, chunk: Buffer) => {
      if (to === server && this.#heldAfter !== undefined) isAnswerHeld ||= chunk.includes(this.#heldAfter);
      if (pair.isSilent || (isAnswerHeld && to === client)) pair.held.push({ to, chunk });
      else to.write(chunk);
    };
    const toClient = (chunk: Buffer) => {
      forward(client, chunk.subarray(0, Math.min(chunk.length, pair.left)));
      pair.left -= chunk.length;
      if (pair.left <= 0) reset(pair);
    };
    const tap = makeTap?.({
      toServer: (chunk) => forward(server, chunk),
      toClient,
      resetClient() {
        isReset = true;
        client.resetAndDestroy();
      },
      end() {
        client.destroy();
        server.destroy();
      },
    });
    client.on('data', (chunk: Buffer) => (tap ? tap.fromClient(chunk) : forward(server, chunk)));
    server.on('data', (chunk: Buffer) => (tap ? tap.fromServer(chunk) : toClient(chunk)));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => {
        this.#pairs.delete(pair);
        // Nobody who is behind a silent network hears that the other end has gone.
        if (!pair.isSilent && !(isReset && one === client)) other.destroy();
        else if (one === client) server.destroy();
      });
    }
  }
}

function reset({ client, server }: Pair): void {
  client.resetAndDestroy();
  server.destroy();
}
