import { numbers } from '../../database/arrays.ts';
import { type CampaignState, remainingOfCampaigns } from '../../messages/campaign-state.ts';
import type { Unmade } from '../../messages/cancel.ts';
import type { CampaignMessage } from './campaign-request.ts';
import { chatChannel } from './channel.ts';
import { takeBackCancelled } from './take-back.ts';

/** A row of `chat_campaigns`. */
export interface CampaignRow {
  readonly account_id: number;
  readonly id: number;
  readonly name: string | null;
  readonly number: string;
  readonly template_id: number;
  readonly state: CampaignState;
  readonly request: CampaignMessage;
  readonly list_ids: number[];
  readonly total: number;
  readonly expanded: boolean;
  readonly phones_chunk: number;
  readonly list_index: number;
  readonly after_phone: string;
  readonly held: string;
  readonly due_at: number;
  readonly created_at: number;
  readonly finished_at: number | null;
}

/** One step of the expander: recipients, which is one transaction. */
export const STEP = 2_000;

/** What cancelling has to know of chat: recipients of campaigns without a message, and windows. */
export const unmadeChatCampaigns: Unmade = {
  channel: chatChannel.id,

  remaining: (sql, accountId, shipmentIds) =>
    remainingOfCampaigns(sql, 'chat_campaigns', accountId, shipmentIds),

  async drop(tx, accountId, shipmentIds, now) {
    const ids = numbers(shipmentIds);
    await tx`
      UPDATE chat_campaigns SET state = 'cancelled', held = 0, finished_at = ${now}
      WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])`;
    await tx`
      DELETE FROM chat_campaign_phones WHERE account_id = ${accountId} AND campaign_id = ANY(${ids}::bigint[])`;
  },

  takeBack: takeBackCancelled,
};
