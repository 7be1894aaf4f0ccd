import { SimulatedPhones } from '../inbox.ts';

/** A button in the phone's display. */
export type ChatButton =
  /** Sends its text back. `payload` belongs to a template's quick reply; null for the buttons of free-form messages. */
  | { readonly type: 'reply'; readonly id: string; readonly text: string; readonly payload: string | null }
  | { readonly type: 'url'; readonly text: string; readonly url: string }
  | { readonly type: 'call'; readonly text: string; readonly number: string }
  | { readonly type: 'copy'; readonly text: string; readonly code: string };

/** Header of a message or card. */
export type ChatHeader =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video' | 'document'; readonly link: string };

export interface ChatCard {
  readonly header: ChatHeader;
  readonly body: string;
  readonly buttons: readonly ChatButton[];
}

/** A file in the phone's display. */
export interface ChatMedia {
  readonly type: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  /** Address for a browser: a path of the sandbox API, or the link of the business. */
  readonly url: string;
  /** Empty when only a link exists. */
  readonly mimeType: string;
  /** May be empty. */
  readonly fileName: string;
  /** Whether it was recorded in the chat. */
  readonly voice: boolean;
}

/** A place on the map. */
export interface ChatLocation {
  readonly latitude: number;
  readonly longitude: number;
  /** May be empty. */
  readonly name: string;
}

/** Content of a message, the same in both directions. */
export interface ChatContent {
  readonly type: 'text' | 'template' | 'buttons' | 'carousel' | 'media';
  readonly media: ChatMedia | null;
  readonly header: ChatHeader | null;
  readonly body: string;
  readonly footer: string;
  readonly buttons: readonly ChatButton[];
  readonly cards: readonly ChatCard[];
}

/** A chat message in the phone's display. */
export interface ChatPhoneMessage extends ChatContent {
  /** The platform's id. */
  readonly id: string;
  /** The business number, digits. */
  readonly from: string;
  /** Id of the message that it quotes; otherwise null. */
  readonly replyTo: string | null;
  /** Name of the template; null for other messages. */
  readonly template: string | null;
  /** Time of arrival (ISO 8601). */
  readonly at: string;
}

/** A chat message that a phone sent, including presses of buttons. */
interface SentChat {
  /** The platform's id. */
  readonly id: string;
  /** The business number, digits. */
  readonly to: string;
  /** Text of the pressed button, caption of a file, or text of the message. */
  readonly text: string;
  readonly media: ChatMedia | null;
  readonly location: ChatLocation | null;
  /** Id of the message that it answers; otherwise null. */
  readonly replyTo: string | null;
  /** ISO 8601 time. */
  readonly at: string;
}

/** The chat app of the simulated phones. */
export class ChatPhones extends SimulatedPhones<ChatPhoneMessage, SentChat> {
  /** Number of messages that arrived since the start, including those no longer kept. */
  count = 0;
}

/** Returns the buttons of a message and of its cards. */
export function buttonsOf(message: ChatContent): ChatButton[] {
  return [...message.buttons, ...message.cards.flatMap((card) => card.buttons)];
}
