import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';

/** When a relay may do something else than what it should. */
export type Moment = 'connect' | 'mail' | 'rcpt' | 'data' | 'body' | 'end';
/** A reply of SMTP, or what it does without one: closes the connection, or says nothing any more. */
export type Behaviour = string | 'close' | 'hang' | undefined;

/** A mail that a relay has said 250 to. */
export interface Taken {
  readonly from: string;
  readonly to: string;
  readonly raw: string;
}

/**
 * An SMTP server of a few lines that does what a test wants: `behave` is asked at each moment, with the recipient as
 * far as they are known; undefined is what a good relay does.
 */
export class Relay {
  behave: (moment: Moment, to: string) => Behaviour = () => undefined;
  readonly taken: Taken[] = [];
  connections = 0;
  /** What it says to EHLO that it can. */
  extensions: readonly string[] = [];
  /** How long it takes to say that it has taken a mail, in milliseconds. */
  delayMs = 0;
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();

  constructor() {
    after(() => this.close());
  }

  get port(): number {
    return this.#port;
  }

  /** Listens, on the same port as before when it did. */
  async open(): Promise<void> {
    const server = createServer((socket) => this.#serve(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Ends every connection and takes none. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  /** Mails that it has taken for an address. */
  to(address: string): Taken[] {
    return this.taken.filter(({ to }) => to === address);
  }

  #serve(socket: Socket): void {
    this.connections++;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    let from = '';
    let to = '';
    let isUtf8 = false;
    let body: string | undefined;
    let buffered = '';
    let hangs = false;
    /** False when it does something else. */
    const reply = (moment: Moment | undefined, good: string): boolean => {
      const behaviour = (moment && this.behave(moment, to)) ?? good;
      if (behaviour === 'close') socket.destroy();
      else if (behaviour === 'hang') hangs = true;
      else if (moment === 'end' && this.delayMs > 0)
        setTimeout(() => socket.write(`${behaviour}\r\n`), this.delayMs);
      else if (behaviour !== '') socket.write(`${behaviour}\r\n`);
      return behaviour === good;
    };
    const line = (text: string) => {
      const [, address = ''] = /<([^>]*)>/.exec(text) ?? [];
      const command = text.slice(0, 4).toUpperCase();
      if (command === 'EHLO') {
        const [last, ...others] = [...this.extensions, 'relay.example'].reverse();
        reply(undefined, [...others.map((word) => `250-${word}`), `250 ${last}`].join('\r\n'));
      } else if (command === 'MAIL') {
        from = address;
        to = '';
        isUtf8 = / SMTPUTF8\b/.test(text);
        reply('mail', '250 2.1.0 ok');
      } else if (command === 'RCPT') {
        to = Buffer.from(address, 'latin1').toString();
        reply('rcpt', isUtf8 || /^[ -~]*$/.test(to) ? '250 2.1.5 ok' : '553 5.6.7 SMTPUTF8 required');
      } else if (command === 'DATA') {
        if (reply('data', '354 go on')) body = '';
      } else if (command === 'QUIT') {
        reply(undefined, '221 bye');
        socket.end();
      } else reply(undefined, '250 ok');
    };
    reply('connect', '220 relay.example ESMTP');
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      if (hangs) return;
      buffered += chunk;
      for (let end = buffered.indexOf('\r\n'); end !== -1 && !hangs; end = buffered.indexOf('\r\n')) {
        const text = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (body === undefined) line(text);
        else if (text === '.') {
          const raw = body;
          body = undefined;
          if (reply('end', '250 2.0.0 taken')) this.taken.push({ from, to, raw });
        } else {
          if (body === '' && !reply('body', '')) return;
          body += `${text.replace(/^\./, '')}\r\n`;
        }
      }
    });
  }
}
