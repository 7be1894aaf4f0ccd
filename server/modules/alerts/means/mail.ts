import type { Gate, Pass } from '../../../engine/gate/gate.ts';
import type { MailBudget } from '../../budgets/mail-budget.ts';
import type { AlertLanguage } from '../condition.ts';
import { OPERATOR } from '../condition.ts';
import type { AskContact } from '../contacts.ts';
import { contactMail } from '../texts/contact-words.ts';
import { mailOf } from '../texts/texts.ts';
import type { Means, Outcome } from './means.ts';

/** An email written by the service itself. */
export interface ServiceMail {
  /** Same id in every attempt. The Message-ID is derived from it, so that a recipient's program recognizes a duplicate. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly language: AlertLanguage;
  /** Budget to which the writer charged the email. */
  readonly budget: MailBudget;
}

/**
 * Submits an email to the relay directly and free of charge, so it is sent even when other messages are queued and for
 * accounts without credit. The mail channel provides it if a relay is configured.
 */
export type SendServiceMail = (pass: Pass, mail: ServiceMail) => Promise<Outcome>;

interface MailDeps {
  readonly gate: Pick<Gate, 'service'>;
  readonly mailer: () => SendServiceMail | undefined;
  /** Base address of the console, without a trailing slash. */
  readonly pageBase: () => string;
}

/** Notifies by email. */
export const byMail =
  ({ gate, mailer, pageBase }: MailDeps): Means =>
  async (notification) => {
    const send = mailer();
    if (!send) return { kind: 'later', problem: 'not-set-up' };
    const { id, accountId, recipient: to, language } = notification;
    const pass = await gate.service(accountId === OPERATOR ? null : accountId);
    if (!pass) return { kind: 'later', problem: 'refused' };
    const budget = accountId === OPERATOR ? ({ exempt: 'operator' } as const) : 'service-mails';
    return send(pass, { id: `alert-${id}`, to, language, budget, ...mailOf(notification, pageBase()) });
  };

/** Asks the owner of an address whether they want alerts. */
export const askByMail =
  ({ gate, mailer }: Pick<MailDeps, 'gate' | 'mailer'>): AskContact =>
  async ({ accountId, id, askedAt, recipient, language }, accountName, link) => {
    const send = mailer();
    if (!send) return { kind: 'later', problem: 'not-set-up' };
    const pass = await gate.service(accountId);
    if (!pass) return { kind: 'failed', problem: 'refused' };
    const mail = contactMail(language, accountName, link);
    const budget = 'verifications';
    return send(pass, { id: `alert-contact-${id}-${askedAt}`, to: recipient, language, budget, ...mail });
  };
