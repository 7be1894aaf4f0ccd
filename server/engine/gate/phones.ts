import { Refusal } from '../../kit/errors.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { forEachInSlices, mapInSlices } from '../../kit/time-slices.ts';
import type { Sources } from '../../modules/audience/sources.ts';
import type { Destinations } from './destinations.ts';
import type { AskedSend, Gate, Pass } from './gate.ts';

/** A send to phones that asks to pass: an SMS or a call to each of its items. */
export interface AskedPhones extends Omit<AskedSend, 'recipients'> {
  /** Sender of the items without a sender. */
  readonly source: string;
  /** Senders of texts to contact lists. */
  readonly sources?: readonly string[];
  readonly items: readonly { readonly phone: string; readonly source: string | null }[];
  /** Whether the request permits numbers of other countries. */
  readonly international: boolean;
}

export interface PhoneGateDeps {
  readonly gate: Pick<Gate, 'refresh' | 'admit'>;
  readonly destinations: Pick<Destinations, 'refresh' | 'find'>;
  readonly sources: Pick<Sources, 'isApproved'>;
  readonly numbers: Pick<NumberReader, 'isInternational'>;
  /** Whether a sender must be verified or approved. */
  readonly verifySources: boolean;
  /** Sender of the SMS that the service writes itself: verifications and alerts. */
  readonly serviceSource: string;
}

/** Reason for which nothing may be sent to a number. */
type NumberProblem = 'international' | 'denied-range';

/**
 * The gate for SMS and calls. It asks `Gate`, then decides whether the account may use the senders and send to the numbers. It
 * decides from memory, so that a number costs less than a microsecond.
 */
export class PhoneGate {
  readonly #deps: PhoneGateDeps;

  constructor(deps: PhoneGateDeps) {
    this.#deps = deps;
  }

  /** Reads again what is too old. Call it once for a group, before `admit` and `problemOf`. */
  async refresh(accountIds: Iterable<number>): Promise<void> {
    await this.#deps.gate.refresh(accountIds);
    await this.#deps.destinations.refresh();
  }

  /**
   * Lets a send to phones pass. Throws Refusal as `Gate.admit` does, `source-not-verified` for a sender that the account may not
   * use, and `bad-destination` for a number in a denied range, or of another country when those were not asked for. Evidence
   * that the send answers somebody permits other countries; it does not permit denied ranges.
   */
  async admit(asked: AskedPhones): Promise<Pass> {
    const { gate } = this.#deps;
    const { accountId, rule, items, isDry = false } = asked;
    const recipients = rule && 'claims' in rule ? await mapInSlices(items, ({ phone }) => phone) : nobody;
    const admitted = gate.admit({ accountId, rule, recipients, isDry });
    const pass = admitted instanceof Promise ? await admitted : admitted;
    const isExempt = pass.rule !== null && 'exempt' in pass.rule;
    const international = asked.international || isExempt;
    if (items.length === 1) this.#checkNumber(accountId, items[0]!.phone, international);
    else await this.checkNumbers({ accountId, items, international });
    if (this.#deps.verifySources) {
      const senders = new Set(asked.sources);
      await forEachInSlices(items, ({ source }) => senders.add(source ?? asked.source));
      // Only with evidence for what it writes, the service uses its own sender for an account.
      if (isExempt && isOfService(rule)) senders.delete(this.#deps.serviceSource);
      await this.#checkSenders(accountId, senders);
    }
    return pass;
  }

  /**
   * The reason for which an account may not send to a number (E.164 digits), from memory; undefined when it may. For messages
   * of a campaign, of which each is decided on its own.
   */
  problemOf(accountId: number, phone: string, international: boolean): NumberProblem | undefined {
    if (!international && this.#deps.numbers.isInternational(phone)) return 'international';
    return this.#deps.destinations.find(accountId, phone)?.permitted === false ? 'denied-range' : undefined;
  }

  /**
   * Checks the numbers of a send, by what `refresh` has read. Throws Refusal `bad-destination` for a number in a denied range, or
   * of another country when those were not asked for.
   */
  async checkNumbers({
    accountId,
    items,
    international,
  }: Pick<AskedPhones, 'accountId' | 'international'> & {
    readonly items: readonly { readonly phone: string }[];
  }): Promise<void> {
    let problem: Refusal | undefined;
    await forEachInSlices(items, ({ phone }) => {
      problem ??= this.#problem(accountId, phone, international);
    });
    if (problem) throw problem;
  }

  /** As `checkNumbers`, for one number. */
  #checkNumber(accountId: number, phone: string, international: boolean): void {
    const problem = this.#problem(accountId, phone, international);
    if (problem) throw problem;
  }

  #problem(accountId: number, phone: string, international: boolean): Refusal | undefined {
    const problem = this.problemOf(accountId, phone, international);
    if (problem === undefined) return undefined;
    if (problem === 'international') {
      return new Refusal(
        'bad-destination',
        'an international number without includes_international',
        undefined,
        { reason: 'international', params: {} },
      );
    }
    const { prefix } = this.#deps.destinations.find(accountId, phone)!;
    return new Refusal(
      'bad-destination',
      `numbers that begin with ${prefix} are not allowed; ask the operator to permit them`,
      undefined,
      { reason: 'denied-range', params: { prefix } },
    );
  }

  async #checkSenders(accountId: number, senders: Iterable<string>): Promise<void> {
    const { sources } = this.#deps;
    for (const sender of senders) {
      if (await sources.isApproved(accountId, sender)) continue;
      throw new Refusal('source-not-verified', 'not a verified number or approved name of this account');
    }
  }
}

const nobody: readonly string[] = [];

/** Claims of messages that the service writes itself, with its own sender. */
const serviceClaims: ReadonlySet<string> = new Set(['verification', 'alert', 'contact']);

const isOfService = (rule: AskedPhones['rule']): boolean =>
  rule !== null && 'claims' in rule && serviceClaims.has(rule.claims);
