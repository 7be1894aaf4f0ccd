import { CALL_CHANNEL, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { Context } from '../../kit/context.ts';
import { readAloud } from '../../kit/text/read-aloud.ts';
import type { PriceFinder, Prices } from '../../modules/accounts/prices.ts';
import type { SendingGate } from '../../modules/sending-policy/gate.ts';
import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import type { SendingPolicies } from '../../modules/sending-policy/sending-policies.ts';
import type { PhoneGate } from '../gate/phones.ts';
import { callingTime, type TrunkRate } from './calling-time.ts';
import { type CallInput, callTypes, legsOf } from './calls.ts';
import { textsForContacts } from './contact-texts.ts';
import { type FinishingTimeDeps, finishingTime } from './finishing-time.ts';
import { lanes } from './lanes.ts';
import { type EstimateDeps, estimateCosts } from './list-costs.ts';
import type { ListPart, ShipmentItem } from './plan.ts';
import { type BlockedDeps, blacklisted, recentRecipients } from './recipients.ts';
import { listPart, type Words } from './send-request.ts';
import { measureText, type TextMeasure } from './text-measure.ts';
import { TextRenderer, writeExample } from './text-template.ts';

/** A send for estimation; its recipients may be incomplete. */
interface EstimatedSend {
  readonly accountId: number;
  readonly words: Words;
  readonly items: readonly ShipmentItem[];
  readonly lists: ListPart['lists'];
  readonly international: boolean;
  readonly recentDays: number | null;
  readonly dueAt: number | null;
  readonly rule: SendingRule | null;
  /** Set when the text is also, or only, read aloud on the telephone. */
  readonly call?: CallInput | undefined;
}

export interface SendEstimate {
  /** Text for a recipient without dynamic fields, with links of their real length. */
  readonly text: string;
  /** Text for the first contact of the first list; null without one. */
  readonly preview: string | null;
  readonly measure: TextMeasure;
  /** Recipients, including those of lists as far as known, and single ones that are skipped (`blocked`, `recent`). */
  readonly recipients: number;
  readonly blocked: number;
  readonly recent: number;
  /** Recipients without consent, who receive nothing; null if they need no consent. */
  readonly withoutConsent: number | null;
  /** Cost in ten-thousandths of a credit: exact for single phones and lists of up to 500 contacts. */
  readonly cost: number;
  /** Price of one part to the first phone, or the default price. */
  readonly partPrice: number;
  /** Set for a text that is read aloud. */
  readonly voice:
    | {
        /** Spoken text for a recipient without dynamic fields; '' when nothing can be spoken. */
        readonly text: string;
        /** Calls to phones and contacts of lists; null when it is not known which contacts are called. */
        readonly calls: number | null;
        /** Price of a call to the first phone, or the default price. */
        readonly callPrice: number;
      }
    | undefined;
  /** Time at which the first message is submitted, by the requested time and the sending policy. */
  readonly startsAt: number;
  /** Time at which the last message is submitted, in milliseconds since the epoch. */
  readonly finishesAt: number;
}

export interface EstimatorDeps extends EstimateDeps, FinishingTimeDeps, Pick<Context, 'sql'>, BlockedDeps {
  readonly prices: Prices;
  readonly sendingPolicies: Pick<SendingPolicies, 'refresh'>;
  readonly sendingGate: Pick<SendingGate, 'of' | 'countWithoutConsent'>;
  /** Trunks available for calls. */
  readonly trunks: () => readonly TrunkRate[];
  readonly phoneGate: Pick<PhoneGate, 'refresh' | 'problemOf' | 'checkNumbers'>;
}

/**
 * Estimates the price of a send and the time at which it ends, and stores nothing. Throws Refusal `bad-destination`
 * like `PhoneGate.admit`.
 */
export async function estimateSend(deps: EstimatorDeps, send: EstimatedSend): Promise<SendEstimate> {
  const { sql, clock, prices, links } = deps;
  const { accountId, words, items, lists, international, recentDays, call } = send;
  await deps.phoneGate.refresh([accountId]);
  await deps.phoneGate.checkNumbers(send);
  const now = clock.now();
  const phones = items.map(({ phone }) => phone);
  const [priceOf, callPriceOf, blocked, recent, previews] = await Promise.all([
    prices.of(accountId, 'sms'),
    prices.of(accountId, 'voice'),
    phones.length === 0 ? new Set<string>() : blacklisted(deps, accountId, phones),
    phones.length === 0 || recentDays === null
      ? new Set<string>()
      : recentRecipients(sql, accountId, phones, now, recentDays),
    lists[0] && textsForContacts(deps, { accountId, words, listId: lists[0].id, after: '', limit: 1 }),
  ]);
  const text = words.template ? writeExample(new TextRenderer(words.template), links, []) : words.text;
  const measure = measureText(text);
  const reached = phones.filter((phone) => !blocked.has(phone) && !recent.has(phone));
  const listCosts =
    lists.length === 0
      ? []
      : await estimateCosts(
          deps,
          accountId,
          { lists: [listPart(words, '', lists, items, international)], ...(call && { call }) },
          { priceOf, callPriceOf },
        );
  const contacts = lists.reduce((sum, { count }) => sum + count, 0);
  const recipients = reached.length + contacts;
  const { written, called } = legsTo(deps, reached, call);
  const cost =
    costOf(written, measure.parts, priceOf) +
    costOf(called, 1, callPriceOf) +
    listCosts.reduce((sum, one) => sum + one, 0);
  const withoutConsent = await countWithoutConsent(deps, send, reached);
  const startsAt = await firstPermitted(deps, send, now);
  const submittedAt = await finishingTime(deps, {
    accountId,
    lane: items.length === 1 && lists.length === 0 ? lanes.single : lanes.bulk,
    messages: (written.length + (call?.type === callTypes.callOnly ? 0 : contacts)) * measure.parts,
    dueAt: startsAt,
  });
  const spoken = call && spokenText(deps, words, call);
  const calls =
    contacts > 0 && call?.type === callTypes.kosher ? null : called.length + (call ? contacts : 0);
  const callsBegin = call ? startsAt + callingTime(deps.trunks(), calls ?? called.length, spoken!, call) : 0;
  return {
    text,
    preview: previews?.[0]?.text ?? null,
    measure,
    recipients,
    blocked: blocked.size,
    recent: recent.size,
    withoutConsent,
    cost,
    partPrice: priceOf(phones[0] ?? ''),
    voice: call && { text: spoken!, calls, callPrice: callPriceOf(phones[0] ?? '') },
    startsAt,
    finishesAt: Math.max(submittedAt, callsBegin),
  };
}

/** Returns the time at which the first message of a send is permitted, or the requested time when none ever is. */
async function firstPermitted(
  { sendingPolicies, sendingGate }: EstimatorDeps,
  { accountId, items, lists, dueAt, rule }: EstimatedSend,
  now: number,
): Promise<number> {
  await sendingPolicies.refresh();
  const at = Math.max(now, dueAt ?? now);
  const restriction = sendingGate.of({ accountId, isCampaign: isCampaign({ items, lists }), rule });
  if (!restriction) return at;
  const ofLists = items.length === 0 || lists.length > 0 ? (restriction.forAll?.(at) ?? at) : Infinity;
  const from = items.reduce((first, { phone }) => Math.min(first, restriction.from(phone, at)), ofLists);
  return Number.isFinite(from) ? from : at;
}

/** Every send other than a single message is a campaign, including one without recipients yet. */
const isCampaign = ({ items, lists }: Pick<EstimatedSend, 'items' | 'lists'>): boolean =>
  items.length !== 1 || lists.length > 0;

/** Returns how many of the phones and list contacts have not consented; null when they need no consent. */
function countWithoutConsent(
  { sql, contactLists, sendingGate, isKosher }: EstimatorDeps,
  { accountId, items, lists, rule, call }: EstimatedSend,
  reached: readonly string[],
): Promise<number | null> {
  return sendingGate.countWithoutConsent(
    { accountId, isCampaign: isCampaign({ items, lists }), rule },
    {
      recipients: reached,
      lists: lists.map(({ id, count }) => ({
        count,
        first: async (limit) =>
          (await contactLists.page(sql, accountId, id, '', limit)).map(({ phone }) => phone),
      })),
      channelsOf: (phone) => legsOf(call, phone, isKosher),
    },
  );
}

/** Splits the phones into those that receive an SMS and those that are called. */
function legsTo(
  { routing, isKosher }: EstimatorDeps,
  phones: readonly string[],
  call: CallInput | undefined,
): { readonly written: readonly string[]; readonly called: readonly string[] } {
  const legs = phones.map((phone) => ({ phone, by: legsOf(call, phone, isKosher) }));
  const by = (channel: number) => legs.filter((leg) => leg.by.includes(channel)).map(({ phone }) => phone);
  return {
    written: by(TEXT_CHANNEL),
    called: by(CALL_CHANNEL).filter((phone) => routing.callRouteOf(phone) !== undefined),
  };
}

/** Returns the spoken text, with the placeholders of contact fields removed. */
function spokenText({ links }: EstimatorDeps, { template }: Words, { text }: CallInput): string {
  if (!template?.dynamic) return readAloud(text).text;
  const renderer = new TextRenderer({ text, links: [], dynamic: true, removal: false });
  return readAloud(writeExample(renderer, links, [])).text;
}

function costOf(phones: readonly string[], parts: number, priceOf: PriceFinder): number {
  return phones.reduce((sum, phone) => sum + priceOf(phone) * parts, 0);
}
