import { status } from '../../statuses.ts';
import { CHAT_ROUTES } from './channel.ts';

/**
 * Chat messages have the delivery statuses of SMS (server/statuses.ts): -1 until there is one, 102 delivered, and
 * `read_at` when it was opened. `code` of one that failed is its reason, in a word.
 */
export const chatStatus = {
  sent: status.sent,
  delivered: status.delivered,
  /** Not sent, by a rule; the code is a ChatProblem. */
  refused: status.failed,
  /** The platform did not take or deliver it; the code is a PlatformReason. */
  undelivered: status.undelivered,
  noCredit: status.noCredit,
} as const;

/** The route and the link of a business number (E.164 digits), in batches and leases. */
export const chatRoute = (number: string): string => CHAT_ROUTES + number;
