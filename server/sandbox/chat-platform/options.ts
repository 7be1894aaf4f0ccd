import type { Clock } from '../../clock.ts';
import type { Logger } from '../../observability/log.ts';
import type { SandboxTemplate } from './templates.ts';

/** A send as hooks see it. */
interface SandboxSend {
  /** The business number's id. */
  readonly phoneNumberId: string;
  /** Recipient, digits. */
  readonly to: string;
  readonly reference: string;
}

/** How the platform behaves. All of it can be changed while it runs, with `change`. Times are milliseconds. */
export interface SandboxPlatformBehaviour {
  /** From the acceptance of a message to its status `sent`. */
  sentDelayMs: number;
  /** From `sent` to the phone, and to the status `delivered`. */
  deliveredDelayMs: number;
  /** From `delivered` to `read`. */
  readDelayMs: number;
  /** Whether phones send read receipts. */
  reads: boolean;
  /** From the submission of a template to its review, and between what a review's later steps are. */
  reviewDelayMs: number;
  /** Messages a second from one business number; more are answered with 130429. 0 is no limit. */
  messagesPerSecond: number;
  /** Pause between messages to one recipient after a burst of `pairBurst`; sooner ones get 131056. 0 is no limit. */
  pairPauseMs: number;
  pairBurst: number;
  /** Whether free-form messages need a message of the recipient's in the last 24 hours; without it they fail. */
  enforcesWindow: boolean;
  /** Pause before the answer to a send; Infinity never answers. */
  answerDelayMs: number;
  /** An error code to refuse a send with; undefined takes the usual course. */
  refuse: ((send: SandboxSend) => number | undefined) | null;
  /** Called for every message that was taken. */
  onSend: ((send: SandboxSend, platformId: string) => void) | null;
  /** Notifications of one webhook request at most. */
  webhookBatch: number;
  /** Webhook requests under way at a time. */
  webhookConnections: number;
  /** First pause before a webhook request that failed is sent again; it doubles up to 64 times that. */
  webhookRetryMs: number;
  /** How many times each webhook request is sent. */
  webhookCopies: number;
  /** Brings all statuses of a message together, the last one first. */
  reversedStatuses: boolean;
  /** False keeps nothing of messages, for measuring. */
  keepsMessages: boolean;
}

export const defaultBehaviour: SandboxPlatformBehaviour = {
  sentDelayMs: 50,
  deliveredDelayMs: 250,
  readDelayMs: 1_000,
  reads: true,
  reviewDelayMs: 1_000,
  messagesPerSecond: 0,
  pairPauseMs: 0,
  pairBurst: 1,
  enforcesWindow: true,
  answerDelayMs: 0,
  refuse: null,
  onSend: null,
  webhookBatch: 200,
  webhookConnections: 4,
  webhookRetryMs: 250,
  webhookCopies: 1,
  reversedStatuses: false,
  keepsMessages: true,
};

/** A business account on the sandbox's platform. */
export interface SandboxBusiness {
  readonly accountId: string;
  /** What its calls bear. */
  readonly token: string;
  readonly numbers: readonly { readonly phoneNumberId: string /** Digits. */; readonly number: string }[];
  /** There from the start, as far as their review has come. */
  readonly templates?: readonly SandboxTemplate[];
}

export interface SandboxChatPlatformOptions extends Partial<SandboxPlatformBehaviour> {
  readonly appId: string;
  /** Signs webhooks. */
  readonly appSecret: string;
  readonly businesses: readonly SandboxBusiness[];
  /** Where webhooks go; `subscribe` sets it later. Until then they wait. */
  readonly callbackUrl?: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a template was made, deleted or reviewed, with all that the account has: to be kept over restarts. */
  readonly onTemplates?: (accountId: string, templates: readonly SandboxTemplate[]) => void;
}
