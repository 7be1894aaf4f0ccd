import type { Channel } from '../channel-contract/channel.ts';
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
