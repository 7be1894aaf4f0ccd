import { Readable } from 'node:stream';
import SMTPPool from 'nodemailer/lib/smtp-pool';
import type { OutgoingMail } from './mail.ts';
import type { RelaySettings } from './relay.ts';

type PoolMail = Parameters<SMTPPool['send']>[0];

/** Returns nodemailer's options for connecting to a relay. */
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

/** SMTP connections to a relay: nodemailer's pool, used with complete emails. */
export class RelayPool {
  readonly #pool: SMTPPool;

  constructor(settings: RelaySettings) {
    const { user, password, connections } = settings;
    this.#pool = new SMTPPool({
      ...connectionOptions(settings),
      ...(user !== null && { auth: { user, pass: password ?? '' } }),
      maxConnections: connections,
      maxMessages: Number.POSITIVE_INFINITY,
      // One requeue for a connection that the relay closed while it was idle. All other retries are up to the
      // dispatcher.
      maxRequeues: 1,
    });
  }

  /** Sends an email to the relay. Rejects with nodemailer's error (outcomes.ts). */
  send({ from, to }: OutgoingMail['envelope'], octets: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // The methods that the pool calls on a message. Nodemailer's own tree of MIME nodes would cost five times as much
    // as the transfer to the relay.
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

  /** Closes all connections, including those that are sending. */
  close(): void {
    this.#pool.close({ force: true });
  }
}
