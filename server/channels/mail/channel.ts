import type { Channel } from '../../channel-contract/contract.ts';
import { mailFailures } from './failures.ts';
import { decodeMailText, encodeMailText, type MailText } from './mail-text.ts';

/** What routes of mail begin with; the name of the relay follows. */
export const MAIL_ROUTES = 'mail/';

/** Mails: the payload has the fields of the recipient, what the mail says is its campaign's. */
export const mailChannel: Channel<MailText> = {
  id: 2,
  name: 'mail',
  connectors: { prefix: MAIL_ROUTES, routing: 'own', keepsIds: false, settleMs: 0 },
  defaultPrice: ({ DEFAULT_MAIL_PRICE }) => DEFAULT_MAIL_PRICE,
  codec: {
    encode: encodeMailText,
    decode: ({ own }) => decodeMailText(own ?? ''),
    summary: () => null,
  },
  failures: mailFailures,
  batchSize: 500,
  file: new URL('./open.ts', import.meta.url),
};
