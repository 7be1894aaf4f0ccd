import type { Accounts } from '../accounts/accounts.ts';
import type { AskedRecipient, AskedSend, StandingConsents } from '../consents/standing.ts';
import { Refusal } from '../errors.ts';
import { countryOf, timeZonesOf } from '../numbers/countries.ts';
import {
  type FrequencyCap,
  noPolicy,
  type OwnHours,
  type SendingPolicy,
  type SendingRule,
  type Transactional,
} from './policy.ts';
import { firstPermitted, HORIZON_DAYS, type Span } from './schedule.ts';
import type { SendingPolicies } from './sending-policies.ts';

const MAX_REMEMBERED = 10_000;
/** When what is never permitted is permitted. */
const NEVER = Number.POSITIVE_INFINITY;

/** A send, as far as a policy looks at it. */
interface HeldSend {
  readonly accountId: number;
  /** Whether it goes to many. */
  readonly isCampaign: boolean;
  /** What it says of itself; null: nothing. */
  readonly rule: SendingRule | null;
}

/** When messages of a send are permitted. */
export interface Restriction {
  /** What is done with those that are not permitted at their time. */
  readonly outside: SendingPolicy['outside_hours'];
  /**
   * The first time from `at` on when one is permitted to a recipient, both in milliseconds since the epoch: `at` itself when it
   * is, and Infinity when it is not within HORIZON_DAYS. `null` for a recipient that is not known: in the zone of the account.
   */
  from(recipient: string | null, at: number): number;
  /** The time zones in which it has to be permitted to a recipient, IANA names. */
  zonesOf(recipient: string | null): readonly string[];
  /** As `from`, of all recipients; undefined where the zone of each decides. */
  readonly forAll?: (at: number) => number;
}

export interface SendingGateDeps {
  readonly policies: SendingPolicies;
  readonly accounts: Pick<Accounts, 'cached'>;
  readonly standingConsents: Pick<StandingConsents, 'of' | 'countMissing'>;
  /** Of accounts that have none of their own. */
  readonly defaultZone: string;
}

/**
 * Tells what may be sent when, by the policies that are in memory: after `policies.refresh()` as they were a second ago. It
 * knows no channel: a recipient that is no number is in the zone of the account.
 */
export class SendingGate {
  readonly #deps: SendingGateDeps;
  /** Times that were computed: each holds until its end, or, of one that is yet to come, until it begins. */
  readonly #spans = new Map<string, { readonly at: number; readonly span: Span | null }>();

  constructor(deps: SendingGateDeps) {
    this.#deps = deps;
  }

  /** When messages of a send are permitted; undefined: at any time. */
  of({ accountId, isCampaign, rule }: HeldSend): Restriction | undefined {
    if (rule && 'exempt' in rule) return undefined;
    const known = this.#deps.policies.known(accountId);
    if (!known && !rule) return undefined;
    const held = known && isHeld(known.policy, isCampaign) ? known : undefined;
    const { hours, rest_days: restDays, closed_dates, outside_hours } = held?.policy ?? noPolicy;
    if (!rule && !hours && !restDays && closed_dates.length === 0) return undefined;
    const own = this.#zoneOf(accountId);
    const byRecipient = (known?.policy ?? noPolicy).zone === 'recipient';
    const closedDates = held?.closedDates ?? noDates;
    const ownHours = rule?.hours ?? null;
    const key = `${accountId}/${held?.updatedAt ?? 0}/${own}/${ownHours}`;
    const countryFor = (recipient: string | null) =>
      byRecipient && recipient !== null && isNumber(recipient) ? countryOf(recipient) : null;
    const zonesIn = (country: string | null) => {
      const found = country === null ? [] : timeZonesOf(country);
      return found.length > 0 ? found : [own];
    };
    const from = (recipient: string | null, at: number) => {
      const country = countryFor(recipient);
      const zones = zonesIn(country);
      const schedule = { hours, closedDates, zones, restDays, ownHours };
      const span = this.#spanAt(`${key}/${country}`, at, () => firstPermitted(schedule, at));
      return span === null ? NEVER : Math.max(at, span.begins);
    };
    return {
      outside: outside_hours,
      from,
      zonesOf: (recipient) => zonesIn(countryFor(recipient)),
      ...(!byRecipient && { forAll: (at) => from(null, at) }),
    };
  }

  /** The caps that count messages of a send. */
  capsOf({ accountId, isCampaign, rule }: HeldSend): readonly FrequencyCap[] {
    const policy = this.#deps.policies.known(accountId)?.policy;
    if (!policy || policy.caps.length === 0 || (rule && 'exempt' in rule)) return none;
    return isHeld(policy, isCampaign) ? policy.caps : none;
  }

  /** Whether messages of a send go only to recipients who have agreed to marketing messages (`StandingConsents`). */
  needsConsent({ accountId, isCampaign, rule }: HeldSend): boolean {
    const policy = this.#deps.policies.known(accountId)?.policy;
    if (policy?.consent !== 'marketing' || (rule && 'exempt' in rule)) return false;
    return isHeld(policy, isCampaign);
  }

  /** Whether an account caps anything: what it sends is counted before it goes. */
  hasCaps(accountId: number): boolean {
    return (this.#deps.policies.known(accountId)?.policy.caps.length ?? 0) > 0;
  }

  /** What is done with messages over a cap. */
  overCapOf(accountId: number): SendingPolicy['over_cap'] {
    return (this.#deps.policies.known(accountId)?.policy ?? noPolicy).over_cap;
  }

  /**
   * The rule of a send by what it asks for, by the policy as it was a second ago. Throws Refusal `not-allowed` for a transactional one where the policy of the account
   * does not allow that, `bad-field` for one that has hours, too.
   */
  async ruleOf(
    accountId: number,
    { hours, transactional }: { readonly hours: string | null; readonly transactional: boolean },
  ): Promise<OwnHours | Transactional | null> {
    if (!transactional) return hours === null ? null : { hours };
    if (hours !== null) {
      throw new Refusal('bad-field', 'a transactional send has no hours', 'sending_hours', {
        reason: 'one-of-both',
      });
    }
    await this.#deps.policies.refresh();
    this.checkTransactional(accountId);
    return { exempt: { transactional: true } };
  }

  /** Throws Refusal `not-allowed` where the policy in memory allows no transactional sends. */
  checkTransactional(accountId: number): void {
    const policy = this.#deps.policies.known(accountId)?.policy;
    if (!policy || policy.allows_transactional) return;
    throw new Refusal(
      'not-allowed',
      'the sending policy of the account allows no transactional sends',
      'transactional',
    );
  }

  /**
   * When a single message for now is permitted, in milliseconds since the epoch, by the policy as it was a second ago. `channel`
   * is an id. Throws Refusal `not-now` for one that is not permitted and is not to wait, or whose recipient has not agreed.
   */
  async singleFrom(
    { accountId, recipient, channel }: AskedRecipient & { readonly channel: number },
    now: number,
  ): Promise<number> {
    const { policies, standingConsents } = this.#deps;
    await policies.refresh();
    const send = { accountId, isCampaign: false, rule: null };
    if (this.needsConsent(send)) {
      const agreed = await standingConsents.of([{ accountId, recipient }]);
      if (!agreed(accountId, channel, recipient)) throw withoutConsent();
    }
    const restriction = this.of(send);
    const from = restriction?.from(recipient, now) ?? now;
    if (from > now && !canWait(restriction!, from)) throw notPermittedNow(from);
    return from;
  }

  /**
   * Checks a campaign that begins at `at` (milliseconds since the epoch), before it is accepted. Throws Refusal `not-now` when it is
   * not permitted then to anybody, and is not to wait.
   */
  async checkCampaign(accountId: number, rule: SendingRule | null, at: number): Promise<void> {
    await this.#deps.policies.refresh();
    const restriction = this.of({ accountId, isCampaign: true, rule });
    const from = restriction?.forAll?.(at) ?? at;
    if (from > at && !canWait(restriction!, from)) throw notPermittedNow(from);
  }

  /**
   * How many recipients of a send have not agreed to it, as far as known (`StandingConsents.countMissing`), by the policy as it
   * was a second ago; null: they do not have to.
   */
  async countWithoutConsent(send: HeldSend, asked: AskedSend): Promise<number | null> {
    const { policies, standingConsents } = this.#deps;
    await policies.refresh();
    return this.needsConsent(send) ? standingConsents.countMissing(send.accountId, asked) : null;
  }

  #zoneOf(accountId: number): string {
    const { accounts, defaultZone } = this.#deps;
    return accounts.cached(accountId)?.timeZone ?? defaultZone;
  }

  #spanAt(key: string, at: number, compute: () => Span | null): Span | null {
    const known = this.#spans.get(key);
    const holdsUntil = known?.span ? known.span.ends : (known?.at ?? 0) + HOUR_MS;
    if (known && at >= known.at && at < holdsUntil) return known.span;
    const span = compute();
    if (this.#spans.size >= MAX_REMEMBERED) this.#spans.clear();
    this.#spans.set(key, { at, span });
    return span;
  }
}

const HOUR_MS = 3_600_000;
const none: readonly FrequencyCap[] = [];
const noDates: ReadonlySet<string> = new Set();

const isHeld = ({ applies_to }: SendingPolicy, isCampaign: boolean): boolean =>
  applies_to === 'all' || isCampaign;

const isNumber = (recipient: string): boolean => /^\d{7,15}$/.test(recipient);

/** Whether what is permitted from a time on waits for it. */
export const canWait = ({ outside }: Pick<Restriction, 'outside'>, from: number): boolean =>
  outside === 'wait' && from !== NEVER;

/** Refuses a send of which no recipient has agreed to marketing messages. */
export const withoutConsent = (): Refusal =>
  new Refusal('not-now', 'no recipient has a standing consent to marketing messages', undefined, {
    reason: 'no-consent',
  });

/** Refuses a send of which nothing is permitted at its time; `from` is when it is, Infinity for never. */
export function notPermittedNow(from: number): Refusal {
  if (from === NEVER) {
    return new Refusal('not-now', `not permitted within ${HORIZON_DAYS} days by the hours of the account`);
  }
  const time = new Date(from).toISOString();
  return new Refusal('not-now', `not permitted at this time; permitted from ${time} on`, undefined, {
    reason: 'outside-hours',
    params: { from: time },
  });
}
