import type { Event } from '../events/types.ts';
import { channels } from './channels.ts';
import type { PlannedMessage } from './plan.ts';

/** The event of a message that has its final status from the start, since it goes nowhere. */
export function refusedEvent(message: PlannedMessage, source: string, now: number): Event {
  return {
    type: 'message.status',
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
  };
}
