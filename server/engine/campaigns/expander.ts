import type { TransactionSql } from '../../database/connection.ts';
import type { DueRows } from '../../database/due-look.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { newClaim } from '../../database/leases.ts';
import type { SealedText } from '../../database/sealed-text.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Context } from '../../kit/context.ts';
import { invariant } from '../../kit/observability/invariant.ts';
import { MAX_TRACED_MESSAGES } from '../../kit/observability/tracing/tracing.ts';
import type { Owner } from '../../kit/owners.ts';
import { ownCodes, status } from '../../kit/statuses.ts';
import { forEachInSlices } from '../../kit/time-slices.ts';
import { parseAmount, toNumeric } from '../../modules/accounts/money.ts';
import { isOverdraft, moveWallet } from '../../modules/accounts/wallets.ts';
import type { StandingConsents } from '../../modules/consents/standing.ts';
import { canWait, type Restriction, type SendingGate } from '../../modules/sending-policy/gate.ts';
import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import type { Events } from '../events/events.ts';
import type { Gate, Pass } from '../gate/gate.ts';
import { BatchCutter } from '../messages/batch-cutter.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import { accepted } from '../messages/metrics.ts';
import { notAgreed, type PlannedMessage } from '../messages/plan.ts';
import { RESTING_MS } from '../messages/resting.ts';
import { shipmentStates } from '../messages/shipment-states.ts';
import { startShipments } from '../messages/start-shipments.ts';
import { insertBatches, insertMessages } from '../messages/store-messages.ts';
import { faultName } from '../messages/traces.ts';
import { lockShipment } from './lock.ts';
import type { CampaignPage, CampaignRow, CampaignSource } from './source.ts';

// Lease of a campaign in milliseconds: after this time another process takes over the work of a killed one.
const LEASE_MS = 30_000;
const CANDIDATES = 10;

export interface ExpanderDeps
  extends Pick<Context, 'sql' | 'asyncCommitSql' | 'ids' | 'clock' | 'log' | 'channels' | 'tracing'> {
  readonly events: Events;
  readonly gate: Pick<Gate, 'refresh' | 'again' | 'isSuspended'>;
  readonly sendingGate: Pick<SendingGate, 'of' | 'needsConsent'>;
  readonly standingConsents: Pick<StandingConsents, 'of'>;
  /** Identifies this process in leases. */
  readonly owner: string;
  /** Called after the commit for an account with new work. A hint: nothing depends on it. */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

/** The messages of a step. */
interface Step {
  readonly page: CampaignPage;
  /** All messages of the page, or those of its first recipients. */
  readonly messages: readonly PlannedMessage[];
  readonly isWhole: boolean;
  /** Trace context of its first messages, if the step is traced. */
  readonly trace?: string | undefined;
}

/** A campaign leased by this process. */
interface ClaimedCampaign extends CampaignRow {
  /** Claim of the lease (database/leases.ts). */
  readonly lease_owner: string;
}

/** The campaign was paused or cancelled, or another process has its lease. */
class CampaignLost extends Error {}

/**
 * Creates the messages of a channel's campaigns: STEP recipients per step, each step in one transaction that also
 * stores the campaign's position. So a list of a million takes no more memory than one of a thousand, and another
 * process repeats the uncommitted work of a killed one without sending to a recipient twice. Campaigns take turns by
 * step.
 */
export class Expander {
  /** Name of its loop. */
  readonly loop: Owner;
  readonly #deps: ExpanderDeps;
  readonly #source: CampaignSource;
  #stopping = false;

  constructor(deps: ExpanderDeps, source: CampaignSource) {
    this.#deps = deps;
    this.#source = source;
    this.loop = source.loop;
  }

  /** Selects the campaigns that `run` would work on. */
  due(): DueRows {
    return this.#due(leaseClock.now(), this.#deps.clock.now());
  }

  /** Works until nothing is due, or `stop` is called. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      const campaign = await this.#claim();
      if (!campaign) return;
      try {
        await this.#traced(campaign);
      } catch (error) {
        if (error instanceof CampaignLost) continue;
        if (isDatabaseTrouble(error)) throw error;
        // Its lease is the pause before the next attempt.
        this.#deps.log.error(
          { err: error, campaignId: campaign.id },
          'campaign not expanded, next attempt when its lease ends',
        );
      }
    }
  }

  /** Ends `run` after its current step. */
  stop(): void {
    this.#stopping = true;
  }

  async #claim(): Promise<ClaimedCampaign | undefined> {
    const { asyncCommitSql, clock, owner } = this.#deps;
    const leaseNow = leaseClock.now();
    const dueBy = clock.now();
    const due = await asyncCommitSql<{ account_id: number; id: number }[]>`
      SELECT account_id, id ${this.#due(leaseNow, dueBy)}
      ORDER BY turn_at LIMIT ${CANDIDATES}`;
    for (const { account_id, id } of due) {
      const [campaign] = await asyncCommitSql<ClaimedCampaign[]>`
        UPDATE campaigns SET lease_owner = ${newClaim(owner)}, lease_until = ${leaseNow + LEASE_MS}, turn_at = ${leaseNow}
        WHERE account_id = ${account_id} AND id = ${id} AND lease_until < ${leaseNow} AND next_at <= ${dueBy}
        RETURNING *`;
      if (campaign) return campaign;
    }
    return undefined;
  }

  #due(leaseNow: number, dueBy: number): DueRows {
    return this.#deps.asyncCommitSql`
      FROM campaigns WHERE channel = ${this.#source.channel} AND next_at <= ${dueBy} AND lease_until < ${leaseNow}`;
  }

  /**
   * Runs a step, in a separate trace if the campaign is traced: the trace of the request would last as long as the
   * campaign.
   */
  async #traced(campaign: ClaimedCampaign): Promise<void> {
    const { tracing, channels } = this.#deps;
    if (!tracing || !campaign.trace) return this.#step(campaign);
    const { account_id, id, channel, trace } = campaign;
    const span = tracing.group(`expand ${channels.of(channel).name}`, [trace], {
      kind: 'producer',
      attributes: { 'carillon.account_id': account_id, 'carillon.campaign_id': id },
    });
    let error: string | undefined;
    try {
      await this.#step(campaign, span.trace);
    } catch (thrown) {
      error = faultName(thrown);
      throw thrown;
    } finally {
      span.end({ error });
    }
  }

  async #step(campaign: ClaimedCampaign, trace?: string): Promise<void> {
    const { sql, ids, clock, notifyDispatcher } = this.#deps;
    const { account_id: accountId, id } = campaign;
    const [shipment] = await sql<{ last_id: number; sending_rule: SendingRule | null }[]>`
      SELECT last_id, sending_rule FROM shipments WHERE account_id = ${accountId} AND id = ${id}`;
    const { gate, sendingGate } = this.#deps;
    await gate.refresh([accountId]);
    if (gate.isSuspended(accountId)) return this.#rest(campaign);
    const pass = gate.again(campaign, shipment!.sending_rule);
    const send = { accountId, isCampaign: true, rule: shipment!.sending_rule };
    const restriction = sendingGate.of(send);
    if (restriction && (await this.#waits(campaign, restriction))) return;
    ids.passOver(shipment!.last_id);
    for (;;) {
      const page = await this.#source.nextPage(campaign);
      const rendered = await this.#source.render(campaign, page);
      const agreed = sendingGate.needsConsent(send) ? await this.#withConsent(accountId, rendered) : rendered;
      const permitted = restriction ? withinHours(agreed, restriction, clock.now()) : agreed;
      const step = await this.#withinCredit(campaign, page, permitted);
      try {
        const store = (tx: TransactionSql) =>
          this.#store(tx, pass, campaign, { ...step, trace }, restriction, clock.now());
        const sent = await sql.begin(store);
        accepted.inc(sent);
        if (sent > 0) notifyDispatcher(accountId, lanes.bulk);
        return;
      } catch (error) {
        // The account has just spent credit elsewhere: retry with the rest.
        if (!isOverdraft(error)) throw error;
      }
    }
  }

  /** Puts a campaign of a suspended account to rest (engine/messages/resting.ts). */
  async #rest({ account_id: accountId, id, lease_owner: claim }: ClaimedCampaign): Promise<void> {
    const { asyncCommitSql } = this.#deps;
    await asyncCommitSql`
      UPDATE campaigns SET next_at = next_at + ${RESTING_MS}, lease_owner = NULL, lease_until = 0
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim} AND next_at < ${RESTING_MS}`;
  }

  /** Applies a policy that requires consents: messages to recipients without one are not sent and cost nothing. */
  async #withConsent(accountId: number, messages: readonly PlannedMessage[]): Promise<PlannedMessage[]> {
    const recipients = messages.flatMap(({ item, status: planned }) =>
      planned === status.sent ? [{ accountId, recipient: item.phone }] : [],
    );
    const agreed = await this.#deps.standingConsents.of(recipients);
    return messages.map((message) => {
      const channel = message.channel ?? this.#source.channel;
      if (message.status !== status.sent || agreed(accountId, channel, message.item.phone)) return message;
      return { ...message, price: 0, ...notAgreed };
    });
  }

  /**
   * Postpones a campaign if the policy permits no message now, and returns whether it did: its messages are rendered
   * when recipients may receive them. If the time zone of each recipient decides, the messages wait instead.
   */
  async #waits(campaign: ClaimedCampaign, restriction: Restriction): Promise<boolean> {
    const { account_id: accountId, id, lease_owner: claim } = campaign;
    const { asyncCommitSql, clock } = this.#deps;
    const now = clock.now();
    const from = restriction.forAll?.(now) ?? now;
    if (from <= now || !canWait(restriction, from)) return false;
    await asyncCommitSql`
      UPDATE campaigns SET next_at = ${from}, lease_owner = NULL, lease_until = 0
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim} AND next_at <= ${now}`;
    return true;
  }

  /**
   * Returns the messages that the account can pay for, and marks the others. The campaign's reservation is used first.
   */
  async #withinCredit(campaign: CampaignRow, page: CampaignPage, messages: PlannedMessage[]): Promise<Step> {
    const source = this.#source;
    let left = parseAmount(campaign.held);
    if (messages.reduce((sum, { price }) => sum + price, 0) <= left) return { page, messages, isWhole: true };
    const [wallet] = await this.#deps.sql<{ balance: string }[]>`
      SELECT balance FROM wallets WHERE account_id = ${campaign.account_id}`;
    left += parseAmount(wallet!.balance);
    const done: PlannedMessage[] = [];
    let isExact = true;
    for (const message of messages) {
      if (message.price > left) {
        if (!isExact) return { page, messages: done, isWhole: false };
        done.push(source.unpaid(message));
        continue;
      }
      if (message.price > 0 && source.placeAfter) isExact = false;
      left -= message.price;
      done.push(message);
    }
    return { page, messages: done, isWhole: true };
  }

  /** Stores a step. Returns the number of messages to send. Throws CampaignLost. */
  async #store(
    tx: TransactionSql,
    pass: Pass,
    campaign: ClaimedCampaign,
    step: Step,
    restriction: Restriction | undefined,
    now: number,
  ): Promise<number> {
    const { events } = this.#deps;
    const source = this.#source;
    const { account_id: accountId, id } = campaign;
    const blocked = await startShipments(tx, this.#deps, now, accountId, [id]);
    const shipment = await lockShipment(tx, accountId, id);
    if (shipment?.state !== shipmentStates.running || shipment.paused_at !== null) throw new CampaignLost();
    const decided = source.authorize
      ? await source.authorize(tx, campaign, step.page, step.messages, now)
      : step.messages;
    const { messages, batches, lastDueAt } = this.#cut(campaign, decided, restriction, step.trace, now);
    const refused = messages.filter(({ batchId }) => batchId === 0);
    const cost = messages.reduce((sum, { price }) => sum + price, 0);
    const own: (string | SealedText | null)[] = [];
    await forEachInSlices(messages, ({ text }) => own.push(tx.waitingText(accountId, text)));
    await Promise.all([
      events.record(tx, accountId, [
        ...blocked,
        ...refused.flatMap((message) => source.refused?.(campaign, message, now) ?? []),
      ]),
      tx`
        UPDATE shipments SET message_count = message_count + ${messages.length},
          cost = cost + ${toNumeric(cost)}::numeric, last_id = ${messages.at(-1)?.id ?? shipment.last_id},
          valid_until = greatest(valid_until, ${lastDueAt + source.validityMs}::bigint)
        WHERE account_id = ${accountId} AND id = ${id}`,
      insertMessages(
        tx,
        [pass],
        accountId,
        messages,
        messages.map(({ callerId, item }) => callerId ?? item.source ?? campaign.sender),
        own,
        now,
        source.channel,
      ),
      insertBatches(tx, [pass], accountId, batches),
    ]);
    await this.#moveOn(tx, campaign, { ...step, messages }, cost, now);
    return messages.length - refused.length;
  }

  /** Puts the messages to send into batches of the campaign. */
  #cut(
    campaign: CampaignRow,
    decided: readonly PlannedMessage[],
    restriction: Restriction | undefined,
    trace: string | undefined,
    now: number,
  ) {
    const cutter = new BatchCutter(this.#deps.channels);
    let lastDueAt = now;
    const messages = decided.map((planned, index) => {
      const message = trace && index < MAX_TRACED_MESSAGES ? { ...planned, trace } : planned;
      if (message.status !== status.sent) return message;
      const to = {
        channel: message.channel ?? this.#source.channel,
        route: this.#source.routeOf(campaign, message),
      };
      const dueAt = restriction?.from(message.item.phone, now) ?? now;
      lastDueAt = Math.max(lastDueAt, dueAt);
      const batchId = cutter.take(to, lanes.bulk, dueAt, campaign.id, message.id).id;
      return dueAt > now ? { ...message, batchId, code: ownCodes.sendingHours } : { ...message, batchId };
    });
    return { messages, batches: cutter.batches, lastDueAt };
  }

  /** Stores the campaign's position and pays for the step; the wallet is the last lock. Throws CampaignLost. */
  async #moveOn(
    tx: TransactionSql,
    campaign: ClaimedCampaign,
    { page, messages, isWhole }: Step,
    cost: number,
    now: number,
  ): Promise<void> {
    const { ids } = this.#deps;
    const { account_id: accountId, id, lease_owner: claim } = campaign;
    const place = isWhole ? page.next : this.#source.placeAfter!(campaign, page, messages.length);
    const isEnd = place === null;
    const held = parseAmount(campaign.held);
    const released = isEnd ? held : Math.min(held, cost);
    invariant(held >= 0 && cost >= 0, 'counts', () => ({ accountId, campaignId: id, held, cost }));
    const done = isWhole ? page.size : messages.length;
    const rows = await tx`
      UPDATE campaigns SET held = ${toNumeric(held - released)}::numeric, lease_owner = NULL, lease_until = 0,
        ${
          isEnd
            ? tx`remaining = 0, next_at = NULL`
            : tx`remaining = greatest(0, remaining - ${done}), place = ${tx.json(place as never)}`
        }
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim} AND next_at IS NOT NULL
      RETURNING id`;
    if (rows.length === 0) throw new CampaignLost();
    const entries = [
      ...(released > 0 ? [{ kind: 'release', amount: released, shipmentId: id } as const] : []),
      ...(cost > 0 ? [{ kind: 'charge', amount: -cost, shipmentId: id } as const] : []),
    ];
    if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
  }
}

/** Applies a policy: messages that are not permitted now, and do not wait, are not sent and cost nothing. */
function withinHours(messages: PlannedMessage[], restriction: Restriction, now: number): PlannedMessage[] {
  return messages.map((message) => {
    if (message.status !== status.sent) return message;
    const dueAt = restriction.from(message.item.phone, now);
    if (dueAt === now || canWait(restriction, dueAt)) return message;
    return { ...message, price: 0, status: status.notAtThisHour, code: ownCodes.sendingHours };
  });
}
