import { createTransport } from 'nodemailer';

/** Brings a mail to the server of bounces, as another mail server would. Rejects with what it answers. */
export async function deliver(port: number, to: string, raw: string, from = ''): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    await transport.sendMail({ envelope: { from, to }, raw: raw.replace(/\r?\n/g, '\r\n') });
  } finally {
    transport.close();
  }
}

/** A delivery status notification as Postfix writes it, with the fields of its one recipient. */
export const dsn = (...fields: string[]): string => `From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
To: b-x@bounces.example.com
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

This is a MIME-encapsulated message.

--b1
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--b1
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4B1F23A2
Arrival-Date: Sat, 21 Nov 2026 08:00:00 +0000 (UTC)

Final-Recipient: rfc822; dana@example.com
Original-Recipient: rfc822;dana@example.com
${fields.join('\n')}

--b1
Content-Description: Undelivered Message
Content-Type: message/rfc822

From: news@shop.example
To: dana@example.com
Subject: Hello 5.1.1
Message-ID: <x@bounces.example.com>
Content-Type: text/html

<p>Hello</p>
--b1--
`;

/** A feedback report, with the headers of the mail that it is about. */
export const feedback = (
  fields: readonly string[],
  headers: readonly string[],
  type = 'abuse',
): string => `From: <abuse@mailbox.example>
To: complaints@bounces.example.com
Subject: FW: Hello
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b2"

--b2
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.

--b2
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
${fields.join('\n')}

--b2
Content-Type: message/rfc822
Content-Disposition: inline

${headers.join('\n')}
Subject: Hello

Hello
--b2--
`;
