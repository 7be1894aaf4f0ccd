import type { TransactionSql } from '../../../database/connection.ts';
import type { Notification } from '../notifications.ts';

/** Reasons of failed notifications, shown in the console. */
export const alertProblems = [
  /** No relay is configured, or the channel is missing. */
  'not-set-up',
  /** Every connector with a route for the SMS is down. */
  'connector-down',
  'no-credit',
  /** The account may not send, or the number is not a valid destination. */
  'refused',
  /** The relay or carrier does not answer. */
  'unreachable',
  /** The relay permanently rejects the email or its recipient. */
  'rejected',
  /** No working webhook endpoint subscribes to the event. */
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

/** Result of an attempt to notify a recipient. */
export type Outcome =
  | {
      readonly kind: 'sent';
      readonly messageId?: number;
      /** Writes that belong in the transaction that stores the outcome. */
      readonly also?: (tx: TransactionSql) => Promise<void>;
    }
  /** `later` can succeed in a later attempt, `failed` cannot. */
  | { readonly kind: 'later' | 'failed'; readonly problem: AlertProblem };

/**
 * A way to notify a recipient. Ends within 45 seconds. After a process was killed, it may run again for a notification that
 * was already sent.
 */
export type Means = (notification: Notification) => Promise<Outcome>;
