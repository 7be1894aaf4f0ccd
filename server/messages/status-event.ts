import type { Channel, DeliveryHooks } from '../channels/contract.ts';
import type { Event, MessageStatus } from '../events/types.ts';

/** The event of a message that has its final status at `at`, in milliseconds since the epoch. */
export function statusEvent(channel: Channel, data: Omit<MessageStatus, 'channel'>, at: number): Event {
  // The interface knows the event as that of an SMS, which names no channel.
  return {
    type: 'message.status',
    at,
    data: channel.name === 'sms' ? data : { ...data, channel: channel.name },
  };
}

/** The hooks of a channel whose messages have the event `message.status` when they end, and no other effect. */
export function statusHooks(channel: Channel): DeliveryHooks {
  return {
    eventType: 'message.status',
    final: ({ id, external_id, shipment_id, phone, source, status, code, final_at }) =>
      statusEvent(
        channel,
        { message_id: id, external_id, shipment_id, phone, source, status, code },
        final_at,
      ),
  };
}
