import { z } from 'zod';
import type { ChatView } from '../../engine/messages/message-content.ts';
import { out } from '../openapi/out.ts';

const header = z.object({
  kind: out.oneOf(['text', 'image', 'video', 'document'], 'Kind of the header.', 'image'),
  value: out.text('Text, or the link to the media.', 'https://example.com/spring.jpg'),
});
const buttons = z
  .array(
    z.object({
      kind: out.oneOf(['reply', 'url', 'call', 'copy'], 'Kind of the button.', 'url'),
      text: out.text('Label of the button.', 'Look'),
      value: out.text(
        'Address, number or code; for a reply its id; empty in a template.',
        'https://example.com/spring',
      ),
    }),
  )
  .describe('Buttons in their order.');
const media = z.object({
  media_id: out.id('Id of the file, for `GET /v1/media/{id}`.', '1774337460000002'),
  kind: out.oneOf(['image', 'video', 'audio', 'document', 'sticker'], 'Kind of the file.', 'image'),
  file_name: out.text('Name of the file; empty without one.', ''),
  voice: out.flag('Whether it was recorded in the chat.', false),
});
/** A chat message, as the phone displays it. */
export const chatView = z.object({
  kind: out.oneOf(['text', 'template', 'buttons', 'carousel', 'media'], 'Kind of the message.', 'template'),
  media: media.nullable().describe('File of the message.'),
  header: header.nullable().describe('Header above the text; null without one.'),
  body: out.text('Text of the message.', 'Hello Dana'),
  footer: out.text('Footer below the text; empty without one.', ''),
  offer: out.text('Title of a limited-time offer; empty without one.', ''),
  buttons,
  cards: z
    .array(z.object({ header, body: out.text('Text; empty without one.', 'Shoes'), buttons }))
    .describe('Cards of a carousel.'),
});
export const showChat = (chat: ChatView): z.output<typeof chatView> => ({
  ...chat,
  media: chat.media && {
    media_id: String(chat.media.mediaId),
    kind: chat.media.kind,
    file_name: chat.media.fileName,
    voice: chat.media.isVoice,
  },
  buttons: [...chat.buttons],
  cards: chat.cards.map((card) => ({ ...card, buttons: [...card.buttons] })),
});
