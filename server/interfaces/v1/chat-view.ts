import { z } from 'zod';
import type { ChatView } from '../../messages/message-content.ts';
import { out } from '../openapi/out.ts';

const header = z.object({
  kind: out.oneOf(['text', 'image', 'video', 'document'], 'What it is.', 'image'),
  value: out.text('The text, or the link to the media.', 'https://example.com/spring.jpg'),
});
const buttons = z
  .array(
    z.object({
      kind: out.oneOf(['reply', 'url', 'call', 'copy'], 'What it does.', 'url'),
      text: out.text('Its label.', 'Look'),
      value: out.text(
        'The address, number or code. Of a reply its id; empty in a template.',
        'https://example.com/spring',
      ),
    }),
  )
  .describe('In their order.');
const media = z.object({
  media_id: out.id('Its id, for `GET /v1/media/{id}`.', '1774337460000002'),
  kind: out.oneOf(['image', 'video', 'audio', 'document', 'sticker'], 'What it is.', 'image'),
  file_name: out.text('Its name; empty for none.', ''),
  voice: out.flag('Whether it was recorded in the chat.', false),
});
/** A chat message as the phone shows it. */
export const chatView = z.object({
  kind: out.oneOf(['text', 'template', 'buttons', 'carousel', 'media'], 'What it was sent as.', 'template'),
  media: media.nullable().describe('The file.'),
  header: header.nullable().describe('Above the text.'),
  body: out.text('The text.', 'Hello Dana'),
  footer: out.text('Below the text; empty for none.', ''),
  offer: out.text('The name of a limited-time offer; empty for none.', ''),
  buttons,
  cards: z
    .array(z.object({ header, body: out.text('The text; empty for none.', 'Shoes'), buttons }))
    .describe('Of a carousel.'),
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
