import type { ErrorMeaning } from './errors.ts';
import type { IncomingContent } from './incoming-content.ts';
import type { JsonObject } from './json.ts';
import type { TemplateStatus } from './template-status.ts';

/*
 * What the platform's webhooks tell, as the rest of the service knows it (webhooks.ts reads them).
 */

export interface PlatformError extends ErrorMeaning {
  readonly code: number;
  /** The platform's own words. */
  readonly title: string;
}

/** The business number that a fact is about. */
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
  /** Digits; empty where the platform hides the recipient's number. */
  readonly recipient: string;
  /** What the send carried as `reference`; empty when it carried none. */
  readonly reference: string;
  /** Set when the status is `failed`. */
  readonly error: PlatformError | null;
}

export interface MessageFact extends AtNumber {
  readonly kind: 'message';
  readonly platformId: string;
  /** Digits; empty where the platform hides the number, who has only a `userId` then. */
  readonly from: string;
  /** Stands for the client towards this business; empty where the platform does not say. */
  readonly userId: string;
  /** The names that the client has given themselves: that of the profile, and the unique one. */
  readonly name: string;
  readonly username: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The platform's id of the message that was quoted, or whose button was pressed; empty for none. */
  readonly replyTo: string;
  readonly content: IncomingContent;
  /** How it came about (incoming-content.ts); null when there is nothing to say. */
  readonly origin: JsonObject | null;
}

export interface TemplateStatusFact {
  readonly kind: 'template-status';
  /** The business account. */
  readonly accountId: string;
  readonly templateId: string;
  readonly name: string;
  readonly language: string;
  /** Null when the event changes nothing that the code tells. */
  readonly status: TemplateStatus | null;
  /** The platform's words. */
  readonly event: string;
  readonly reason: string;
  readonly at: number;
}

/** A message that was written on the phone of the business number: `from`, `userId` and the names are those of the client. */
export interface EchoFact extends Omit<MessageFact, 'kind'> {
  readonly kind: 'echo';
}

/** A client wants no marketing messages any more, or wants them again. */
export interface PreferenceFact extends AtNumber {
  readonly kind: 'preference';
  /** As in MessageFact. */
  readonly from: string;
  readonly userId: string;
  readonly stops: boolean;
  readonly at: number;
}

/** How many clients a business account may write to first within 24 hours. */
export interface TierFact {
  readonly kind: 'tier';
  /** The business account. */
  readonly accountId: string;
  /** Null for one that is told in a way that is not known. */
  readonly tier: number | null;
  /** The platform's words. */
  readonly limit: string;
  readonly at: number;
}

/** The parts of a template have changed. */
interface TemplateChangedFact {
  readonly kind: 'template-changed';
  /** The business account. */
  readonly accountId: string;
}

/** The category of a template has changed, or will. */
export interface TemplateCategoryFact {
  readonly kind: 'template-category';
  /** The business account. */
  readonly accountId: string;
  readonly templateId: string;
  readonly name: string;
  readonly language: string;
  /** The platform's words: what it was before (of a change that was made), and what it is now. */
  readonly previous: string;
  readonly category: string;
  /** What it will be; empty where nothing is to change. */
  readonly next: string;
  /** From when, in milliseconds since the epoch; null where the platform does not say. */
  readonly changesAt: number | null;
  readonly at: number;
}

/** What a standing is about: the business account as a whole, or (`name`, `quality`) one of its numbers. */
export type StandingTopic =
  | 'ban'
  | 'restriction'
  | 'violation'
  | 'connection'
  | 'review'
  | 'alert'
  | 'name'
  | 'quality';

/** Something that a business account may not do, until a time (milliseconds since the epoch) or for good. */
export interface Restriction {
  readonly type: string;
  readonly until: number | null;
}

/** How a business account, or one of its numbers, stands with the platform from now on. */
export interface StandingFact {
  readonly kind: 'standing';
  /** The business account. */
  readonly accountId: string;
  readonly topic: StandingTopic;
  /** Digits, as the platform displays it, of a number; empty: the business account as a whole. */
  readonly businessNumber: string;
  /** The platform's word for how it stands, and for why; the latter is empty where it does not say. */
  readonly word: string;
  readonly reason: string;
  /** Of topic `restriction`; otherwise none. */
  readonly restrictions: readonly Restriction[];
  readonly at: number;
}

/** Another change of a business account: its prices, its partners, its country. */
interface AccountFact {
  readonly kind: 'account';
  readonly accountId: string;
  /** The platform's word. */
  readonly event: string;
}

/** How clients receive a template, by what they report. */
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

/** The platform reports a trouble of the number or the app, not of a message. */
interface TroubleFact extends AtNumber {
  readonly kind: 'trouble';
  readonly error: PlatformError;
}

/** Something that this version does not know. */
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
