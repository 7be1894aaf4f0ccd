import type { PriceFinder, Prices } from '../accounts/prices.ts';
import type { Sql } from '../database/connection.ts';
import { countSeptets } from '../text/gsm0338.ts';
import { gsmAlone, gsmPart, segment, ucs2Alone, ucs2Part } from '../text/segmentation.ts';
import { type FinishingTimeParts, finishingTime } from './finishing-time.ts';
import { lanes } from './lanes.ts';
import { type EstimateParts, estimateCosts } from './list-sends.ts';
import type { ListPart, ShipmentItem } from './plan.ts';
import { blacklisted, recentRecipients } from './recipients.ts';
import { listPart, type Words } from './send-request.ts';
import { Composer, writeExample } from './wording.ts';

/** A text as the phone gets it. */
export interface TextMeasure {
  readonly encoding: 'gsm7' | 'ucs2';
  readonly parts: number;
  /** Of the encoding: septets or UTF-16 units, and how many more there is room for in as many parts. */
  readonly units: number;
  readonly unitsLeft: number;
}

/** What is to be sent, as far as it is known. */
export interface EstimatedSend {
  readonly accountId: number;
  readonly words: Words;
  readonly items: readonly ShipmentItem[];
  readonly lists: ListPart['lists'];
  readonly international: boolean;
  readonly recentDays: number | null;
  readonly dueAt: number | null;
}

export interface SendEstimate {
  /** As a recipient without dynamic fields gets it, with links as long as they will be. */
  readonly text: string;
  readonly measure: TextMeasure;
  /** Recipients that get it, those of lists as far as known; and single ones that are left out. */
  readonly recipients: number;
  readonly blocked: number;
  readonly recent: number;
  /** What it costs, in ten-thousandths of a credit: exact for single phones and lists of up to 500 contacts. */
  readonly cost: number;
  /** Price of one part to the first of the phones, or to a number without a price of its own. */
  readonly partPrice: number;
  /** When all of it is handed over, in milliseconds since the epoch. */
  readonly finishesAt: number;
}

export interface EstimatorParts extends EstimateParts, FinishingTimeParts {
  readonly sql: Sql;
  readonly prices: Prices;
}

/** Counts a text. */
export function measureText(text: string): TextMeasure {
  const { encoding, parts } = segment(text);
  const isGsm = encoding === 'gsm7';
  const units = isGsm ? countSeptets(text) : text.length;
  const [alone, each] = isGsm ? [gsmAlone, gsmPart] : [ucs2Alone, ucs2Part];
  const room = parts.length === 1 ? alone : parts.length * each;
  return { encoding, parts: parts.length, units, unitsLeft: Math.max(0, room - units) };
}

/** What a send would cost, and when it would be done. Nothing is stored. */
export async function estimateSend(parts: EstimatorParts, send: EstimatedSend): Promise<SendEstimate> {
  const { sql, clock, prices, links } = parts;
  const { accountId, words, items, lists, international, recentDays } = send;
  const now = clock.now();
  const phones = items.map(({ phone }) => phone);
  const [priceOf, blocked, recent] = await Promise.all([
    prices.of(accountId, 'sms'),
    phones.length === 0 ? new Set<string>() : blacklisted(sql, accountId, phones),
    phones.length === 0 || recentDays === null
      ? new Set<string>()
      : recentRecipients(sql, accountId, phones, now, recentDays),
  ]);
  const text = words.wording ? writeExample(new Composer(words.wording), links, []) : words.text;
  const measure = measureText(text);
  const reached = phones.filter((phone) => !blocked.has(phone) && !recent.has(phone));
  const listCosts =
    lists.length === 0
      ? []
      : await estimateCosts(parts, accountId, [listPart(words, '', lists, items, international)], priceOf);
  const contacts = lists.reduce((sum, { count }) => sum + count, 0);
  const recipients = reached.length + contacts;
  const cost = costOf(reached, measure.parts, priceOf) + listCosts.reduce((sum, one) => sum + one, 0);
  const finishesAt = await finishingTime(parts, {
    accountId,
    lane: items.length === 1 && lists.length === 0 ? lanes.single : lanes.bulk,
    messages: recipients * measure.parts,
    dueAt: send.dueAt ?? now,
  });
  return {
    text,
    measure,
    recipients,
    blocked: blocked.size,
    recent: recent.size,
    cost,
    partPrice: priceOf(phones[0] ?? ''),
    finishesAt,
  };
}

function costOf(phones: readonly string[], parts: number, priceOf: PriceFinder): number {
  return phones.reduce((sum, phone) => sum + priceOf(phone) * parts, 0);
}
