import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { SandboxTemplate } from './prepared.ts';

/** A send, as hooks receive it. */
interface SandboxSend {
  /** The business number's id. */
  readonly phoneNumberId: string;
  /** Recipient, digits. */
  readonly to: string;
  readonly reference: string;
}

/** Behaviour of the platform. `change` changes it at run time. Times are milliseconds. */
export class SandboxPlatformBehaviour {
  /** From the acceptance of a message to its status `sent`. */
  sentDelayMs = 50;
  /** From `sent` to the arrival at the phone and the status `delivered`. */
  deliveredDelayMs = 250;
  /** From `delivered` to `read`. */
  readDelayMs = 1_000;
  /** Whether phones send read receipts. */
  reads = true;
  /** From the submission of a template to its review, and the default pause between later steps of a review. */
  reviewDelayMs = 1_000;
  /** Messages per second from one business number; further ones are answered with 130429. 0 means no limit. */
  messagesPerSecond = 0;
  /**
   * Pause between messages to one recipient after a burst of `pairBurst`; earlier ones are answered with 131056. 0
   * means no limit.
   */
  pairPauseMs = 0;
  pairBurst = 1;
  /** Whether free-form messages fail without a message of the recipient in the last 24 hours. */
  enforcesWindow = true;
  /** Pause before the answer to a send; Infinity never answers. */
  answerDelayMs = 0;
  /** Returns an error code that rejects a send; undefined for normal processing. */
  refuse: ((send: SandboxSend) => number | undefined) | null = null;
  /** Called for every accepted message. */
  onSend: ((send: SandboxSend, platformId: string) => void) | null = null;
  /** Returns the platform's rating of a business number, by its id: GREEN, YELLOW, RED; null rates none of them. */
  rate: ((phoneNumberId: string) => string) | null = null;
  /**
   * Called when a file is looked up, downloaded or uploaded. Returns an HTTP status to answer with, `half` to send half
   * of the file and then nothing, or undefined for normal processing.
   */
  onMedia: ((step: 'find' | 'download' | 'upload', id: string) => number | 'half' | undefined) | null = null;
  /** Maximum notifications per webhook request. */
  webhookBatch = 200;
  /** Maximum webhook requests under way. */
  webhookConnections = 4;
  /** First pause before a failed webhook request is repeated; it doubles up to 64 times this value. */
  webhookRetryMs = 250;
  /** How many times each webhook request is sent. */
  webhookCopies = 1;
  /** Sends all statuses of a message together, the last one first. */
  reversedStatuses = false;
  /** False stores no messages, for measurements. */
  keepsMessages = true;
}

export const defaultBehaviour: Readonly<SandboxPlatformBehaviour> = new SandboxPlatformBehaviour();

/** A business account on the sandbox's platform. */
export interface SandboxBusiness {
  readonly accountId: string;
  /** Access token of its API calls. */
  readonly token: string;
  readonly numbers: readonly { readonly phoneNumberId: string /** Digits. */; readonly number: string }[];
  /** Templates at the start, in the given stage of their review. */
  readonly templates?: readonly SandboxTemplate[];
}

export interface SandboxChatPlatformOptions extends Partial<SandboxPlatformBehaviour> {
  readonly appId: string;
  /** Signs webhooks. */
  readonly appSecret: string;
  readonly businesses: readonly SandboxBusiness[];
  /** Destination of webhooks; `subscribe` sets it later. Until then webhooks wait. */
  readonly callbackUrl?: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns the ending of a number, which decides the outcome of its messages; its last digits by default. */
  readonly endingOf?: (number: string) => string;
  /**
   * Called with all templates of the account when one was created, deleted or reviewed, so that they survive restarts.
   */
  readonly onTemplates?: (accountId: string, templates: readonly SandboxTemplate[]) => void;
}
