import type { Channel } from '../../channels/contract/channel.ts';
import type { Event, MessageStatus } from '../events/types.ts';

/** Returns the event of a message that got its final status at `at`, in milliseconds since the epoch. */
export function statusEvent(channel: Channel, data: Omit<MessageStatus, 'channel'>, at: number): Event {
  // In the interface this is the event of an SMS, which names no channel.
  return {
    type: 'message.status',
    at,
    data: channel.name === 'sms' ? data : { ...data, channel: channel.name },
  };
}
