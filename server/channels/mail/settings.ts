import { z } from 'zod';
import { price, setting, text, whole } from '../../kit/setting.ts';

/** The settings of mail. */
export const mailSettings = {
  MAIL_API_ALIASES: setting(
    text
      .regex(/^[\w-]+(,[\w-]+)*$/, 'must be path segments with commas between')
      .refine((names) => !names.split(',').includes('test'), 'must be path segments other than test')
      .optional(),
    undefined,
    'Other middle segments of the paths of the mailing-list API in addition to `Mailer`, separated by commas.',
  ),
  DEFAULT_MAIL_PRICE: setting(price, '0.1', 'Price of an email without a price in the price list.'),
  MAIL_RELAY_URL: setting(
    z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
    undefined,
    'Relay that sends email, `smtp://user:password@host:587?rate=100&connections=5` (smtps:// uses TLS from the start), see docs/mail.md.',
  ),
  MAIL_FROM: setting(
    text.regex(/^[^\s<>@]+@[^\s<>@]+$/, 'must be an e-mail address').optional(),
    undefined,
    'Sender of email that the service writes itself, such as confirmations. Default: no-reply at MAIL_BOUNCE_DOMAIN, else at the host of PUBLIC_URL.',
  ),
  MAIL_BOUNCE_DOMAIN: setting(
    text.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name').optional(),
    undefined,
    'Domain of return paths, whose MX record leads to MAIL_BOUNCE_PORT. Without it, bounces go to the sender of an email and are not recorded.',
  ),
  MAIL_BOUNCE_HOST: setting(text, '127.0.0.1', 'Address to listen on for bounces and complaints.'),
  MAIL_BOUNCE_PORT: setting(
    whole(0, 65535).optional(),
    undefined,
    'Port to listen on for bounces and complaints (SMTP); 0 chooses a free port. Default: no listener; in the sandbox a free port.',
  ),
  MAIL_INBOUND_DOMAIN: setting(
    text.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name').optional(),
    undefined,
    'Domain of the addresses that receive replies to email, whose MX record leads to MAIL_BOUNCE_PORT; may be MAIL_BOUNCE_DOMAIN. It is the Reply-To of email without its own, and replies appear in the conversations. Without it, replies go to the sender of an email. In the sandbox: replies.sandbox.invalid.',
  ),
  MAIL_SOFT_BOUNCES: setting(
    whole(1, 100),
    '5',
    'Number of soft bounces, without a delivery or an answer between them, after which an address is suppressed.',
  ),
  MAIL_DKIM_DOMAIN: setting(text.optional(), undefined, 'Domain that signs email (DKIM, `d=`).'),
  MAIL_DKIM_SELECTOR: setting(text, 'carillon', 'Selector of the key in the DNS (DKIM, `s=`).'),
  MAIL_DKIM_KEY_FILE: setting(
    text.optional(),
    undefined,
    'File with the private key (PEM) that signs email. Without it, email is not signed.',
  ),
} as const;
