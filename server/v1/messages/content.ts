import { z } from 'zod';
import { out } from '../../interfaces/openapi/out.ts';
import { chatView, showChat } from '../../interfaces/v1/chat-view.ts';
import { sensitive } from '../../interfaces/v1/field-rights.ts';
import type { MessageContent, StoredContent } from '../../messages/message-content.ts';
import { displayRecipient } from '../../numbers/numbers.ts';
import { voices } from '../../text/voices.ts';
import { channelField, channelName, textRemoved } from './fields.ts';

/* What the recipient of a message gets, under /v1. */

const mail = z.object({
  from: z.object({
    name: out.text('The name that is shown.', 'The shop'),
    address: out.text('The address.', 'news@example.com'),
  }),
  subject: out.text('The subject.', 'Hello Dana'),
  html: out.maybeText(
    'The HTML, with the link to unsubscribe, which leads nowhere here.',
    '<p>Hello Dana</p>',
  ),
  text: out.maybeText('The plain text.', null),
});
const call = z.object({
  text: out.text('What is read aloud.', 'Your parcel is at the door'),
  voice: out.oneOf(voices, 'Who says it.', voices[0]),
  rate: out.count('How fast, -10 to 10.', 0),
  repeat: out.count('How often it is said.', 2),
});

const masked = <T extends z.ZodType>(schema: T, description: string) =>
  sensitive(schema.nullable().describe(description), 'message-text');

export const contentAnswer = z.object({
  channel: channelField,
  message_id: out.maybeText('The message; null for a campaign without messages yet.', '1774337460000002'),
  recipient: out.maybeText('Its recipient.', '0501234567'),
  text: sensitive(
    out.maybeText('The text; of a chat message the body. Null for a mail.', 'Spring is here'),
    'message-text',
  ),
  chat: masked(chatView, 'A chat message as the phone shows it; of a template with its values.'),
  mail: masked(mail, 'A mail with the fields of its recipient.'),
  call: masked(call, 'A text that is read aloud; `POST /v1/speech/preview` makes the sound.'),
  text_removed: textRemoved,
});

/** Shows what a recipient gets. */
export const showContent = (
  { channel, messageId, recipient }: StoredContent,
  { text, chat, mail, call, isRemoved }: MessageContent,
): z.output<typeof contentAnswer> => ({
  channel: channelName(channel),
  message_id: messageId === null ? null : String(messageId),
  recipient: recipient === null ? null : displayRecipient(recipient),
  text,
  chat: chat && showChat(chat),
  mail,
  call,
  text_removed: isRemoved,
});
