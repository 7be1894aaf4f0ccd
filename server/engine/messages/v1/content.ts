import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { chatView, showChat } from '../../../api/v1/chat-view.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { displayRecipient } from '../../../kit/numbers/phone-numbers.ts';
import { voices } from '../../../kit/text/voices.ts';
import type { MessageContent, StoredContent } from '../message-content.ts';
import { channelField, channelName, textRemoved } from './fields.ts';

/* Content of a message as its recipient sees it, under /v1. */

const mail = z.object({
  from: z.object({
    name: out.text('Displayed name of the sender.', 'The shop'),
    address: out.text('Email address.', 'news@example.com'),
  }),
  subject: out.text('Subject of the email.', 'Hello Dana'),
  html: out.maybeText('HTML of the email; its unsubscribe link has no effect here.', '<p>Hello Dana</p>'),
  text: out.maybeText('Plain text of the email.', null),
});
const call = z.object({
  text: out.text('Text to be spoken.', 'Your parcel is at the door'),
  voice: out.oneOf(voices, 'Voice.', voices[0]),
  rate: out.count('Speech rate, -10 to 10.', 0),
  repeat: out.count('Number of times that the text is spoken.', 2),
});

const masked = <T extends z.ZodType>(schema: T, description: string) =>
  sensitive(schema.nullable().describe(description), 'message-text');

export const contentAnswer = z.object({
  channel: channelField,
  message_id: out.maybeText(
    'Id of the message; null for a campaign without messages yet.',
    '1774337460000002',
  ),
  recipient: out.maybeText('Recipient of the message.', '0501234567'),
  text: sensitive(
    out.maybeText('Text of an SMS, or body of a chat message. Null for email.', 'Spring is here'),
    'message-text',
  ),
  chat: masked(chatView, 'Chat message as the phone shows it; for a template with its values.'),
  mail: masked(mail, 'Email with the fields of its recipient.'),
  call: masked(call, 'Text read aloud in a call; `POST /v1/speech/preview` returns the audio.'),
  text_removed: textRemoved,
});

/** Formats the content that a recipient sees. */
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
