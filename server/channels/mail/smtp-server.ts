import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerError, type SMTPServerSession } from 'smtp-server';
import type { Logger } from '../../kit/observability/log.ts';
import type { MailBounces } from './bounces.ts';
import type { IncomingMails } from './incoming-mails.ts';

/** Bytes read of an email: reports and replies begin with their own text, and end with the copied email. */
const MAX_READ = 256 * 1024;
const MAX_CLIENTS = 200;
const SILENCE_MS = 60_000;
/** Milliseconds that the connection of a client that closed its side without QUIT stays open. */
const LINGER_MS = 1_000;
/**
 * For the library's `net.createServer`: Exim closes its side right after the email and QUIT, and must still receive the
 * responses.
 */
const halfOpen: { allowHalfOpen: true } = { allowHalfOpen: true };
/** Milliseconds for open transactions when the server closes. */
const CLOSE_MS = 500;

interface BounceListenerOptions {
  readonly bounces: Pick<MailBounces, 'accepts' | 'take'>;
  readonly incoming: Pick<IncomingMails, 'accepts' | 'take'>;
  readonly log: Logger;
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Name of the server in its greeting. */
  readonly name: string;
}

/** The SMTP server for bounces, complaints and replies. */
export interface BounceListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens for bounces, complaints and replies (RFC 5321). Accepts emails only to our addresses, and responds after
 * their effects are stored; while that is not possible, the mail server must retry.
 */
export async function openBounceListener(options: BounceListenerOptions): Promise<BounceListener> {
  const { bounces, incoming, log, host, name } = options;
  const server = new SMTPServer({
    ...halfOpen,
    name,
    banner: '',
    // Clients do not sign in here, and there is no certificate.
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: CLOSE_MS,
    maxClients: MAX_CLIENTS,
    socketTimeout: SILENCE_MS,
    onRcptTo({ address }, _session, done) {
      const isOurs = bounces.accepts(address) || incoming.accepts(address);
      done(isOurs ? null : refusal(550, 'no such address'));
    },
    onData(stream, session, done) {
      const addresses = [...new Set(session.envelope.rcptTo.map(({ address }) => address))];
      readHead(stream)
        .then(async (raw) => {
          let isKnown = true;
          for (const address of addresses) {
            if (!incoming.accepts(address)) await bounces.take(address, raw);
            else isKnown = (await incoming.take(address, senderOf(session), raw)) && isKnown;
          }
          if (!isKnown) throw refusal(550, 'the mail that this answers is no longer known');
        })
        .then(
          () => done(),
          (error: unknown) => {
            if (isRefusal(error)) return done(error);
            log.warn({ err: error }, 'bounce or answer not stored, its server is asked to repeat it (451)');
            done(refusal(451, 'try again later'));
          },
        );
    },
  });
  server.server.on('connection', keepHalfOpen);
  // Errors of single connections.
  server.on('error', (error: Error) =>
    log.debug({ err: error }, 'a connection to the server of bounces failed'),
  );
  const listener = server.listen(options.port, host);
  await new Promise<void>((resolve, reject) => {
    listener.once('listening', resolve);
    listener.once('error', reject);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * Lets a client that has closed its side receive its responses: the library responds only on connections whose
 * `readyState` is `open`, and a half-closed one has `writeOnly`.
 */
function keepHalfOpen(socket: Socket): void {
  socket.once('end', () => {
    Object.defineProperty(socket, 'readyState', { get: () => (socket.writable ? 'open' : 'closed') });
    // Without QUIT nobody would close our side: open requests are answered, and then the timeout is short.
    socket.setTimeout(LINGER_MS);
  });
}

/** Reads the beginning of an email; discards the rest. */
async function readHead(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length >= MAX_READ) continue;
    chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, MAX_READ);
}

/** The sender of the envelope; empty for none. */
const senderOf = ({ envelope: { mailFrom } }: SMTPServerSession) => (mailFrom ? mailFrom.address : '');

const isRefusal = (error: unknown): error is SMTPServerError =>
  error instanceof Error && 'responseCode' in error;

function refusal(responseCode: number, words: string): SMTPServerError {
  return Object.assign(new Error(words), { responseCode });
}
