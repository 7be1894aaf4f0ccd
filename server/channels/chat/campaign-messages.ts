import type { ChatStatus, Event } from '../../events/types.ts';
import { BATCH_SIZE, type PlannedBatch } from '../../messages/batch-cutter.ts';
import { lanes } from '../../messages/lanes.ts';
import type { PlannedMessage } from '../../messages/plan.ts';
import type { CampaignRow } from './campaign-rows.ts';
import { chatChannel } from './channel.ts';
import { chatRoute, chatStatus } from './statuses.ts';

/** Why somebody gets nothing: a final status, and the word for it. */
export interface Failure {
  readonly status: number;
  readonly code: string;
}

/** What a recipient of a campaign gets, as it will be stored. */
export interface Made {
  readonly id: number;
  readonly phone: string;
  /** Its own content; null: the shipment's, or none. */
  readonly text: string | null;
  /** Ten-thousandths of a credit. */
  readonly price: number;
  /** Null: it is sent. */
  readonly failure: Failure | null;
}

/** Those of the messages that are sent, with their batches, which are the campaign's own. */
export function cutBatches(
  campaign: CampaignRow,
  made: readonly Made[],
  now: number,
): { messages: PlannedMessage[]; batches: PlannedBatch[] } {
  const sent = made.filter(({ failure }) => failure === null);
  const batches: PlannedBatch[] = [];
  const messages = sent.map(({ id, phone, text, price }, index): PlannedMessage => {
    if (index % BATCH_SIZE === 0) {
      const some = sent.slice(index, index + BATCH_SIZE);
      batches.push({
        id,
        channel: chatChannel.id,
        lane: lanes.bulk,
        route: chatRoute(campaign.number),
        dueAt: now,
        heldShipmentId: campaign.id,
        firstId: id,
        lastId: some.at(-1)!.id,
        count: some.length,
      });
    }
    return {
      id,
      shipmentId: campaign.id,
      batchId: batches.at(-1)!.id,
      item: { phone, externalId: null, source: null, text: null },
      text,
      parts: 1,
      price,
      status: chatStatus.sent,
    };
  });
  return { messages, batches };
}

/** Those of the messages that failed before they were sent. */
export function failedOf(made: readonly Made[]): (Failure & Pick<Made, 'id' | 'phone'>)[] {
  return made.flatMap(({ id, phone, failure }) => (failure ? [{ id, phone, ...failure }] : []));
}

/** The events of the messages that failed before they were sent. */
export function failedEvents(campaign: CampaignRow, made: readonly Made[], now: number): Event[] {
  return made.flatMap(({ id, phone, failure }) => {
    if (!failure) return [];
    const data: ChatStatus = {
      message_id: id,
      shipment_id: campaign.id,
      from: campaign.number,
      to: phone,
      status: 'failed',
      reason: failure.code,
    };
    return [{ type: 'chat.status' as const, at: now, data }];
  });
}
