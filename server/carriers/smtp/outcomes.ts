import { tlsFaultOf } from '../../tls-faults.ts';
import type { SubmitOutcome } from '../carrier.ts';

/** What nodemailer's errors say, as far as it is looked at. */
export interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly command?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly timeoutType?: string | undefined;
}

/** Delivery statuses of what a relay refuses. */
export interface RefusedStatuses {
  /** The recipient is refused. */
  readonly recipient: number;
  /** The mail is refused: its sender, or what is in it. */
  readonly content: number;
}

interface JudgedOutcome {
  readonly outcome: Exclude<SubmitOutcome, { kind: 'accepted' }>;
  /**
   * Whether the relay as a whole does not take mails now, and not only this one: it says so (`busy`), or there is no
   * session with it (`away`).
   */
  readonly relay: 'fine' | 'busy' | 'away';
}

/** Codes of messages whose way was cut off: the relay may have them. */
const CUT_OFF = 'CUT_OFF';

/** Before there is a session: nothing of any mail was said. */
const sessionCommands = /^(?:CONN|EHLO|HELO|LHLO|STARTTLS|AUTH.*|XCLIENT|API)$/i;
const sessionCodes = new Set(['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'EPROXY', 'EREQUIRETLS']);
const sessionTimeouts = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']);

/**
 * The outcome of a mail by the error of its submission (RFC 5321, 4.2.1): 4yz is tried again, 5yz is refused with its
 * code; what fails before there is a session (no connection, sign-in) is tried again as soon as the relay takes mails;
 * a connection that ends in the middle may have brought the mail, which then goes again with the same Message-ID.
 */
export function judgeError(error: SmtpError, statuses: RefusedStatuses): JudgedOutcome {
  const { responseCode, command = '', code = '' } = error;
  if (responseCode === undefined) return judgeSilence(error);
  if (sessionCommands.test(command) || code === 'EAUTH') {
    return { outcome: { kind: 'again' }, relay: responseCode === 421 ? 'busy' : 'away' };
  }
  const word = wordOf(responseCode, error.response ?? '');
  // 503 is about the session and not about the mail. One of which only its recipient makes the relay say 421 is not to
  // hold up the others, so it waits by itself.
  if (responseCode < 500 || responseCode === 503) {
    const outcome = { kind: 'retry', code: word } as const;
    return { outcome, relay: responseCode === 421 || /^MAIL/i.test(command) ? 'busy' : 'fine' };
  }
  const status = /^RCPT/i.test(command) ? statuses.recipient : statuses.content;
  return { outcome: { kind: 'refused', status, code: word }, relay: 'fine' };

  function judgeSilence({ timeoutType = '' }: SmtpError): JudgedOutcome {
    // Not sent: an address that SMTP has no form for.
    if (code === 'EENVELOPE' || code === 'EMESSAGE') {
      const outcome = { kind: 'refused', status: statuses.recipient, code: 'BAD_ADDRESS' } as const;
      return { outcome, relay: 'fine' };
    }
    const neverBegan =
      // TLS comes before any mail, also where the relay offers it by STARTTLS.
      tlsFaultOf(error) !== undefined ||
      sessionCodes.has(code) ||
      sessionTimeouts.has(timeoutType) ||
      // No connection at all, or one that ended before the relay's greeting.
      (code === 'ESOCKET' && /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND/.test(originalCode(error))) ||
      (code === 'ECONNECTION' && command === '');
    if (neverBegan) return { outcome: { kind: 'again' }, relay: 'away' };
    return { outcome: { kind: 'retry', code: CUT_OFF }, relay: 'fine' };
  }
}

const originalCode = (error: SmtpError): string =>
  String((error as { originalCode?: unknown }).originalCode ?? error.message);

/** The relay's reply as a short word: `550 5.1.1` by RFC 3463 where it is given, else `550`. */
function wordOf(responseCode: number, response: string): string {
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
}
