import type { ErrorMeaning } from './errors.ts';
import type { IncomingContent } from './incoming-content.ts';
import type { JsonObject } from './json.ts';
import type { TemplateStatus } from './template-status.ts';

/*
 * Facts that the platform's webhooks report, in the form that the rest of the service uses (webhooks.ts parses them).
 */

export interface PlatformError extends ErrorMeaning {
  readonly code: number;
  /** The platform's error title. */
  readonly title: string;
}

/** Business number to which a fact belongs. */
export interface AtNumber {
  readonly phoneNumberId: string;
  /** Digits, as the platform displays it. */
  readonly businessNumber: string;
}

export interface StatusFact extends AtNumber {
  readonly kind: 'status';
  readonly platformId: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Digits; empty when the platform hides the recipient's number. */
  readonly recipient: string;
  /** `reference` of the sent message; empty when it had none. */
  readonly reference: string;
  /** Set when the status is `failed`. */
  readonly error: PlatformError | null;
}

export interface MessageFact extends AtNumber {
  readonly kind: 'message';
  readonly platformId: string;
  /** Digits; empty when the platform hides the number. Such a client has only a `userId`. */
  readonly from: string;
  /** Identifies the client towards this business; empty when the platform does not send it. */
  readonly userId: string;
  /** The client's profile name and unique user name. */
  readonly name: string;
  readonly username: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The platform's id of the message that was quoted or whose button was pressed; otherwise empty. */
  readonly replyTo: string;
  readonly content: IncomingContent;
  /** Where the message came from (incoming-content.ts); null when the platform says nothing. */
  readonly origin: JsonObject | null;
}

export interface TemplateStatusFact {
  readonly kind: 'template-status';
  /** Id of the business account. */
  readonly accountId: string;
  readonly templateId: string;
  readonly name: string;
  readonly language: string;
  /** Null when the event does not change the status code. */
  readonly status: TemplateStatus | null;
  /** The platform's name of the event. */
  readonly event: string;
  readonly reason: string;
  readonly at: number;
}

/** A message written on the phone of the business number. `from`, `userId` and the names are those of the client. */
export interface EchoFact extends Omit<MessageFact, 'kind'> {
  readonly kind: 'echo';
}

/** A client opted out of marketing messages, or opted in again. */
export interface PreferenceFact extends AtNumber {
  readonly kind: 'preference';
  /** As in MessageFact. */
  readonly from: string;
  readonly userId: string;
  readonly stops: boolean;
  readonly at: number;
}

/** Number of clients that a business account may contact first within 24 hours. */
export interface TierFact {
  readonly kind: 'tier';
  /** Id of the business account. */
  readonly accountId: string;
  /** Null when the limit has an unknown form. */
  readonly tier: number | null;
  /** The limit as the platform wrote it. */
  readonly limit: string;
  readonly at: number;
}

/** The content of a template has changed. */
interface TemplateChangedFact {
  readonly kind: 'template-changed';
  /** Id of the business account. */
  readonly accountId: string;
}

/** The category of a template has changed, or will change. */
export interface TemplateCategoryFact {
  readonly kind: 'template-category';
  /** Id of the business account. */
  readonly accountId: string;
  readonly templateId: string;
  readonly name: string;
  readonly language: string;
  /** Categories in the platform's spelling: before a completed change (`previous`), and now (`category`). */
  readonly previous: string;
  readonly category: string;
  /** Announced category; empty when no change is announced. */
  readonly next: string;
  /** Time of the announced change, in milliseconds since the epoch; null when the platform does not name it. */
  readonly changesAt: number | null;
  readonly at: number;
}

/** Subject of a standing: the business account as a whole, or one of its numbers (`name`, `quality`). */
export type StandingTopic =
  | 'ban'
  | 'restriction'
  | 'violation'
  | 'connection'
  | 'review'
  | 'alert'
  | 'name'
  | 'quality';

/** An action that a business account must not take, until a time (milliseconds since the epoch) or permanently. */
export interface Restriction {
  readonly type: string;
  readonly until: number | null;
}

/** New standing of a business account, or of one of its numbers, with the platform. */
export interface StandingFact {
  readonly kind: 'standing';
  /** Id of the business account. */
  readonly accountId: string;
  readonly topic: StandingTopic;
  /** Digits of a number, as the platform displays it; empty for the business account as a whole. */
  readonly businessNumber: string;
  /** The platform's name of the standing and of its reason; the reason is empty when the platform gives none. */
  readonly word: string;
  readonly reason: string;
  /** Filled for the topic `restriction`; otherwise empty. */
  readonly restrictions: readonly Restriction[];
  readonly at: number;
}

/** Another change of a business account, for example of its prices, partners or country. */
interface AccountFact {
  readonly kind: 'account';
  readonly accountId: string;
  /** The platform's name of the event. */
  readonly event: string;
}

/** Quality of a template, based on reports of recipients. */
export interface TemplateQualityFact {
  readonly kind: 'template-quality';
  readonly accountId: string;
  readonly templateId: string;
  readonly name: string;
  readonly language: string;
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`. */
  readonly quality: string;
  readonly at: number;
}

/** A problem of the number or the app, not of a message. */
interface TroubleFact extends AtNumber {
  readonly kind: 'trouble';
  readonly error: PlatformError;
}

/** A notification of a kind that this version does not know. */
export interface UnknownFact {
  readonly kind: 'unknown';
  readonly field: string;
}

export type PlatformFact =
  | StatusFact
  | MessageFact
  | EchoFact
  | PreferenceFact
  | TierFact
  | TemplateChangedFact
  | TemplateCategoryFact
  | StandingFact
  | AccountFact
  | TemplateStatusFact
  | TemplateQualityFact
  | TroubleFact
  | UnknownFact;
