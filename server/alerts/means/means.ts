import type { TransactionSql } from '../../database/connection.ts';
import type { Notification } from '../notifications.ts';

/** Why somebody was not told: shown in the console. */
export const alertProblems = [
  /** No relay is set up, or the channel is not there. */
  'not-set-up',
  /** Every connector that the SMS could go over is down. */
  'connector-down',
  'no-credit',
  /** The account may not send, or the number cannot be sent to. */
  'refused',
  /** The relay or carrier does not answer. */
  'unreachable',
  /** The relay refuses the mail or its recipient for good. */
  'rejected',
  /** No webhook that works wants the event. */
  'no-webhook',
  /** The rule was switched off or deleted before the notification was sent. */
  'rule-off',
  /** The owner of the address or number has not confirmed that they want alerts. */
  'not-confirmed',
  /** The budget of the account for emails of the service is used up. */
  'over-budget',
  'fault',
] as const;
export type AlertProblem = (typeof alertProblems)[number];

/** What an attempt to tell somebody came to. */
export type Outcome =
  | {
      readonly kind: 'sent';
      readonly messageId?: number;
      /** What belongs to it, in the transaction that stores the outcome. */
      readonly also?: (tx: TransactionSql) => Promise<void>;
    }
  /** It may be possible later; `failed` not. */
  | { readonly kind: 'later' | 'failed'; readonly problem: AlertProblem };

/** A way to tell somebody. Ends within 45 seconds; may be called again for one that was told, if a process was killed. */
export type Means = (notification: Notification) => Promise<Outcome>;
