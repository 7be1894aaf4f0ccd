import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { timeOfId } from '../../kit/ids.ts';
import { ownCodes, status } from '../../kit/statuses.ts';
import type { StandingConsents } from '../../modules/consents/standing.ts';
import type { CapCounter } from '../../modules/sending-policy/caps.ts';
import type { SendingGate } from '../../modules/sending-policy/gate.ts';
import type { Destinations } from '../gate/destinations.ts';
import type { Gate } from '../gate/gate.ts';
import { lanes } from '../messages/lanes.ts';
import { type BlockedDeps, blacklistedOf } from '../messages/recipients.ts';
import type { BatchReason } from '../messages/waits.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';

/** Minimum validity, in milliseconds, of a message when it continues after a wait. */
const LEAST_MS = 3_600_000;

/**
 * Age in milliseconds from which a message is compared with the blacklist again. Newer ones were just compared at their
 * acceptance, so a queue without a backlog needs no statement.
 */
const COMPARED_MS = 60_000;

/** Why a message must not be submitted at its turn. */
export interface Hold {
  /** Time from which it may be submitted, in milliseconds since the epoch; Infinity for never. */
  readonly until: number;
  /** Whether it waits beyond its validity, which is extended; otherwise it fails. */
  readonly waits: boolean;
  /** Why it waits; null for a message that is never submitted. */
  readonly reason: Extract<BatchReason, 'sending-hours' | 'frequency-cap'> | null;
  /** One of `ownCodes`. */
  readonly code: string;
  /** Status of the message if it fails; `notAtThisHour` by default. */
  readonly failure?: number;
}

const deniedRange: Hold = {
  until: Number.POSITIVE_INFINITY,
  waits: false,
  reason: null,
  code: ownCodes.deniedRange,
  failure: status.noPermission,
};

const blacklisted: Hold = {
  until: Number.POSITIVE_INFINITY,
  waits: false,
  reason: null,
  code: ownCodes.blacklisted,
  failure: status.blockedOnRequest,
};

export interface PermitsDeps
  extends Pick<Context, 'sql' | 'clock' | 'channels'>,
    Pick<BlockedDeps, 'suppressions'> {
  readonly destinations: Pick<Destinations, 'refresh' | 'find'>;
  readonly gate: Pick<Gate, 'refresh' | 'isSuspended'>;
  readonly sendingGate: SendingGate;
  readonly standingConsents: Pick<StandingConsents, 'of'>;
  readonly capCounter: Pick<CapCounter, 'admit'>;
}

/**
 * Applies the sending policies of accounts to messages just before their submission, on every channel and for every
 * origin. One-time codes are exempt from policies, but not from denied ranges of numbers.
 */
export class Permits {
  readonly #deps: PermitsDeps;

  constructor(deps: PermitsDeps) {
    this.#deps = deps;
  }

  /**
   * Whether single messages of an account must be read from the database before dispatch: for counting caps, or for
   * checking consents.
   */
  areReadAnew(accountId: number): boolean {
    const { sendingGate } = this.#deps;
    return (
      sendingGate.hasCaps(accountId) || sendingGate.needsConsent({ accountId, isCampaign: false, rule: null })
    );
  }

  /** Returns why a message must not be submitted at `now` (milliseconds since the epoch); undefined when it may be. */
  holdOf(message: DueMessage, now: number): Hold | undefined {
    if (message.hold) return message.hold;
    if (this.#isDenied(message)) return deniedRange;
    if (message.batch.lane === lanes.otp) return undefined;
    const restriction = this.#deps.sendingGate.of(sendOf(message));
    const until = restriction?.from(message.destination, now) ?? now;
    if (until <= now) return undefined;
    const waits = restriction!.outside === 'wait' && Number.isFinite(until);
    return { until, waits, reason: 'sending-hours', code: ownCodes.sendingHours };
  }

  /** Whether the account must not send to the number's range: the rule may be newer than the message. */
  #isDenied({ accountId, destination, batch }: DueMessage): boolean {
    if (!this.#isOfPhones(batch)) return false;
    return this.#deps.destinations.find(accountId, destination)?.permitted === false;
  }

  /** Whether a batch has SMS or calls: only these have routes and prices by the prefix of the number. */
  #isOfPhones({ channel }: LoadedBatch): boolean {
    return this.#deps.channels.of(channel).connectors.routing === 'by-destination';
  }

  /** Reloads stale policies, accounts and denied ranges before messages of these accounts are read. */
  async refresh(accountIds: Iterable<number>): Promise<void> {
    await this.#deps.gate.refresh(accountIds);
    await this.#deps.destinations.refresh();
  }

  /** Whether messages of an account rest because it, or its parent account, is suspended. */
  isSuspended(accountId: number): boolean {
    return this.#deps.gate.isSuspended(accountId);
  }

  /**
   * Marks messages that were just read and are not permitted, and counts the others for the caps of their accounts. All
   * accounts have one placement, and `sql` are its connections.
   */
  async judge(batches: readonly LoadedBatch[], sql: Sql): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#askBlacklist(batches, sql, now);
    await this.#askConsents(batches, sql);
    for (const [accountId, mine] of Map.groupBy(batches, (batch) => batch.accountId)) {
      const messages = mine.flatMap((batch) => (batch.lane === lanes.otp ? [] : batch.messages));
      for (const message of messages) {
        const hold = this.holdOf(message, now);
        if (hold) message.hold = hold;
      }
      if (this.#deps.sendingGate.hasCaps(accountId)) {
        await this.#count(
          accountId,
          messages.filter(({ hold }) => !hold),
        );
      }
      await this.#extend(accountId, messages, now);
    }
  }

  /** Marks SMS and calls whose recipients were blacklisted after the messages were accepted. */
  async #askBlacklist(batches: readonly LoadedBatch[], sql: Sql, now: number): Promise<void> {
    const asked = batches.flatMap((batch) =>
      batch.lane === lanes.otp || !this.#isOfPhones(batch)
        ? []
        : batch.messages.filter(({ id }) => timeOfId(id) < now - COMPARED_MS),
    );
    if (asked.length === 0) return;
    const { suppressions } = this.#deps;
    const blocked = await blacklistedOf(
      { sql, suppressions },
      { phones: asked.map((one) => one.destination), accounts: asked.map((one) => one.accountId) },
    );
    for (const message of asked)
      if (blocked.get(message.accountId)?.has(message.destination)) message.hold = blacklisted;
  }

  /**
   * Marks messages whose recipients have not consented, or have withdrawn their consent since the messages were
   * accepted.
   */
  async #askConsents(batches: readonly LoadedBatch[], sql: Sql): Promise<void> {
    const { sendingGate, standingConsents } = this.#deps;
    const asked = batches.flatMap(({ lane, messages }) =>
      lane === lanes.otp
        ? []
        : messages.filter((message) => !message.hold && sendingGate.needsConsent(sendOf(message))),
    );
    if (asked.length === 0) return;
    const recipients = asked.map(({ accountId, destination }) => ({ accountId, recipient: destination }));
    const agreed = await standingConsents.of(recipients, sql);
    for (const message of asked) {
      if (agreed(message.accountId, message.batch.channel, message.destination)) continue;
      message.hold = {
        until: Number.POSITIVE_INFINITY,
        waits: false,
        reason: null,
        code: ownCodes.noConsent,
      };
    }
  }

  /** Marks messages that exceed a cap. */
  async #count(accountId: number, messages: readonly DueMessage[]): Promise<void> {
    const { sendingGate, capCounter } = this.#deps;
    const capped = messages.filter((message) => sendingGate.capsOf(sendOf(message)).length > 0);
    if (capped.length === 0) return;
    const over = await capCounter.admit(
      accountId,
      sendingGate.capsOf(sendOf(capped[0]!)),
      capped.map(({ id, destination, batch }) => ({ id, recipient: destination, channel: batch.channel })),
    );
    const waits = sendingGate.overCapOf(accountId) === 'wait';
    for (const message of capped) {
      const until = over.get(message.id);
      if (until === undefined) continue;
      message.hold = {
        until: waits ? until : Number.POSITIVE_INFINITY,
        waits,
        reason: 'frequency-cap',
        code: ownCodes.frequencyCap,
      };
    }
  }

  /** Extends the validity of messages that wait beyond it: when they continue, they have their remaining validity. */
  async #extend(accountId: number, messages: readonly DueMessage[], now: number): Promise<void> {
    const late = messages.filter(({ hold, validUntil }) => hold?.waits && hold.until >= validUntil);
    if (late.length === 0) return;
    const until = new Map<number, number>();
    for (const message of late) {
      const left = Math.max(message.validUntil - now, LEAST_MS);
      message.validUntil = message.hold!.until + left;
      until.set(message.shipmentId, Math.max(until.get(message.shipmentId) ?? 0, message.validUntil));
    }
    await this.#deps.sql`
      UPDATE shipments s SET valid_until = greatest(s.valid_until, u.until)
      FROM unnest(${numbers([...until.keys()])}::bigint[], ${numbers([...until.values()])}::bigint[]) AS u (id, until)
      WHERE s.account_id = ${accountId} AND s.id = u.id`;
  }
}

const sendOf = ({ accountId, rule, batch }: DueMessage) => ({
  accountId,
  isCampaign: batch.lane === lanes.bulk,
  rule,
});
