/*
 * The mail sink of the sandbox in a process of its own.
 */
import { systemClock } from '../../server/clock.ts';
import { createLogger } from '../../server/observability/log.ts';
import { type MailSink, openMailSink } from '../../server/sandbox/mail/sink.ts';
import { answer } from '../support/child.ts';

let sink: MailSink | undefined;

answer({
  /** Listens; the port. */
  async listen(): Promise<number> {
    sink = await openMailSink({ clock: systemClock, log: createLogger('warn'), reportMs: 0 });
    return sink.port;
  },
  count: () => sink!.mailboxes.count,
});
