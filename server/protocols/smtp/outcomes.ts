import type { SubmitOutcome } from '../../engine/carriers/carrier.ts';
import { tlsFaultOf } from '../../kit/tls-faults.ts';

/** The properties of nodemailer's errors that are used here. */
export interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly command?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly timeoutType?: string | undefined;
}

/** Delivery statuses of emails that a relay rejects. */
export interface RefusedStatuses {
  /** The recipient was rejected. */
  readonly recipient: number;
  /** The sender or the content was rejected. */
  readonly content: number;
}

interface JudgedOutcome {
  readonly outcome: Exclude<SubmitOutcome, { kind: 'accepted' }>;
  /**
   * Whether the relay as a whole accepts no emails now: it said so (`busy`), or there is no session with it (`away`).
   */
  readonly relay: 'fine' | 'busy' | 'away';
}

/** Code of messages whose connection broke: the relay may have them. */
const CUT_OFF = 'CUT_OFF';

/** Commands before the session: nothing of any email was sent. */
const sessionCommands = /^(?:CONN|EHLO|HELO|LHLO|STARTTLS|AUTH.*|XCLIENT|API)$/i;
const sessionCodes = new Set(['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'EPROXY', 'EREQUIRETLS']);
const sessionTimeouts = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']);

/**
 * Returns the outcome of an email by the error of its submission (RFC 5321, 4.2.1). 4yz is retried, 5yz is rejected
 * with its code. A failure before the session (no connection, sign-in) is retried as soon as the relay accepts emails.
 * If the connection broke in the middle, the relay may have the email, which is sent again with the same Message-ID.
 */
export function judgeError(error: SmtpError, statuses: RefusedStatuses): JudgedOutcome {
  const { responseCode, command = '', code = '' } = error;
  if (responseCode === undefined) return judgeSilence(error);
  if (sessionCommands.test(command) || code === 'EAUTH') {
    return { outcome: { kind: 'again' }, relay: responseCode === 421 ? 'busy' : 'away' };
  }
  const word = wordOf(responseCode, error.response ?? '');
  // 503 concerns the session and not the email. A 421 that only this recipient causes must not hold up other emails, so
  // the email waits alone.
  if (responseCode < 500 || responseCode === 503) {
    const outcome = { kind: 'retry', code: word } as const;
    return { outcome, relay: responseCode === 421 || /^MAIL/i.test(command) ? 'busy' : 'fine' };
  }
  const status = /^RCPT/i.test(command) ? statuses.recipient : statuses.content;
  return { outcome: { kind: 'refused', status, code: word }, relay: 'fine' };

  function judgeSilence({ timeoutType = '' }: SmtpError): JudgedOutcome {
    // Not sent: SMTP cannot express the address.
    if (code === 'EENVELOPE' || code === 'EMESSAGE') {
      const outcome = { kind: 'refused', status: statuses.recipient, code: 'BAD_ADDRESS' } as const;
      return { outcome, relay: 'fine' };
    }
    const neverBegan =
      // TLS starts before any email, also with STARTTLS.
      tlsFaultOf(error) !== undefined ||
      sessionCodes.has(code) ||
      sessionTimeouts.has(timeoutType) ||
      // No connection, or it ended before the relay's greeting.
      (code === 'ESOCKET' && /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND/.test(originalCode(error))) ||
      (code === 'ECONNECTION' && command === '');
    if (neverBegan) return { outcome: { kind: 'again' }, relay: 'away' };
    return { outcome: { kind: 'retry', code: CUT_OFF }, relay: 'fine' };
  }
}

const originalCode = (error: SmtpError): string =>
  String((error as { originalCode?: unknown }).originalCode ?? error.message);

/** Returns the relay's reply as a short code: `550 5.1.1` with an enhanced code (RFC 3463), else `550`. */
function wordOf(responseCode: number, response: string): string {
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
}
