import { badField, Refusal } from '../../kit/errors.ts';
import { countryOf, timeZonesOf } from '../../kit/numbers/countries.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { AskedRecipient, AskedSend, StandingConsents } from '../consents/standing.ts';
import {
  type FrequencyCap,
  noPolicy,
  type OwnHours,
  type SendingPolicy,
  type SendingRule,
  type Transactional,
} from './policy.ts';
import { firstPermitted, HORIZON_DAYS, permittedWithin, type Span } from './schedule.ts';
import type { SendingPolicies } from './sending-policies.ts';

const MAX_REMEMBERED = 10_000;
/** Time of sends that are never permitted. */
const NEVER = Number.POSITIVE_INFINITY;

/** The properties of a send that policies depend on. */
interface HeldSend {
  readonly accountId: number;
  /** Whether it is a campaign. */
  readonly isCampaign: boolean;
  /** Rule of the send itself; null: none. */
  readonly rule: SendingRule | null;
}

/** Times at which messages of a send are permitted. */
export interface Restriction {
  /** Action for messages outside the permitted times. */
  readonly outside: SendingPolicy['outside_hours'];
  /**
   * Returns the first time from `at` on when a message to a recipient is permitted, both in milliseconds since the
   * epoch: `at` itself if it is permitted, Infinity if it is not within HORIZON_DAYS. `null` for an unknown recipient:
   * in the time zone of the account.
   */
  from(recipient: string | null, at: number): number;
  /**
   * Returns the permitted periods of a recipient between two times, cut to them, in milliseconds since the epoch; without
   * recipient as in `from`.
   */
  spans(recipient: string | null, between: Span): readonly Span[];
  /** Returns the time zones in which a message to a recipient must be permitted, IANA names. */
  zonesOf(recipient: string | null): readonly string[];
  /** As `from`, for all recipients; undefined if the zone of each recipient decides. */
  readonly forAll?: (at: number) => number;
}

export interface SendingGateDeps {
  readonly policies: SendingPolicies;
  readonly accounts: Pick<Accounts, 'cached'>;
  readonly standingConsents: Pick<StandingConsents, 'of' | 'countMissing'>;
  /** Time zone of accounts without one. */
  readonly defaultZone: string;
}

/**
 * Decides when messages may be sent, by the policies in memory, which are up to a second old after
 * `policies.refresh()`. Does not depend on channels: a recipient without a phone number is in the time zone of the
 * account.
 */
export class SendingGate {
  readonly #deps: SendingGateDeps;
  /** Computed times. Each is valid until its end or, for a future one, until its beginning. */
  readonly #spans = new Map<string, { readonly at: number; readonly span: Span | null }>();

  constructor(deps: SendingGateDeps) {
    this.#deps = deps;
  }

  /** Returns the permitted times for messages of a send; undefined if they are permitted at any time. */
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
    const scheduleIn = (country: string | null) => ({
      ...{ hours, closedDates, restDays, ownHours },
      zones: zonesIn(country),
    });
    const from = (recipient: string | null, at: number) => {
      const country = countryFor(recipient);
      const span = this.#spanAt(`${key}/${country}`, at, () => firstPermitted(scheduleIn(country), at));
      return span === null ? NEVER : Math.max(at, span.begins);
    };
    return {
      outside: outside_hours,
      from,
      spans: (recipient, between) => permittedWithin(scheduleIn(countryFor(recipient)), between),
      zonesOf: (recipient) => zonesIn(countryFor(recipient)),
      ...(!byRecipient && { forAll: (at) => from(null, at) }),
    };
  }

  /** Returns the caps that count messages of a send. */
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

  /** Whether an account has caps, so that its messages are counted before submission. */
  hasCaps(accountId: number): boolean {
    return (this.#deps.policies.known(accountId)?.policy.caps.length ?? 0) > 0;
  }

  /** Returns the action for messages over a cap. */
  overCapOf(accountId: number): SendingPolicy['over_cap'] {
    return (this.#deps.policies.known(accountId)?.policy ?? noPolicy).over_cap;
  }

  /**
   * Returns the rule of a send for its input, by the policy as it was up to a second ago. Throws Refusal `not-allowed`
   * for a transactional send that the policy of the account does not permit, `bad-field` for a transactional send with
   * hours.
   */
  async ruleOf(
    accountId: number,
    { hours, transactional }: { readonly hours: string | null; readonly transactional: boolean },
  ): Promise<OwnHours | Transactional | null> {
    if (!transactional) return hours === null ? null : { hours };
    if (hours !== null) {
      throw badField('sending_hours', 'a transactional send has no hours', 'one-of-both');
    }
    await this.#deps.policies.refresh();
    this.checkTransactional(accountId);
    return { exempt: { transactional: true } };
  }

  /** Throws Refusal `not-allowed` if the policy in memory does not permit transactional sends. */
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
   * Returns the time at which a single message for now is permitted, in milliseconds since the epoch, by the policy as
   * it was up to a second ago. `channel` is an id. Throws Refusal `not-now` if it is not permitted now and may not
   * wait, or if its recipient has not agreed.
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
   * Checks a campaign that begins at `at` (milliseconds since the epoch), before it is accepted. Throws Refusal
   * `not-now` if no recipient is permitted then and messages may not wait.
   */
  async checkCampaign(accountId: number, rule: SendingRule | null, at: number): Promise<void> {
    await this.#deps.policies.refresh();
    const restriction = this.of({ accountId, isCampaign: true, rule });
    const from = restriction?.forAll?.(at) ?? at;
    if (from > at && !canWait(restriction!, from)) throw notPermittedNow(from);
  }

  /**
   * Returns the time at which a send that is due at `at` begins, both in milliseconds since the epoch: the first permitted
   * time, by the policy as it was up to a second ago. Where the zone of each recipient decides, that of a recipient in the
   * zone of the account. Null if it is never permitted.
   */
  async startOf(send: HeldSend, at: number): Promise<number | null> {
    await this.#deps.policies.refresh();
    const restriction = this.of(send);
    // Messages that may not wait fail at their time.
    if (restriction?.outside !== 'wait') return at;
    const from = restriction.from(null, at);
    return from === NEVER ? null : from;
  }

  /**
   * Returns the number of recipients of a send without consent, as far as known (`StandingConsents.countMissing`), by
   * the policy as it was up to a second ago; null if no consent is needed.
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

/** Whether a message may wait until it is permitted. */
export const canWait = ({ outside }: Pick<Restriction, 'outside'>, from: number): boolean =>
  outside === 'wait' && from !== NEVER;

/** Returns the refusal for a send without any recipient who has agreed to marketing messages. */
export const withoutConsent = (): Refusal =>
  new Refusal('not-now', 'no recipient has a standing consent to marketing messages', undefined, {
    reason: 'no-consent',
  });

/**
 * Returns the refusal for a send that is not permitted at its time; `from` is when it is permitted, Infinity for never.
 */
export function notPermittedNow(from: number): Refusal {
  if (from === NEVER) {
    return new Refusal(
      'not-now',
      `not permitted within ${HORIZON_DAYS} days by the hours of the account`,
      undefined,
      { reason: 'never-within-hours', params: { days: HORIZON_DAYS } },
    );
  }
  const time = new Date(from).toISOString();
  return new Refusal('not-now', `not permitted at this time; permitted from ${time} on`, undefined, {
    reason: 'outside-hours',
    params: { from: time },
  });
}
