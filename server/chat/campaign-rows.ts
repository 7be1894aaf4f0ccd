import { parseAmount } from '../accounts/money.ts';
import type { Queryable } from '../database/connection.ts';
import type { CampaignState } from '../messages/campaign-state.ts';
import type { Unmade } from '../messages/cancel.ts';
import { channels } from '../messages/channels.ts';
import type { CampaignMessage } from './campaign-request.ts';
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
  channel: channels.chat,

  async remaining(sql: Queryable, accountId, shipmentId) {
    const [row] = await sql<{ left: number; held: string }[]>`
      SELECT c.total - s.message_count AS left, c.held FROM chat_campaigns c
      JOIN shipments s ON s.account_id = c.account_id AND s.id = c.id
      WHERE c.account_id = ${accountId} AND c.id = ${shipmentId} AND s.id = ${shipmentId} AND NOT c.expanded`;
    if (!row) return null;
    // Lists may have grown since they were counted: until the last step is done somebody may be left.
    return { contacts: Math.max(1, row.left), held: parseAmount(row.held) };
  },

  async drop(tx, accountId, shipmentId, now) {
    await tx`
      UPDATE chat_campaigns SET state = 'cancelled', held = 0, finished_at = ${now}
      WHERE account_id = ${accountId} AND id = ${shipmentId}`;
    await tx`
      DELETE FROM chat_campaign_phones WHERE account_id = ${accountId} AND campaign_id = ${shipmentId}`;
  },

  takeBack: takeBackCancelled,
};
