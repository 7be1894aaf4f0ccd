import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import type { IdSource } from '../../ids.ts';
import { BATCH_SIZE, type PlannedBatch } from '../../messages/batch-cutter.ts';
import { type CampaignState, remainingOfCampaigns } from '../../messages/campaign-state.ts';
import type { Unmade } from '../../messages/cancel.ts';
import type { Lane } from '../../messages/lanes.ts';
import type { PlannedMessage } from '../../messages/plan.ts';
import { status } from '../../statuses.ts';
import { mailChannel } from './channel.ts';
import type { MailContent } from './content.ts';
import { encodeMailText, type MailText } from './mail-text.ts';

/** The prices of mails in the operator's list; all have the price of the prefix ''. */
export const MAIL_PRICES = 'mail';

/** A row of `mail_campaigns`. */
export interface MailCampaignRow {
  readonly account_id: number;
  readonly id: number;
  readonly name: string | null;
  readonly state: CampaignState;
  readonly route: string;
  readonly from_address: string;
  readonly content: MailContent;
  readonly list_ids: number[];
  readonly total: number;
  readonly expanded: boolean;
  readonly list_index: number;
  readonly after_user: number;
  readonly held: string;
  readonly due_at: number;
  readonly created_at: number;
  readonly finished_at: number | null;
}

/** One step of the expander: recipients, which is one transaction. */
export const STEP = 2_000;

/** What cancelling has to know of mail: recipients of campaigns without a mail. */
export const unmadeMailCampaigns: Unmade = {
  channel: mailChannel.id,

  remaining: (sql, accountId, shipmentIds) =>
    remainingOfCampaigns(sql, 'mail_campaigns', accountId, shipmentIds),

  async drop(tx, accountId, shipmentIds, now) {
    await tx`
      UPDATE mail_campaigns SET state = 'cancelled', held = 0, finished_at = ${now}
      WHERE account_id = ${accountId} AND id = ANY(${numbers(shipmentIds)}::bigint[])`;
  },

  async takeBack() {},
};

/** A mail that is to be stored. */
export interface PlannedMail {
  readonly to: string;
  readonly own: Omit<MailText, 'campaignId'>;
}

/** Gives mails their ids, and cuts them into batches. */
export function planMails(
  ids: IdSource,
  common: {
    readonly campaignId: number;
    readonly lane: Lane;
    readonly route: string;
    /** Whether the batches can be held back as a whole. */
    readonly canPause: boolean;
    /** Ten-thousandths of a credit. */
    readonly price: number;
    readonly now: number;
  },
  mails: readonly PlannedMail[],
): { messages: PlannedMessage[]; batches: PlannedBatch[] } {
  const { campaignId, lane, route, canPause, price, now } = common;
  const batches: PlannedBatch[] = [];
  const messages = mails.map(({ to, own }, index): PlannedMessage => {
    const id = ids.next();
    if (index % BATCH_SIZE === 0) {
      const heldShipmentId = canPause ? campaignId : null;
      batches.push({
        id,
        channel: mailChannel.id,
        lane,
        route,
        dueAt: now,
        heldShipmentId,
        firstId: id,
        lastId: id,
        count: 0,
      });
    }
    const batch = batches.at(-1)!;
    batch.lastId = id;
    batch.count++;
    return {
      id,
      shipmentId: campaignId,
      batchId: batch.id,
      item: { phone: to, externalId: null, source: null, text: null },
      text: encodeMailText({ ...own, campaignId }),
      parts: 1,
      price,
      status: status.sent,
    };
  });
  return { messages, batches };
}

/** Inserts the links of a campaign that are counted; the key of each is its number. */
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
      ${texts(links)}::text[]
    ) AS u (id, key, url)
    WHERE w.account_id = ${accountId}`;
}
