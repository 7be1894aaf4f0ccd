import type { Clock } from '../../kit/clock.ts';
import { status } from '../../kit/statuses.ts';
import type { SendServiceMail, ServiceMail } from '../../modules/alerts/means/mail.ts';
import type { Outcome } from '../../modules/alerts/means/means.ts';
import { checkMailBudget } from '../../modules/budgets/mail-budget.ts';
import { type DkimSettings, DkimSigner } from '../../protocols/smtp/dkim.ts';
import { judgeError, type SmtpError } from '../../protocols/smtp/outcomes.ts';
import type { RelaySettings } from '../../protocols/smtp/relay.ts';
import { RelayPool } from '../../protocols/smtp/relay-pool.ts';
import { compileMessage, envelopeOf } from './mime/message.ts';

/** Milliseconds for one email at the relay: the caller waits with a claim of one minute. */
const DEADLINE_MS = 40_000;
const refused = { recipient: status.undelivered, content: status.rejected };

interface ServiceMailsDeps {
  readonly relay: RelaySettings;
  /** Sender of the service's own emails. */
  readonly from: string;
  readonly dkim: DkimSettings | undefined;
  readonly clock: Clock;
}

/**
 * Submits emails of the service to the relay, each on its own connection: there are few, and the caller learns the
 * result of each.
 */
export function serviceMails({ relay, from, dkim, clock }: ServiceMailsDeps): SendServiceMail {
  const signer = dkim && new DkimSigner(dkim);
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const write = async (mail: ServiceMail): Promise<Buffer> => {
    const { fields, body } = compileMessage<void>({
      fields: [
        ['From', { name: 'Carillon', address: from }],
        ['To', mail.to],
        ['Subject', mail.subject],
        ['Message-ID', `<${mail.id}@${domain}>`],
        ['Date', new Date(clock.now())],
        ['Content-Language', mail.language],
        // RFC 3834: prevents vacation notices and other automatic replies.
        ['Auto-Submitted', 'auto-generated'],
      ],
      text: [mail.text],
      html: null,
    })();
    const signature = await signer?.sign(fields, body);
    const header = signature === undefined ? fields : [signature, ...fields];
    return Buffer.from(`${header.join('\r\n')}\r\n\r\n${body}`);
  };
  return async (pass, mail): Promise<Outcome> => {
    checkMailBudget(pass, mail.budget);
    const octets = await write(mail);
    const pool = new RelayPool({
      ...relay,
      connections: 1,
      timeoutMs: Math.min(relay.timeoutMs, DEADLINE_MS),
    });
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(resolve, DEADLINE_MS, 'late');
    try {
      const sent = pool.send(envelopeOf(from, mail.to), octets);
      sent.catch(() => {});
      if ((await Promise.race([sent, late])) === 'late') return { kind: 'later', problem: 'unreachable' };
      return { kind: 'sent' };
    } catch (error) {
      const { outcome } = judgeError(error as SmtpError, refused);
      return outcome.kind === 'refused'
        ? { kind: 'failed', problem: 'rejected' }
        : { kind: 'later', problem: 'unreachable' };
    } finally {
      clearTimeout(timer);
      pool.close();
    }
  };
}
