import type { Sql } from '../../database/connection.ts';
import { Refusal } from '../../kit/errors.ts';
import { forEachInSlices, TimeSlice } from '../../kit/time-slices.ts';
import type { Prices } from '../../modules/accounts/prices.ts';
import type { ContactLists } from '../../modules/audience/contact-lists.ts';
import type { Agreed, AskedRecipient, StandingConsents } from '../../modules/consents/standing.ts';
import {
  canWait,
  notPermittedNow,
  type Restriction,
  type SendingGate,
  withoutConsent,
} from '../../modules/sending-policy/gate.ts';
import type { Pass } from '../gate/gate.ts';
import type { PhoneGate } from '../gate/phones.ts';
import type { Code, ShortLinks } from '../links/short-links.ts';
import { legsOf } from './calls.ts';
import { lanes } from './lanes.ts';
import { estimateCosts } from './list-costs.ts';
import { type Lookups, Plan, type PlanDeps, type ShipmentItem, type ShipmentRequest } from './plan.ts';
import { type AccountPhones, type BlockedDeps, blacklistedOf, recentRecipients } from './recipients.ts';
import type { AccountPlan } from './store-shipments.ts';
import { TextRenderer, type TextTemplate } from './text-template.ts';

export interface GroupPlannerDeps extends PlanDeps {
  readonly sql: Sql;
  readonly suppressions: BlockedDeps['suppressions'];
  readonly prices: Prices;
  readonly links: ShortLinks;
  readonly contactLists: ContactLists;
  readonly phoneGate: PhoneGate;
  readonly sendingGate: Pick<SendingGate, 'of' | 'needsConsent'>;
  readonly standingConsents: Pick<StandingConsents, 'of'>;
}

/** A request to plan or to reject. */
export interface PlannedRequest {
  readonly accountId: number;
  readonly request: ShipmentRequest;
  /** Whether this is a check that stores nothing. */
  readonly isDry?: boolean;
  readonly reject: (error: unknown) => void;
}

/** Planned requests of one account: the accepted ones, with their shipments in the same order. */
export interface Planned<T> extends AccountPlan {
  readonly sent: readonly T[];
}

/** Plans the requests of a group. Each lookup serves all accounts of the group. */
export class GroupPlanner<T extends PlannedRequest> {
  readonly #deps: GroupPlannerDeps;

  constructor(deps: GroupPlannerDeps) {
    this.#deps = deps;
  }

  /**
   * Applies the rules that need the database, for all accounts of a group together. Rejects the requests that violate
   * one, and plans the others by account, in their order. `sql` is the database of their placement.
   */
  async plan(asked: readonly T[], now: number, sql: Sql = this.#deps.sql): Promise<Planned<T>[]> {
    const { prices, suppressions } = this.#deps;
    const passes = await this.#pass(asked);
    const group = asked.filter((waiting) => passes.has(waiting));
    const byAccount = Map.groupBy(group, ({ accountId }) => accountId);
    const accounts = [...byAccount.keys()];
    const blocked = await blacklistedOf({ sql, suppressions }, await phonesOf(group));
    const agreed = await this.#agreedIn(group, passes, sql);
    const priceOf = await prices.ofEach(accounts, 'sms');
    const callPriceOf = group.some(({ request }) => request.call)
      ? await prices.ofEach(accounts, 'voice')
      : undefined;
    const made: Planned<T>[] = [];
    for (const [accountId, waiting] of byAccount) {
      const lookups = {
        passes,
        blocked: blocked.get(accountId) ?? nobody,
        agreed,
        priceOf: priceOf.get(accountId)!,
        callPriceOf: callPriceOf?.get(accountId) ?? noCalls,
      };
      made.push(await this.#planAccount(accountId, waiting, lookups, now));
    }
    return made;
  }

  /** Returns the gate's passes of requests; rejects the requests that the gate refuses. */
  async #pass(group: readonly T[]): Promise<Map<T, Pass>> {
    const { phoneGate } = this.#deps;
    await phoneGate.refresh(new Set(group.map(({ accountId }) => accountId)));
    const passes = new Map<T, Pass>();
    const one = async (waiting: T): Promise<void> => {
      const { accountId, request, isDry = false } = waiting;
      const { rule = null, lane, lists, source, items, international } = request;
      try {
        const sources = lists ? lists.map((list) => list.source) : noSources;
        const pass = await phoneGate.admit({ accountId, rule, isDry, source, sources, items, international });
        const isExempt = pass.rule !== null && 'exempt' in pass.rule;
        // The lane of codes is ahead of all others, and no policy delays its messages.
        if (lane === lanes.otp && !isExempt && !isDry) throw new Error('a code did not show its evidence');
        passes.set(waiting, pass);
      } catch (error) {
        waiting.reject(error);
      }
    };
    // One after the other, so that a large request is checked in slices; those that wait for evidence wait together.
    const proving: Promise<void>[] = [];
    for (const waiting of group) {
      const { rule } = waiting.request;
      if (rule && 'claims' in rule) proving.push(one(waiting));
      else await one(waiting);
    }
    await Promise.all(proving);
    return passes;
  }

  async #planAccount(
    accountId: number,
    group: readonly T[],
    {
      passes,
      agreed: agreedIn,
      ...lookups
    }: Pick<Lookups, 'blocked' | 'agreed' | 'priceOf' | 'callPriceOf'> & {
      readonly passes: ReadonlyMap<T, Pass>;
    },
    now: number,
  ): Promise<Planned<T>> {
    const { blocked } = lookups;
    const plan = new Plan(this.#deps, now);
    const sent: T[] = [];
    for (const waiting of group) {
      const { request } = waiting;
      const pass = passes.get(waiting)!;
      const agreed = this.#needsConsent(request, pass) ? agreedIn : undefined;
      try {
        const items = request.recentDays === null ? request.items : await this.#withoutRecent(request, now);
        // The contacts of the lists are not known yet.
        if (!request.lists) {
          if (items.length === 0) throw new Refusal('all-filtered', 'temp_bl leaves no destination');
          if (blocked.size > 0 && (await areAllBlocked(items, blocked))) {
            throw new Refusal('all-blocked', 'every destination is on a blocked list');
          }
          if (agreed && !(await hasAgreed(this.#deps, request, items, { blocked, agreed }))) {
            throw withoutConsent();
          }
        }
        const restriction = this.#restrictionOf(request, pass);
        if (restriction) await checkPermitted(request, items, restriction, { blocked, now });
        const isPlain = items.length === 1 && !items[0]!.template;
        const codes = isPlain ? noCodes : await this.#codesFor(items, blocked);
        const holds = request.lists ? await estimateCosts(this.#deps, accountId, request, lookups) : [];
        await plan.add(request, items, { ...lookups, pass, agreed, codes, holds, restriction });
        sent.push(waiting);
      } catch (error) {
        waiting.reject(error);
      }
    }
    return { accountId, plan, sent };
  }

  /** Returns the consents of recipients that need one; undefined, without a statement, if no recipient does. */
  async #agreedIn(group: readonly T[], passes: ReadonlyMap<T, Pass>, sql: Sql): Promise<Lookups['agreed']> {
    const asked: AskedRecipient[] = [];
    const slice = new TimeSlice();
    for (const waiting of group) {
      const { accountId, request } = waiting;
      if (!this.#needsConsent(request, passes.get(waiting)!)) continue;
      await forEachInSlices(request.items, ({ phone }) => asked.push({ accountId, recipient: phone }), slice);
    }
    return asked.length === 0 ? undefined : this.#deps.standingConsents.of(asked, sql);
  }

  /** Whether the recipients of a request need a consent. */
  #needsConsent({ accountId, lane }: ShipmentRequest, { rule }: Pass): boolean {
    return this.#deps.sendingGate.needsConsent({ accountId, isCampaign: lane === lanes.bulk, rule });
  }

  /** Returns the time restriction of a request by the account's sending policy; undefined without one. */
  #restrictionOf({ accountId, lane }: ShipmentRequest, { rule }: Pass): Restriction | undefined {
    return this.#deps.sendingGate.of({ accountId, isCampaign: lane === lanes.bulk, rule });
  }

  /** Takes codes for the links of the messages that will be sent. */
  async #codesFor(items: readonly ShipmentItem[], blocked: ReadonlySet<string>): Promise<readonly Code[]> {
    const each = new Map<TextTemplate, number>();
    let count = 0;
    await forEachInSlices(items, ({ template, phone }) => {
      if (!template || blocked.has(phone)) return;
      if (!each.has(template)) each.set(template, new TextRenderer(template).codesEach);
      count += each.get(template)!;
    });
    return count === 0 ? noCodes : this.#deps.links.codesFor(count);
  }

  async #withoutRecent(request: ShipmentRequest, now: number): Promise<ShipmentItem[]> {
    const recent = await recentRecipients(
      this.#deps.sql,
      request.accountId,
      await phonesIn(request.items),
      now,
      request.recentDays!,
    );
    const others: ShipmentItem[] = [];
    await forEachInSlices(request.items, (item) => {
      if (!recent.has(item.phone)) others.push(item);
    });
    return others;
  }
}

const noCalls = () => 0;
const noSources: readonly string[] = [];
const noCodes: readonly Code[] = [];
const nobody: ReadonlySet<string> = new Set();

/** Returns the phones of a group, with the account of each. */
async function phonesOf(group: readonly PlannedRequest[]): Promise<AccountPhones> {
  const phones: string[] = [];
  const accounts: number[] = [];
  const slice = new TimeSlice();
  for (const { accountId, request } of group) {
    const add = ({ phone }: ShipmentItem) => {
      phones.push(phone);
      accounts.push(accountId);
    };
    await forEachInSlices(request.items, add, slice);
  }
  return { phones, accounts };
}

async function phonesIn(items: readonly ShipmentItem[]): Promise<string[]> {
  const phones: string[] = [];
  await forEachInSlices(items, ({ phone }) => phones.push(phone));
  return phones;
}

async function areAllBlocked(items: readonly ShipmentItem[], blocked: ReadonlySet<string>): Promise<boolean> {
  let free = 0;
  await forEachInSlices(items, ({ phone }) => {
    if (!blocked.has(phone)) free++;
  });
  return free === 0;
}

/** Whether at least one recipient is not blocked and has consented to the messages they would receive. */
async function hasAgreed(
  { isKosher }: Pick<GroupPlannerDeps, 'isKosher'>,
  { accountId, call }: ShipmentRequest,
  items: readonly ShipmentItem[],
  { blocked, agreed }: { readonly blocked: ReadonlySet<string>; readonly agreed: Agreed },
): Promise<boolean> {
  let hasOne = false;
  await forEachInSlices(items, ({ phone }) => {
    hasOne ||=
      !blocked.has(phone) &&
      legsOf(call, phone, isKosher).some((channel) => agreed(accountId, channel, phone));
  });
  return hasOne;
}

/**
 * Throws Refusal `not-now` for a send without any permitted message at its time, if messages cannot wait or will never
 * be permitted.
 */
async function checkPermitted(
  { dueAt, lists }: ShipmentRequest,
  items: readonly ShipmentItem[],
  restriction: Restriction,
  { blocked, now }: { readonly blocked: ReadonlySet<string>; readonly now: number },
): Promise<void> {
  const at = Math.max(now, dueAt ?? now);
  // The contacts of the lists are not known yet.
  let first = lists ? (restriction.forAll?.(at) ?? at) : Number.POSITIVE_INFINITY;
  await forEachInSlices(items, ({ phone }) => {
    if (first > at && !blocked.has(phone)) first = Math.min(first, restriction.from(phone, at));
  });
  if (first > at && !canWait(restriction, first)) throw notPermittedNow(first);
}
