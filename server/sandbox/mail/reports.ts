/** An email whose simulated outcome is a bounce or a complaint. */
export interface Reported {
  /** Sender and recipient of the envelope. */
  readonly returnPath: string;
  readonly to: string;
  readonly raw: Buffer;
  readonly at: Date;
}

const BOUNDARY = 'sandbox-report';
const HOST = 'mail.sandbox.invalid';

/** Returns a delivery status notification (RFC 3464) for an undeliverable email. */
export function bounceReport(mail: Reported, isHard: boolean): string {
  const [status, words] = isHard
    ? ['5.1.1', '550 5.1.1 no such mailbox']
    : ['4.2.2', '452 4.2.2 the mailbox is full'];
  return report(mail, mail.returnPath, 'delivery-status', [
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns; ${HOST}`,
    `Arrival-Date: ${mail.at.toUTCString()}`,
    '',
    `Final-Recipient: rfc822; ${mail.to}`,
    'Action: failed',
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${words}`,
  ]);
}

/** Returns a feedback report (RFC 5965) of a reader who marked an email as spam. */
export function complaintReport(mail: Reported, to: string): string {
  return report(mail, to, 'feedback-report', [
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: Carillon-Sandbox/1',
    'Version: 1',
    `Original-Mail-From: <${mail.returnPath}>`,
    `Arrival-Date: ${mail.at.toUTCString()}`,
  ]);
}

function report(mail: Reported, to: string, type: string, part: readonly string[]): string {
  const headers = mail.raw.toString('latin1').split(/\r?\n\r?\n/, 1)[0]!;
  return [
    `From: MAILER-DAEMON@${HOST}`,
    `To: ${to}`,
    'Subject: Report about a mail',
    `Date: ${mail.at.toUTCString()}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="${BOUNDARY}"`,
    '',
    `--${BOUNDARY}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This is a report of the simulated mail server.',
    '',
    `--${BOUNDARY}`,
    ...part,
    '',
    `--${BOUNDARY}`,
    'Content-Type: text/rfc822-headers',
    '',
    headers,
    '',
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n');
}
