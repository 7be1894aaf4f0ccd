import { z } from 'zod';
import { price, setting, text, whole } from '../../setting.ts';

/** The settings of mail. */
export const mailSettings = {
  MAIL_API_ALIASES: setting(
    text
      .regex(/^[\w-]+(,[\w-]+)*$/, 'must be path segments with commas between')
      .refine((names) => !names.split(',').includes('test'), 'must be path segments other than test')
      .optional(),
    undefined,
    'Other middle segments of the paths of the mailing-list API beside `Mailer`, with commas between.',
  ),
  DEFAULT_MAIL_PRICE: setting(price, '0.1', 'Price of a mail where the price list has none.'),
  MAIL_RELAY_URL: setting(
    z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
    undefined,
    'The relay that takes mails, `smtp://user:password@host:587?rate=100&connections=5` (smtps:// is TLS from the first octet), see docs/mail.md.',
  ),
  MAIL_FROM: setting(
    text.regex(/^[^\s<>@]+@[^\s<>@]+$/, 'must be an e-mail address').optional(),
    undefined,
    'Sender of mails that the service writes itself, as confirmations. Default: no-reply at MAIL_BOUNCE_DOMAIN, else at the host of PUBLIC_URL.',
  ),
  MAIL_BOUNCE_DOMAIN: setting(
    text.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name').optional(),
    undefined,
    'Domain of return paths, whose mail (MX) leads to MAIL_BOUNCE_PORT. Without it bounces go to the sender of a mail, and are not known here.',
  ),
  MAIL_BOUNCE_HOST: setting(text, '127.0.0.1', 'Address to listen on for bounces and complaints.'),
  MAIL_BOUNCE_PORT: setting(
    whole(0, 65535).optional(),
    undefined,
    'Port to listen on for bounces and complaints (SMTP); 0 takes a free one. Default: nothing listens; in the sandbox a free port.',
  ),
  MAIL_INBOUND_DOMAIN: setting(
    text.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name').optional(),
    undefined,
    'Domain of the addresses that answers to mails go to, whose mail (MX) leads to MAIL_BOUNCE_PORT; may be MAIL_BOUNCE_DOMAIN. Mails without a Reply-To of their own have one there, and answers come to the conversations. Without it answers go to the sender of a mail. In the sandbox: replies.sandbox.invalid.',
  ),
  MAIL_SOFT_BOUNCES: setting(
    whole(1, 100),
    '5',
    'So many soft bounces without a sign of life between them make an address a bad one.',
  ),
  MAIL_DKIM_DOMAIN: setting(text.optional(), undefined, 'Domain that signs mails (DKIM, `d=`).'),
  MAIL_DKIM_SELECTOR: setting(text, 'carillon', 'Selector of the key in the DNS (DKIM, `s=`).'),
  MAIL_DKIM_KEY_FILE: setting(
    text.optional(),
    undefined,
    'File with the private key (PEM) that signs mails. Without it they are not signed here.',
  ),
} as const;
