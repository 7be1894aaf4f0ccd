import type { AlertLanguage } from '../rules.ts';
import { mailOf } from '../texts/texts.ts';
import type { Means, Outcome } from './means.ts';

/** A mail that the service writes itself. */
export interface ServiceMail {
  /** The same in every attempt: of it the Message-ID is made, by which a recipient knows one that came twice. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly language: AlertLanguage;
}

/**
 * Hands a mail to the relay, without the queue of messages and free of charge: it also goes out when messages wait, and
 * when the account has no credit. The mail channel has it, where a relay is set up.
 */
export type SendServiceMail = (mail: ServiceMail) => Promise<Outcome>;

interface MailDeps {
  readonly mailer: () => SendServiceMail | undefined;
  /** Where the console is, without a slash at the end. */
  readonly pageBase: () => string;
}

/** Tells by mail. */
export const byMail =
  ({ mailer, pageBase }: MailDeps): Means =>
  async (notification) => {
    const send = mailer();
    if (!send) return { kind: 'later', problem: 'not-set-up' };
    const { id, recipient: to, language } = notification;
    return send({ id: `alert-${id}`, to, language, ...mailOf(notification, pageBase()) });
  };
