import { type Channels, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { StatusReport } from '../callbacks/format.ts';
import type { StatusCallbacks } from '../callbacks/status-callbacks.ts';
import { type Event, withTrace } from '../events/types.ts';
import type { PlannedMessage, PlannedShipment } from './plan.ts';
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

/** Returns the report of a message that is not sent, for its status callback. */
const refusedReport = (message: PlannedMessage, now: number): StatusReport => ({
  kind: 'final',
  messageId: message.id,
  shipmentId: message.shipmentId,
  phone: message.item.phone,
  status: message.status,
  code: message.code ?? null,
  wasSubmitted: false,
  submittedAt: null,
  connector: null,
  carrierId: null,
  at: now,
});

/**
 * Yields the events of messages that are not sent, which have their final status from the start and are stored with the
 * shipment.
 */
export function* refusedEvents(
  {
    channels,
    callbacks,
  }: { readonly channels: Channels; readonly callbacks: Pick<StatusCallbacks, 'event'> },
  shipments: readonly PlannedShipment[],
  now: number,
): Generator<Event> {
  for (const { messages, request } of shipments) {
    for (const message of messages) {
      if (message.batchId !== 0) continue;
      yield refusedEvent(channels, message, request.source, now);
      const { callback } = request;
      const event = callback && callbacks.event(refusedReport(message, now), callback);
      if (event) yield event;
    }
  }
}
