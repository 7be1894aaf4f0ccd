import { chapter, row } from '../row.ts';

/** Sends to mailing lists through `/v1`, and the sandbox's mail server. */
export const mailSending = chapter({
  key: 'mail',
  title: 'Mail: sends to lists',
  bothForms: false,
  rows: [
    row('send', 'subject, HTML and text with fields; a user of several lists gets one mail'),
    row('fields', 'values are values: no code, no markup, no header, no address of another kind'),
    row('injection', 'no header and no command begins in any field'),
    row('test, preview, estimate', 'a test send, a preview, what it would cost'),
    row('schedule', 'sent at its time; `campaign.finished` once'),
    row('pause, resume', 'in the middle, and each their mail once'),
    row('cancel', 'what was not sent is given back'),
    row('lanes', 'single mails do not wait'),
    row('throttle', 'a rate of the relay'),
    row('DKIM', 'mails are signed'),
    row('mime', 'mails are written (MIME) so that any program reads them as they were meant'),
    row('senders', 'from addresses and domains that are the account’s'),
    row('credit', 'credit that ends in the middle'),
    row('opens, clicks', 'counted when the list allows it'),
    row(
      'killed',
      'a restart without a second send; killed in mid-send nobody is left out, and what goes twice is the same mail',
    ),
    row('relay.down', 'a relay that is down is waited for'),
    row('relay.4yz', 'tried again, the others are not held up'),
    row('relay.5yz', 'a recipient or a content that is refused'),
    row('relay.cut', 'slow, silent, or closing in mid-DATA'),
    row('addresses', 'internationalised addresses'),
    row('sandbox', 'a mail server over SMTP, `/v1/sandbox/mailboxes`, bounces and complaints by the address'),
  ],
});
