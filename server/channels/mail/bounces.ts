import type { DeliveryUpdate } from '../../engine/dispatch/recorder.ts';
import type { Context } from '../../kit/context.ts';
import { status } from '../../kit/statuses.ts';
import { type BouncedMail, type BounceRecorder, findBounced } from './bounce-recorder.ts';
import type { BounceReport } from './bounce-reports.ts';
import { tokenIn } from './compose.ts';
import type { MailReader } from './mail-reader.ts';
import { mailBounces } from './metrics.ts';
import { type SignedToken, type SignedTokens, tokenFor } from './signed-tokens.ts';

/** Local part of the address that receives feedback reports, at the domain of return paths. */
const COMPLAINTS_ADDRESS = 'complaints';
/** Milliseconds to wait for the status of a mail. The SMTP server ends connections that are silent for a minute. */
const STORE_MS = 30_000;

interface MailBouncesDeps extends Pick<Context, 'sql'> {
  readonly signedTokens: SignedTokens;
  readonly book: BounceRecorder;
  readonly reader: Pick<MailReader<BounceReport>, 'read'>;
  readonly recorder: { add(update: DeliveryUpdate, stored: () => void): void };
}

/** Bounces and complaints about emails. */
export class MailBounces {
  readonly #deps: MailBouncesDeps;

  constructor(deps: MailBouncesDeps) {
    this.#deps = deps;
  }

  /** Whether an address is ours: a return path, or the address for complaints. */
  accepts(address: string): boolean {
    return this.#isForComplaints(address) || this.#signedBy(tokenIn(address)) !== undefined;
  }

  /**
   * Handles an email to one of our addresses. Resolves after the bounce or complaint and the status of the email are
   * committed; ignores emails that are not reports. Rejects while the database is unavailable, when too many emails
   * wait to be parsed, and when the status is not stored within STORE_MS: the mail server then repeats the report,
   * which changes nothing twice.
   */
  async take(address: string, raw: Buffer): Promise<void> {
    const report = await this.#deps.reader.read(raw);
    const marked = this.#signedBy(tokenIn(address)) ?? this.#namedBy(report);
    const mail = report && marked && (await this.#find(marked));
    if (!mail) {
      mailBounces.inc({ kind: 'other' });
      return;
    }
    const { sql, book, recorder } = this.#deps;
    await sql.begin((tx) =>
      report.kind === 'bounce' ? book.bounced(tx, mail, report) : book.complained(tx, mail, report.type),
    );
    if (report.kind !== 'bounce') return;
    const { accountId, messageId, phone } = mail;
    // The relay accepted the mail, so it stays charged.
    const update = {
      accountId,
      messageId,
      phone,
      failure: status.undelivered,
      code: `bounce ${report.code}`,
    };
    const stored = Promise.withResolvers<void>();
    recorder.add(update, stored.resolve);
    const timer = setTimeout(
      () => stored.reject(new Error('the status of a bounced mail is not stored yet')),
      STORE_MS,
    );
    await stored.promise.finally(() => clearTimeout(timer));
  }

  #isForComplaints(address: string): boolean {
    return address.slice(0, address.lastIndexOf('@')).toLowerCase() === COMPLAINTS_ADDRESS;
  }

  #signedBy(token: string | undefined): SignedToken | undefined {
    const marked = token === undefined ? undefined : this.#deps.signedTokens.read(token);
    return marked?.what === tokenFor.mail ? marked : undefined;
  }

  #namedBy(report: BounceReport | undefined): SignedToken | undefined {
    if (report?.kind !== 'complaint') return undefined;
    for (const name of report.names) {
      const address = addressIn(name);
      const marked = this.#signedBy(tokenIn(address) ?? address.slice(0, address.lastIndexOf('@')));
      if (marked) return marked;
    }
    return undefined;
  }

  async #find({ accountId, messageId }: SignedToken): Promise<BouncedMail | undefined> {
    return findBounced(this.#deps.sql, accountId, messageId);
  }
}

/** An address has up to 254 characters (RFC 5321, 4.5.3.1.3); a name may precede it. */
const MAX_NAMED = 1_000;

/** Returns the first address in a header field; '' without one. */
function addressIn(field: string): string {
  const words = field.slice(0, MAX_NAMED).split(/[<>\s]/);
  return words.find((word) => word.lastIndexOf('@', word.length - 2) > 0) ?? '';
}
