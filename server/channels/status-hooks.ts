import type { DeliveryHooks } from '../engine/dispatch/hooks.ts';
import { statusEvent } from '../engine/messages/status-event.ts';
import type { Channel } from './contract/channel.ts';

/** Hooks of a channel whose messages record the event `message.status` when they end, without other effects. */
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
