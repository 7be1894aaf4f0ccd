import { type Channels, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { type Event, withTrace } from '../events/types.ts';
import type { PlannedMessage } from './plan.ts';
import { statusEvent } from './status-event.ts';

/** Returns the event of a message that is not sent and has its final status from the start. */
export function refusedEvent(
  channels: Channels,
  message: PlannedMessage,
  source: string,
  now: number,
): Event {
  const data = {
    message_id: message.id,
    external_id: message.item.externalId,
    shipment_id: message.shipmentId,
    phone: message.item.phone,
    source: message.callerId ?? message.item.source ?? source,
    status: message.status,
    code: null,
  };
  const event = statusEvent(channels.of(message.channel ?? TEXT_CHANNEL), data, now);
  return withTrace(event, message.trace);
}
