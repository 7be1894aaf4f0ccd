import type { SendKey } from '../../api/send-keys/send-keys.ts';

/*
 * Replies over a channel. Each channel implements them with `replies` of its module (channels/module.ts), so that
 * conversations know no channel.
 */

/** The account, its sender and the client of a reply. */
export interface ReplyAddress {
  readonly accountId: number;
  /** Our number (E.164 digits) or address. */
  readonly sender: string;
  readonly client: string;
}

/** Either reply buttons, or one button that opens something outside the chat. */
export interface ActionInput {
  readonly replies: readonly { readonly text: string; readonly id?: string | undefined }[];
  readonly opens: { readonly text: string; readonly target: string } | null;
}

export interface ButtonsInput extends ActionInput {
  readonly header: { readonly kind: 'image' | 'video' | 'document'; readonly link: string } | null;
  readonly body: string;
  readonly footer: string;
}

export interface CardInput extends ActionInput {
  /** URL of an image or video. */
  readonly media: string;
  /** Empty for none. */
  readonly body: string;
}

export interface CarouselInput {
  readonly body: string;
  readonly cards: readonly CardInput[];
}

/** Values of a template message from the caller (interface, A2); undefined or '' for missing ones. */
export interface TemplateFields {
  /** By number: `1`, `2` … */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly couponCode?: string | undefined;
  /** `dd/mm/yyyy hh:mm` in the account's time zone, or milliseconds since the epoch once parsed. */
  readonly couponExpiration?: string | number | undefined;
  /** The link for a header with media, or the variable of a header with text. */
  readonly headerLink?: string | undefined;
  readonly websiteVariable?: string | undefined;
  readonly websiteVariable2?: string | undefined;
  readonly otp?: string | undefined;
}

/** Content of a reply. A channel accepts the kinds that its `ReplyState` names. */
export type ReplyContent =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'media';
      /** Our id of a stored file (media/). */
      readonly mediaId: number;
      /** Empty for none. */
      readonly caption: string;
    }
  | ({ readonly kind: 'buttons' } & ButtonsInput)
  | ({ readonly kind: 'carousel' } & CarouselInput)
  | { readonly kind: 'template'; readonly templateId: string; readonly fields: TemplateFields };

export const replyKinds = ['text', 'media', 'buttons', 'carousel', 'template'] as const;
export type ReplyKind = (typeof replyKinds)[number];

export interface Reply extends ReplyAddress {
  readonly content: ReplyContent;
  /** Our id of the client's message to quote; undefined for none. */
  readonly replyTo?: string | undefined;
  /** Whether the client may be in another country although they have not written. */
  readonly international?: boolean | undefined;
}

export const replyProblems = ['never-written', 'window-closed', 'unanswered', 'no-sender'] as const;

/** The kinds of replies that a client can get now. */
export interface ReplyState {
  readonly kinds: readonly ReplyKind[];
  /**
   * Why some kinds cannot be sent: the client has never written, wrote more than 24 hours ago, or has not answered a
   * template; or the account no longer has the sender. Null: all kinds can be sent.
   */
  readonly problem: (typeof replyProblems)[number] | null;
  /** Time until which kinds other than templates can be sent, in milliseconds since the epoch; null: no limit. */
  readonly closesAt: number | null;
}

/** Current price of a reply. */
export interface ReplyEstimate {
  /** Ten-thousandths of a credit. */
  readonly price: number;
  /** Parts of an SMS; 1 for other channels. */
  readonly parts: number;
}

/** An accepted reply. */
export interface SentReply {
  readonly shipmentId: number;
  /** Type in events: `text`, or the kind of its file. */
  readonly type: string;
  /** Text for lists. */
  readonly text: string;
}

/** A sender of an account that clients can write to and that answers them. */
export interface ReplySender {
  /** E.164 digits, or an address. */
  readonly sender: string;
  /** Name that the account gave it; '' for none. */
  readonly name: string;
}

export interface ReplyChannel {
  /**
   * Whether clients are phone numbers whose country determines the price. Then automatic replies need the account's
   * permission for the country.
   */
  readonly pricedByCountry?: boolean;
  /** Returns the senders that can begin conversations; absent if only clients begin them. */
  senders?(accountId: number): Promise<readonly ReplySender[]>;
  state(to: ReplyAddress): Promise<ReplyState>;
  /** Checks a reply and stores nothing. Throws Refusal as `send` does, except for conditions that need locks. */
  estimate(reply: Reply): Promise<ReplyEstimate>;
  /** Accepts a reply durably. Throws Refusal; then nothing is stored or charged. */
  send(reply: Reply, sendKey: SendKey<SentReply> | undefined): Promise<SentReply>;
}
