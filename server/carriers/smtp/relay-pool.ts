import { Readable } from 'node:stream';
import SMTPPool from 'nodemailer/lib/smtp-pool';
import type { OutgoingMail } from './mail.ts';
import type { RelaySettings } from './relay.ts';

type PoolMail = Parameters<SMTPPool['send']>[0];

/** How nodemailer connects to a relay. */
export const connectionOptions = ({
  host,
  port,
  isSecure,
  startTls,
  verify,
  ca,
  servername,
  timeoutMs,
}: RelaySettings) => ({
  host,
  port,
  secure: isSecure,
  requireTLS: startTls === 'required',
  ignoreTLS: startTls === 'off',
  tls: {
    rejectUnauthorized: verify,
    ...(ca !== undefined && { ca }),
    ...(servername !== undefined && { servername }),
  },
  connectionTimeout: Math.min(timeoutMs, 30_000),
  greetingTimeout: Math.min(timeoutMs, 30_000),
  socketTimeout: timeoutMs,
});

/** SMTP connections to a relay: nodemailer's pool, which is given mails that are written already. */
export class RelayPool {
  readonly #pool: SMTPPool;

  constructor(settings: RelaySettings) {
    const { user, password, connections } = settings;
    this.#pool = new SMTPPool({
      ...connectionOptions(settings),
      ...(user !== null && { auth: { user, pass: password ?? '' } }),
      maxConnections: connections,
      maxMessages: Number.POSITIVE_INFINITY,
      // A connection that the relay closed while it was idle costs another connection. Other than that, when a mail
      // goes again is the dispatcher's to say.
      maxRequeues: 1,
    });
  }

  /** Brings a mail to the relay; rejects with nodemailer's error (outcomes.ts). */
  send({ from, to }: OutgoingMail['envelope'], octets: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // What the pool asks of the tree of MIME nodes that nodemailer writes otherwise, which costs five times as much as
    // the way to the relay.
    const message = {
      getEnvelope: () => ({ from, to: [to] }),
      getHeader: () => '',
      messageId: () => '',
      createReadStream: () =>
        new Readable({
          read() {
            this.push(octets);
            this.push(null);
          },
        }),
    };
    this.#pool.send({ data: {}, message } as unknown as PoolMail, (error) =>
      error ? reject(error) : resolve(),
    );
    return promise;
  }

  /** Ends all connections, also those that bring a mail. */
  close(): void {
    this.#pool.close({ force: true });
  }
}
