import type { Clock } from '../../clock.ts';
import type { Logger } from '../../observability/log.ts';
import type { SandboxTemplate } from './prepared.ts';

/** A send as hooks see it. */
interface SandboxSend {
  /** The business number's id. */
  readonly phoneNumberId: string;
  /** Recipient, digits. */
  readonly to: string;
  readonly reference: string;
}

/** How the platform behaves. All of it can be changed while it runs, with `change`. Times are milliseconds. */
export class SandboxPlatformBehaviour {
  /** From the acceptance of a message to its status `sent`. */
  sentDelayMs = 50;
  /** From `sent` to the phone, and to the status `delivered`. */
  deliveredDelayMs = 250;
  /** From `delivered` to `read`. */
  readDelayMs = 1_000;
  /** Whether phones send read receipts. */
  reads = true;
  /** From the submission of a template to its review, and between what a review's later steps are. */
  reviewDelayMs = 1_000;
  /** Messages a second from one business number; more are answered with 130429. 0 is no limit. */
  messagesPerSecond = 0;
  /** Pause between messages to one recipient after a burst of `pairBurst`; sooner ones get 131056. 0 is no limit. */
  pairPauseMs = 0;
  pairBurst = 1;
  /** Whether free-form messages need a message of the recipient's in the last 24 hours; without it they fail. */
  enforcesWindow = true;
  /** Pause before the answer to a send; Infinity never answers. */
  answerDelayMs = 0;
  /** An error code to refuse a send with; undefined takes the usual course. */
  refuse: ((send: SandboxSend) => number | undefined) | null = null;
  /** Called for every message that was taken. */
  onSend: ((send: SandboxSend, platformId: string) => void) | null = null;
  /** The platform's rating of a business number, by its id: GREEN, YELLOW, RED; null rates none. */
  rate: ((phoneNumberId: string) => string) | null = null;
  /**
   * Called when a file is looked up or downloaded. An HTTP status answers with that; `half` sends half of the file, and then
   * nothing; undefined takes the usual course.
   */
  onMedia: ((step: 'find' | 'download' | 'upload', id: string) => number | 'half' | undefined) | null = null;
  /** Notifications of one webhook request at most. */
  webhookBatch = 200;
  /** Webhook requests under way at a time. */
  webhookConnections = 4;
  /** First pause before a webhook request that failed is sent again; it doubles up to 64 times that. */
  webhookRetryMs = 250;
  /** How many times each webhook request is sent. */
  webhookCopies = 1;
  /** Brings all statuses of a message together, the last one first. */
  reversedStatuses = false;
  /** False keeps nothing of messages, for measuring. */
  keepsMessages = true;
}

export const defaultBehaviour: Readonly<SandboxPlatformBehaviour> = new SandboxPlatformBehaviour();

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
  /** The ending of a number, which its messages go by; its last digits by default. */
  readonly endingOf?: (number: string) => string;
  /** Called when a template was made, deleted or reviewed, with all that the account has: to be kept over restarts. */
  readonly onTemplates?: (accountId: string, templates: readonly SandboxTemplate[]) => void;
}
