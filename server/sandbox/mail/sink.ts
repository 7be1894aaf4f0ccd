import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { SMTPServer, type SMTPServerError, type SMTPServerSession } from 'smtp-server';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { answerTo } from './answers.ts';
import { Mailboxes } from './mailboxes.ts';
import { bounceReport, complaintReport, type Reported } from './reports.ts';
import { simulatedMailOutcomeOf } from './simulated-outcomes.ts';

const SLOW_MS = 2_000;
const CLOSE_MS = 100;
/** Number of remembered emails with the outcome `busy` or `drop`. */
const MAX_SEEN = 10_000;

interface MailSinkOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds from an email to its bounce or complaint. */
  readonly reportMs: number;
  /** Any free port by default. */
  readonly port?: number | undefined;
}

/** The simulated mail server with all its mailboxes. */
export interface MailSink {
  readonly mailboxes: Mailboxes;
  readonly port: number;
  /**
   * Answers an email as a mail program does: to its `Reply-To`, else to its sender. Returns the address of the answer,
   * or undefined when the email is no longer kept. Rejects when no server accepts the answer.
   */
  answer(address: string, id: string, text: string, isAutomatic: boolean): Promise<string | undefined>;
  /** Sends further bounces and complaints to this local port. */
  reportTo(port: number): void;
  close(): Promise<void>;
}

/**
 * Opens the mail server on a loopback port. It accepts every email, unless the address has another simulated outcome.
 * Rejects with system errors of the port, like EADDRINUSE.
 */
export async function openMailSink({ clock, log, reportMs, port = 0 }: MailSinkOptions): Promise<MailSink> {
  const mailboxes = new Mailboxes();
  const seen = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let reporter: ReturnType<typeof openReporter> | undefined;

  const server = new SMTPServer({
    name: 'mail.sandbox.invalid',
    banner: '',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: CLOSE_MS,
    onRcptTo({ address }, session, done) {
      const outcome = simulatedMailOutcomeOf(address);
      if (outcome === 'reject') return done(refusal(550, '5.1.1 no such mailbox'));
      if (outcome === 'busy' && isFirst(session, address))
        return done(refusal(451, '4.7.1 busy, try again later'));
      done();
    },
    onData(stream, session, done) {
      const addresses = session.envelope.rcptTo.map(({ address }) => address);
      const dropped = addresses.some(
        (address) => simulatedMailOutcomeOf(address) === 'drop' && isFirst(session, address),
      );
      if (dropped) {
        stream.once('data', () => connectionOf(session)?.close());
        return;
      }
      readAll(stream).then((raw) => {
        for (const address of addresses) take(session, address, raw);
        if (addresses.some((address) => simulatedMailOutcomeOf(address) === 'slow')) after(SLOW_MS, done);
        else done();
      }, done);
    },
  });
  server.on('error', (error: Error) => log.debug({ err: error }, 'a connection to the mail sink failed'));
  // The processes of a group would share it otherwise (node:cluster).
  const listener = server.listen({ port, host: '127.0.0.1', exclusive: true });
  await once(listener, 'listening');

  function isFirst(session: SMTPServerSession, address: string): boolean {
    const key = `${senderOf(session)}\n${address}`;
    if (seen.has(key)) return false;
    if (seen.size >= MAX_SEEN) seen.clear();
    seen.add(key);
    return true;
  }

  const connectionOf = (session: SMTPServerSession) =>
    [...server.connections].find((connection) => connection.id === session.id);

  function take(session: SMTPServerSession, address: string, raw: Buffer): void {
    const outcome = simulatedMailOutcomeOf(address);
    const mail = { returnPath: senderOf(session), to: address, raw, at: new Date(clock.now()) };
    if (outcome === 'bounce-hard' || outcome === 'bounce-soft') {
      after(reportMs, () => report(mail.returnPath, bounceReport(mail, outcome === 'bounce-hard')));
      return;
    }
    mailboxes.receive(address, raw, clock.now());
    if (outcome === 'complain') {
      const to = `complaints@${mail.returnPath.slice(mail.returnPath.lastIndexOf('@') + 1)}`;
      after(reportMs, () => report(to, complaintReport(mail, to)));
    }
  }

  function report(to: Reported['to'], raw: string): void {
    reporter?.sendMail({ envelope: { from: '', to }, raw }).catch((error: unknown) => {
      log.warn({ err: error }, 'the sandbox could not report about a mail');
    });
  }

  function after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, milliseconds);
    timers.add(timer);
  }

  return {
    mailboxes,
    port: (listener.address() as AddressInfo).port,
    async answer(address, id, text, isAutomatic) {
      const mail = await mailboxes.read(address, id);
      if (!mail) return undefined;
      const answer = answerTo(mail, address, text, isAutomatic);
      if (!reporter) throw new Error('the service takes no mails yet');
      await reporter.sendMail(answer);
      return answer.envelope.to;
    },
    reportTo(port) {
      reporter?.close();
      reporter = openReporter(port);
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      reporter?.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const openReporter = (port: number) =>
  createTransport({ pool: true, host: '127.0.0.1', port, ignoreTLS: true, maxConnections: 2 });

const senderOf = ({ envelope }: SMTPServerSession) => (envelope.mailFrom ? envelope.mailFrom.address : '');

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refusal(responseCode: number, words: string): SMTPServerError {
  return Object.assign(new Error(words), { responseCode });
}
