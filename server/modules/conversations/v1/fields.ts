import { z } from 'zod';
import { iso, out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { channelField, channelName } from '../../../engine/messages/v1/fields.ts';
import { timeOfId } from '../../../kit/ids.ts';
import { displayRecipient } from '../../../kit/numbers/phone-numbers.ts';
import { type Conversation, conversationStates } from '../rows.ts';

/* Fields of conversations under /v1. */

const conversationFields = {
  id: out.id('Id of the conversation.', '1774337460000061'),
  sender: out.text('Your number or address to which the client wrote.', '972550000001'),
  client: out.text(
    'Client: a number, an email address, or the id of a client who hides the number on the chat platform.',
    '0501234567',
  ),
  client_name: sensitive(out.text('Profile name; empty if unknown.', 'Dana Levi'), 'conversation-text'),
  channel: channelField.describe("Channel of the client's last message, and of replies."),
  state: out.oneOf(conversationStates, 'State. A message of the client opens a closed conversation.', 'open'),
  assignee_id: out.maybeId('Id of the assigned person; null: nobody.', '1774337460000021'),
  unread: out.count('Unread messages of the client.', 1),
  label_ids: answered(z.array(z.string()), 'Labels of the conversation.', ['1774337460000062']),
  last_at: out.time('Time of the last message'),
  last_type: out.text('Kind of the last message, as in events.', 'text'),
  last_text: sensitive(out.text('Start of the last message.', 'Is it open today?'), 'conversation-text'),
  last_from_client: out.flag('Whether the client wrote it.', true),
  client_wrote_at: out.maybeTime("Time of the client's last message"),
  writer: z
    .object({
      id: out.id('Id of the person.', '1774337460000021'),
      name: out.text('Name of the person.', 'Noa Bar'),
      until: out.time('Expiry of this state unless it is renewed'),
    })
    .nullable()
    .describe('Person who is writing a reply now; null: nobody.'),
};
export const conversationAnswer = z.object(conversationFields);

/** Formats a conversation at the time `now`, in milliseconds since the epoch. */
export const showConversation = (row: Conversation, now: number): z.output<typeof conversationAnswer> =>
  show({ ...row, now });

const show = serializer(conversationAnswer, (row: Conversation & { readonly now: number }) => {
  const { channel, state, label_ids, last_id, client_at, writer_id, writing_until, now } = row;
  return {
    sender: displayRecipient(row.sender),
    client: displayRecipient(row.client),
    channel: channelName(channel),
    state: conversationStates[state]!,
    label_ids: label_ids.map(String),
    last_at: iso(timeOfId(last_id)),
    client_wrote_at: client_at === null ? null : iso(client_at),
    writer:
      writer_id === null || writing_until <= now
        ? null
        : { id: String(writer_id), name: row.writer_name ?? '', until: iso(writing_until) },
  };
});
