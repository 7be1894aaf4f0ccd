import type {
  ButtonsMessage,
  CarouselMessage,
  PlatformMessage,
  TemplateMessage,
  TextMessage,
} from '../../carriers/chat-platform/messages.ts';

type Unaddressed<M extends PlatformMessage> = Omit<M, 'to' | 'reference'>;

/** What a chat message says: the platform's message without to whom. Stored as JSON where an SMS has its text. */
export type ChatContent =
  | Unaddressed<TextMessage>
  | Unaddressed<TemplateMessage>
  | Unaddressed<ButtonsMessage>
  | Unaddressed<CarouselMessage>;

/** The content as it is stored in `messages.text` or, when all messages of a shipment say the same, `shipments.text`. */
export function encodeContent(content: ChatContent): string {
  return JSON.stringify(content);
}

/** The message to hand to the platform. `text` is what `encodeContent` made; `reference` comes back with its statuses. */
export function decodeContent(text: string, to: string, reference: string): PlatformMessage {
  return { ...(JSON.parse(text) as ChatContent), to, reference } as PlatformMessage;
}
