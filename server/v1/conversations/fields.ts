import { z } from 'zod';
import { type Conversation, conversationStates } from '../../conversations/rows.ts';
import { timeOfId } from '../../ids.ts';
import { iso, out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import { sensitive } from '../../interfaces/v1/field-rights.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { displayRecipient } from '../../numbers/numbers.ts';
import { channelField, channelName } from '../messages/fields.ts';

/* How conversations are shown under /v1. */

const conversationFields = {
  id: out.id('Its id.', '1774337460000061'),
  sender: out.text('Your number or address that the client wrote to.', '972550000001'),
  client: out.text(
    'The client: a number, a mail address, or the id that the chat platform gives one who hides the number.',
    '0501234567',
  ),
  client_name: sensitive(
    out.text('The name of their profile; empty where it is not known.', 'Dana Levi'),
    'conversation-text',
  ),
  channel: channelField.describe('The channel that the client wrote over last; replies go over it.'),
  state: out.oneOf(conversationStates, 'A message of the client opens a closed one.', 'open'),
  assignee_id: out.maybeId('The person who answers it; null: nobody.', '1774337460000021'),
  unread: out.count('Messages of the client that nobody has read.', 1),
  label_ids: answered(z.array(z.string()), 'Its labels.', ['1774337460000062']),
  last_at: out.time('When the last message was sent or received'),
  last_type: out.text('What the last message is, as events say it.', 'text'),
  last_text: sensitive(out.text('How the last message begins.', 'Is it open today?'), 'conversation-text'),
  last_from_client: out.flag('Whether the client wrote it.', true),
  client_wrote_at: out.maybeTime('When the client wrote last'),
  writer: z
    .object({
      id: out.id('The person.', '1774337460000021'),
      name: out.text('Their name.', 'Noa Bar'),
      until: out.time('Until when that holds without another word'),
    })
    .nullable()
    .describe('Who is writing an answer now; null: nobody.'),
};
export const conversationAnswer = z.object(conversationFields);

/** Shows a conversation at `now`, milliseconds since the epoch. */
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
