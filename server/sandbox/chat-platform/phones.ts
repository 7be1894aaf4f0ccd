import { SimulatedPhones } from '../inbox.ts';

/** A button as the phone shows it. */
export type ChatButton =
  /** Sends its text back. `payload` is that of a template's quick reply; null for the buttons of free-form messages. */
  | { readonly type: 'reply'; readonly id: string; readonly text: string; readonly payload: string | null }
  | { readonly type: 'url'; readonly text: string; readonly url: string }
  | { readonly type: 'call'; readonly text: string; readonly number: string }
  | { readonly type: 'copy'; readonly text: string; readonly code: string };

/** The top of a message or card. */
export type ChatHeader =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video' | 'document'; readonly link: string };

export interface ChatCard {
  readonly header: ChatHeader;
  readonly body: string;
  readonly buttons: readonly ChatButton[];
}

/** A file as the phone shows it. */
export interface ChatMedia {
  readonly type: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  /** Where a browser gets it: a path of the sandbox API, or the link of the business. */
  readonly url: string;
  /** Empty where only a link is known. */
  readonly mimeType: string;
  /** Empty for none. */
  readonly fileName: string;
  /** Recorded in the chat. */
  readonly voice: boolean;
}

/** A place on the map. */
export interface ChatLocation {
  readonly latitude: number;
  readonly longitude: number;
  /** Empty for none. */
  readonly name: string;
}

/** What of a message does not depend on its way. */
export interface ChatContent {
  readonly type: 'text' | 'template' | 'buttons' | 'carousel' | 'media';
  readonly media: ChatMedia | null;
  readonly header: ChatHeader | null;
  readonly body: string;
  readonly footer: string;
  readonly buttons: readonly ChatButton[];
  readonly cards: readonly ChatCard[];
}

/** A chat message as the phone shows it. */
export interface ChatPhoneMessage extends ChatContent {
  /** The platform's id. */
  readonly id: string;
  /** The business number, digits. */
  readonly from: string;
  /** Id of the message that it quotes; null for none. */
  readonly replyTo: string | null;
  /** Name of the template; null for other messages. */
  readonly template: string | null;
  /** When it arrived, as an ISO 8601 time. */
  readonly at: string;
}

/** A chat message that a phone sent, a press of a button too. */
interface SentChat {
  /** The platform's id. */
  readonly id: string;
  /** The business number, digits. */
  readonly to: string;
  /** Of a press, the button's; of a file, its caption. */
  readonly text: string;
  readonly media: ChatMedia | null;
  readonly location: ChatLocation | null;
  /** Id of the message that it answers; null for none. */
  readonly replyTo: string | null;
  /** As an ISO 8601 time. */
  readonly at: string;
}

/** The chat app of the simulated phones. */
export class ChatPhones extends SimulatedPhones<ChatPhoneMessage, SentChat> {
  /** Messages that arrived since the start, kept or not. */
  count = 0;
}

/** The buttons of a message and of its cards. */
export function buttonsOf(message: ChatContent): ChatButton[] {
  return [...message.buttons, ...message.cards.flatMap((card) => card.buttons)];
}
