import { status } from '../../kit/statuses.ts';
import { CHAT_ROUTES } from './channel.ts';

/**
 * Delivery statuses of chat messages, as for SMS (server/kit/statuses.ts): -1 until there is one, 102 delivered, and
 * `read_at` when the message was opened. `code` of a failed message is its reason, in a word.
 */
export const chatStatus = {
  sent: status.sent,
  delivered: status.delivered,
  /** Refused by a rule before sending; the code is a ChatProblem. */
  refused: status.failed,
  /** The platform did not accept or deliver it; the code is a PlatformReason. */
  undelivered: status.undelivered,
  noCredit: status.noCredit,
} as const;

/** Returns the name of a business number's (E.164 digits) route and connector, in batches and leases. */
export const chatRoute = (number: string): string => CHAT_ROUTES + number;
