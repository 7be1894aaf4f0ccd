import type { Event } from '../events/types.ts';
import { channels } from './channels.ts';
import type { PlannedMessage } from './plan.ts';

/** The events of messages that have their final status from the start, since they go nowhere. */
export function refusedEvents(messages: readonly PlannedMessage[], source: string, now: number): Event[] {
  return messages.map((message) => ({
    type: 'message.status' as const,
    at: now,
    data: {
      message_id: message.id,
      external_id: message.item.externalId,
      shipment_id: message.shipmentId,
      phone: message.item.phone,
      source: message.callerId ?? message.item.source ?? source,
      status: message.status,
      code: null,
      ...(message.channel === channels.voice && { channel: 'voice' as const }),
    },
  }));
}
