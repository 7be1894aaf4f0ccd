import type { SendKey } from '../send-keys/send-keys.ts';

/*
 * How a client is answered over a channel. A channel says it with `replies` of its module (channels/module.ts); what answers
 * knows no channel.
 */

/** A client, and the sender of ours that answers. */
export interface ReplyAddress {
  readonly accountId: number;
  /** Our number (E.164 digits) or address. */
  readonly sender: string;
  readonly client: string;
}

/** Replies, or one button that opens something outside the chat: one of the two. */
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
  /** The address of a picture or film. */
  readonly media: string;
  /** Empty for none. */
  readonly body: string;
}

export interface CarouselInput {
  readonly body: string;
  readonly cards: readonly CardInput[];
}

/** The values of a template message as they are given (interface, A2); undefined or '' for one that is not. */
export interface TemplateFields {
  /** By number: `1`, `2` … */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly couponCode?: string | undefined;
  /** `dd/mm/yyyy hh:mm` in the account's time zone, or milliseconds since the epoch when it was read before. */
  readonly couponExpiration?: string | number | undefined;
  /** The link for a header with media, or the variable of one with text. */
  readonly headerLink?: string | undefined;
  readonly websiteVariable?: string | undefined;
  readonly websiteVariable2?: string | undefined;
  readonly otp?: string | undefined;
}

/** What a reply says. A channel takes the kinds that its `ReplyState` names. */
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
  /** Whether the client may be of another country though they have not written. */
  readonly international?: boolean | undefined;
}

export const replyProblems = ['never-written', 'window-closed', 'unanswered', 'no-sender'] as const;

/** How a client can be answered now. */
export interface ReplyState {
  readonly kinds: readonly ReplyKind[];
  /**
   * Why not everything can be sent: the client has never written, wrote over 24 hours ago, or has not answered a template; the
   * account does not have the sender any more. Null: nothing is in the way.
   */
  readonly problem: (typeof replyProblems)[number] | null;
  /** Until when kinds other than templates can be sent, in milliseconds since the epoch; null: that does not end. */
  readonly closesAt: number | null;
}

/** What a reply would cost now. */
export interface ReplyEstimate {
  /** Ten-thousandths of a credit. */
  readonly price: number;
  /** Of an SMS; 1 of other channels. */
  readonly parts: number;
}

/** An accepted reply. */
export interface SentReply {
  readonly shipmentId: number;
  /** What it is, as events say it: `text`, or the kind of its file. */
  readonly type: string;
  /** What it says, for lists. */
  readonly text: string;
}

/** A sender of an account that clients can write to and are answered from. */
export interface ReplySender {
  /** E.164 digits, or an address. */
  readonly sender: string;
  /** What the account calls it; '' for nothing. */
  readonly name: string;
}

export interface ReplyChannel {
  /** Whether clients are phone numbers whose country decides the price, so that automatic replies need its permission. */
  readonly pricedByCountry?: boolean;
  /** The senders that conversations can be begun from; absent where clients alone begin them. */
  senders?(accountId: number): Promise<readonly ReplySender[]>;
  state(to: ReplyAddress): Promise<ReplyState>;
  /** Checks a reply, and stores nothing. Throws Refusal as `send` does, but for what is known under locks only. */
  estimate(reply: Reply): Promise<ReplyEstimate>;
  /** Accepts a reply durably. Throws Refusal; then nothing is stored and nothing charged. */
  send(reply: Reply, sendKey: SendKey<SentReply> | undefined): Promise<SentReply>;
}
