import type { Clock } from '../../kit/clock.ts';
import type { Prices } from '../../modules/accounts/prices.ts';
import type { HourlyStatistics } from '../messages/hourly-statistics.ts';
import { hourOf } from '../messages/hours.ts';

const DAY_MS = 86_400_000;
/** Days whose failures are counted. */
const DAYS = 7;

interface FallbackEstimateDeps {
  readonly clock: Clock;
  readonly prices: Pick<Prices, 'of'>;
  readonly hourlyStatistics: Pick<HourlyStatistics, 'between'>;
}

/** A send with a fallback, for the estimate of its second messages. */
interface EstimatedFallback {
  readonly accountId: number;
  /** Id of the channel of the send. */
  readonly first: number;
  /** Name of the other channel. */
  readonly second: string;
  readonly recipients: number;
  /** Parts of a second message. */
  readonly parts: number;
  /** One of the recipients (E.164 digits), or '' for an unknown one. */
  readonly phone: string;
}

/** Second messages of a send. */
interface FallbackEstimate {
  readonly messages: number;
  /** In ten-thousandths of a credit. */
  readonly cost: number;
}

/**
 * Estimates the second messages of a send: by the share of messages of its channel that failed in the last days, and by the
 * price to one recipient. Null for an account without such messages.
 */
export async function estimateFallback(
  { clock, prices, hourlyStatistics }: FallbackEstimateDeps,
  { accountId, first, second, recipients, parts, phone }: EstimatedFallback,
): Promise<FallbackEstimate | null> {
  const now = clock.now();
  const [hours, priceOf] = await Promise.all([
    hourlyStatistics.between(accountId, hourOf(now - DAYS * DAY_MS), hourOf(now) + 1),
    prices.of(accountId, second),
  ]);
  let failed = 0;
  let ended = 0;
  for (const hour of hours) {
    if (hour.channel !== first) continue;
    failed += hour.failed;
    ended += hour.failed + hour.delivered + hour.read;
  }
  if (ended === 0) return null;
  const messages = Math.ceil((recipients * failed) / ended);
  return { messages, cost: messages * parts * priceOf(phone) };
}
