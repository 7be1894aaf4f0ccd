import { z } from 'zod';
import { iso, out } from '../../../api/openapi/out.ts';
import type { Sql } from '../../../database/connection.ts';
import { type OtherMessage, replacedBy, replacementOf } from '../../fallback/views.ts';
import type { MessageTimeline } from '../timeline.ts';
import { channelField, channelName } from './fields.ts';

/* Fields of a message about its second message by another channel, under /v1. */

const otherAnswer = z.object({
  channel: channelField,
  shipment_id: out.id('Id of its shipment.', '1774337460000011'),
  message_id: out.maybeText(
    'Id of the message; null while it does not exist, or if the other channel refused the recipient.',
    '1774337460000012',
  ),
  at: out.time('Time of its acceptance'),
});

export const otherMessageFields = {
  fallback: otherAnswer
    .nullable()
    .describe(
      'Message that was sent by another channel because this one failed or was not delivered in time.',
    ),
  fallback_for: otherAnswer
    .nullable()
    .describe('Message that this one replaces, because it failed or was not delivered in time.'),
};

const show = (other: OtherMessage | null): z.output<typeof otherAnswer> | null =>
  other && {
    channel: channelName(other.channel),
    shipment_id: String(other.shipmentId),
    message_id: other.messageId === null ? null : String(other.messageId),
    at: iso(other.at),
  };

/** Returns the messages of other channels that replace a message, and that it replaces. */
export async function otherMessagesOf(sql: Sql, accountId: number, { message, shipment }: MessageTimeline) {
  const first = shipment?.fallback_of ?? null;
  const [fallback, replaced] = await Promise.all([
    replacementOf(sql, accountId, message),
    first === null ? null : replacedBy(sql, accountId, first, message.recipient),
  ]);
  return { fallback: show(fallback), fallback_for: show(replaced), replacedAt: fallback?.at ?? null };
}
