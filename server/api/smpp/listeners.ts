import { readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Logger } from '../../kit/observability/log.ts';

export interface ListenerSettings {
  readonly host: string;
  /** Port without TLS; undefined: no port, 0: any free port. */
  readonly port: number | undefined;
  /** Maximum TLS handshakes at a time. */
  readonly handshakes: number;
  /** Port with TLS, and the files of its certificate and key (PEM). */
  readonly tls: { readonly port: number; readonly certificate: string; readonly key: string } | undefined;
}

/** Milliseconds that a client has for the TLS handshake. */
const HANDSHAKE_MS = 10_000;
/** Connections that wait to be accepted. */
const BACKLOG = 511;

/** The listeners of the SMPP server. The processes of a group share them (node:cluster). */
export class SmppListeners {
  readonly #settings: ListenerSettings;
  readonly #log: Logger;
  readonly #onSocket: (socket: Socket, isSecure: boolean) => void;
  #plain: Server | undefined;
  #tls: TlsServer | undefined;
  /** Connections to the port with TLS, and those of them with a complete handshake. */
  readonly #open = { sockets: 0, secured: 0 };
  /** Version of the certificate's files. */
  #version = '';

  constructor(
    settings: ListenerSettings,
    log: Logger,
    onSocket: (socket: Socket, isSecure: boolean) => void,
  ) {
    this.#settings = settings;
    this.#log = log;
    this.#onSocket = onSocket;
  }

  /** Ports without TLS and with it; undefined for a listener that is not open. */
  get ports(): { readonly plain: number | undefined; readonly tls: number | undefined } {
    return { plain: portOf(this.#plain), tls: portOf(this.#tls) };
  }

  /** Opens the listeners. Rejects if an address cannot be bound or the certificate cannot be read. */
  async open(): Promise<void> {
    const { host, port, tls } = this.#settings;
    if (port !== undefined) {
      this.#plain = createServer((socket) => this.#onSocket(socket, false));
      await listen(this.#plain, host, port);
    }
    if (tls) {
      this.#version = this.#versionOfFiles();
      this.#tls = createTlsServer(
        { ...this.#certificate(), minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS },
        (socket) => {
          this.#open.secured++;
          socket.once('close', () => this.#open.secured--);
          this.#onSocket(socket, true);
        },
      );
      this.#tls.on('connection', (socket: Socket) => this.#limitHandshakes(socket));
      this.#tls.on('tlsClientError', (error: Error) =>
        this.#log.debug({ err: error }, 'TLS handshake of an SMPP client failed'),
      );
      await listen(this.#tls, host, tls.port);
    }
    const { plain, tls: secure } = this.ports;
    this.#log.info({ port: plain, tlsPort: secure }, 'SMPP server listens');
  }

  /** Uses the certificate of the files for new connections if they have changed. Keeps the present one if they are invalid. */
  reloadCertificate(): void {
    if (!this.#tls) return;
    try {
      const version = this.#versionOfFiles();
      if (version === this.#version) return;
      this.#version = version;
      this.#tls.setSecureContext({ ...this.#certificate(), minVersion: 'TLSv1.2' });
      this.#log.info('certificate of the SMPP server reloaded');
    } catch (error) {
      this.#log.error({ err: error }, 'certificate of the SMPP server not reloaded');
    }
  }

  /** Stops accepting connections. Resolves when all have ended. */
  async close(): Promise<void> {
    const servers = [this.#plain, this.#tls].filter((server) => server !== undefined);
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  }

  /** A connection without a handshake costs a client nothing, so their number is limited. */
  #limitHandshakes(socket: Socket): void {
    this.#open.sockets++;
    socket.once('close', () => this.#open.sockets--);
    if (this.#open.sockets - this.#open.secured > this.#settings.handshakes) socket.destroy();
  }

  #certificate() {
    const { certificate, key } = this.#settings.tls!;
    return { cert: readFileSync(certificate), key: readFileSync(key) };
  }

  #versionOfFiles(): string {
    const { certificate, key } = this.#settings.tls!;
    return [certificate, key]
      .map((file) => {
        const { mtimeMs, size, ino } = statSync(file);
        return `${mtimeMs} ${size} ${ino}`;
      })
      .join('\n');
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server | undefined): number | undefined {
  const address = server?.address() as AddressInfo | null | undefined;
  return address?.port;
}
