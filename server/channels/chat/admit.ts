import type { TransactionSql } from '../../database/connection.ts';
import type { ChatProblem } from '../../kit/errors.ts';
import type { PriceFinder } from '../../modules/accounts/prices.ts';
import { countInMonth, extraPrice } from './billing.ts';
import type { ChatNumber } from './business-numbers.ts';
import { pricedAs } from './clients.ts';
import { reserveQuota } from './messaging-limit.ts';
import {
  afterMessage,
  isConversationOpen,
  isCountedInMonth,
  isCustomerWindowOpen,
  lockWindows,
  type MessageKind,
  minutesLeft,
  newWindow,
  saveWindows,
  type Window,
  type WindowChange,
  windowProblem,
} from './windows.ts';

interface AdmitDeps {
  /**
   * The price of a conversation, from `Prices.of(accountId, CHAT_PRICES)`. Read before the transaction, because waiting
   * for a second connection while holding locks could deadlock.
   */
  readonly priceOf: PriceFinder;
  /** Milliseconds after which unanswered templates are forgotten; 0: they count until the client writes. */
  readonly forgetUnansweredMs: number;
}

/** Name of the channel in the price list. */
export const CHAT_PRICES = 'chat';

export interface AdmitRequest {
  readonly number: Pick<ChatNumber, 'accountId' | 'phone' | 'portfolioId'>;
  /** E.164 digits, or ids of clients who hide their number, without duplicates. */
  readonly clients: readonly string[];
  readonly kind: MessageKind;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The account's time zone, for calendar months. */
  readonly zone: string;
}

/** Whether a message may be sent to a client, and its price. */
export interface Admission {
  readonly client: string;
  /** Null: the message may be sent, and is counted. */
  readonly problem: ChatProblem | null;
  /** Ten-thousandths of a credit; 0 for a refused message. */
  readonly price: number;
  /** Whole minutes left of the 24 hours since the client's last message, and of the conversation. */
  readonly templateTimeLeft: number;
  readonly conversationTimeLeft: number;
}

/**
 * Decides for a message to each of these clients whether it may be sent, in the caller's transaction, and counts the
 * admitted ones: windows, the portfolio's messaging limit, the month. The rows involved stay locked until the
 * transaction ends, in the order windows (by phone), portfolio, month. The caller locks the wallet afterwards, and must
 * not hold any of these locks before. The result is in the order of `clients`. A rollback undoes everything.
 */
export async function admit(
  tx: TransactionSql,
  { priceOf, forgetUnansweredMs }: AdmitDeps,
  { number, clients, kind, now, zone }: AdmitRequest,
): Promise<Admission[]> {
  const isTemplate = kind === 'template';
  // A plan cached for single messages, while the tables were small, would scan them once for each of many clients:
  // steps of 2,000 took up to 9 s until the database had new statistics.
  if (clients.length > 1) await tx`SET LOCAL plan_cache_mode = force_custom_plan`;
  const windows = await lockWindows(tx, number, clients, isTemplate);
  const problems = new Map<string, ChatProblem>();
  const first: string[] = [];
  for (const client of clients) {
    const window = windows.get(client) ?? newWindow(client);
    const problem = windowProblem(window, kind, now, forgetUnansweredMs);
    if (problem) problems.set(client, problem);
    else if (!isCustomerWindowOpen(window, now)) first.push(client);
  }
  if (first.length > 0) {
    const placed = await reserveQuota(tx, number, first, now);
    for (const client of first) if (!placed.has(client)) problems.set(client, 'tier-reached');
  }
  const going = clients.length - problems.size;
  const isCounted = isCountedInMonth(kind);
  let before = !isCounted || going === 0 ? 0 : await countInMonth(tx, number.accountId, going, now, zone);
  const changed: WindowChange[] = [];
  const admissions = clients.map((client): Admission => {
    const window = windows.get(client) ?? newWindow(client);
    const problem = problems.get(client) ?? null;
    if (problem) return { client, problem, price: 0, ...timesLeft(window, now) };
    const after = afterMessage(window, kind, now, forgetUnansweredMs);
    if (after.conversationAt !== window.conversationAt || isTemplate) changed.push({ before: window, after });
    const price =
      (isConversationOpen(window, now) ? 0 : priceOf(pricedAs(client))) +
      (isCounted ? extraPrice(before++) : 0);
    return { client, problem, price, ...timesLeft(after, now) };
  });
  if (changed.length > 0) await saveWindows(tx, number, changed);
  return admissions;
}

function timesLeft({ clientAt, conversationAt }: Window, now: number) {
  return {
    templateTimeLeft: minutesLeft(clientAt, now),
    conversationTimeLeft: minutesLeft(conversationAt, now),
  };
}
