import { settingsOf } from '../../kit/config.ts';
import type { Channel } from '../contract/channel.ts';
import { mailAccess } from './access.ts';
import { mailFailures } from './failures.ts';
import { decodeMailText, encodeMailText, type MailText } from './mail-text.ts';
import { mailSettings } from './settings.ts';
import { mailTables } from './tables.ts';

/** Prefix of email routes; the name of the relay follows. */
export const MAIL_ROUTES = 'mail/';

/** Emails: the payload contains the fields of the recipient; the content belongs to the campaign. */
export const mailChannel: Channel<MailText> = {
  id: 2,
  name: 'mail',
  connectors: { prefix: MAIL_ROUTES, routing: 'own', keepsIds: false, settleMs: 0 },
  tables: mailTables,
  settings: mailSettings,
  defaultPrice: (config) => settingsOf(config, mailSettings).DEFAULT_MAIL_PRICE,
  codec: {
    encode: encodeMailText,
    decode: ({ own }) => decodeMailText(own ?? ''),
    summary: () => null,
    // The user must stay known for bounces, opens and unsubscriptions.
    withoutText: (stored) => encodeMailText({ ...decodeMailText(stored), fields: {} }),
  },
  failures: mailFailures,
  batchSize: 500,
  access: mailAccess,
  file: new URL('./open.ts', import.meta.url),
};
