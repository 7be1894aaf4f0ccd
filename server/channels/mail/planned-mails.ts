import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import type { PlannedMessage } from '../../engine/messages/plan.ts';
import type { IdSource } from '../../kit/ids.ts';
import { status } from '../../kit/statuses.ts';
import { encodeMailText, type MailText } from './mail-text.ts';

/** Name of email prices in the operator's list; all have the price of the prefix ''. */
export const MAIL_PRICES = 'mail';

/** Returns a campaign or single email for sending, not in a batch yet. `price` is in ten-thousandths of a credit. */
export function planMail(
  ids: IdSource,
  campaignId: number,
  to: string,
  own: Omit<MailText, 'campaignId'>,
  price: number,
): PlannedMessage {
  return {
    id: ids.next(),
    shipmentId: campaignId,
    batchId: 0,
    item: { phone: to, externalId: null, source: null, text: null },
    text: encodeMailText({ ...own, campaignId }),
    parts: 1,
    price,
    status: status.sent,
  };
}

/** Inserts the counted links of a campaign; the key of each is its number. */
export function insertLinks(
  sql: Queryable,
  ids: IdSource,
  accountId: number,
  campaignId: number,
  links: readonly string[],
) {
  return sql`
    INSERT INTO short_links (account_id, id, shipment_id, key, url)
    SELECT w.account_id, u.id, ${campaignId}::bigint, u.key, u.url
    FROM wallets w, unnest(
      ${numbers(links.map(() => ids.next()))}::bigint[],
      ${texts(links.map((_, index) => String(index)))}::text[],
      ${texts(links.map((link) => sql.waitingText(accountId, link)))}::text[]
    ) AS u (id, key, url)
    WHERE w.account_id = ${accountId}`;
}
