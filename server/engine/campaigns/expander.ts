import type { TransactionSql } from '../../database/connection.ts';
import type { SealedText } from '../../database/sealed-text.ts';
import type { Context } from '../../kit/context.ts';
import { invariant } from '../../kit/observability/invariant.ts';
import { MAX_TRACED_MESSAGES } from '../../kit/observability/tracing/tracing.ts';
import { ownCodes, status } from '../../kit/statuses.ts';
import { forEachInSlices } from '../../kit/time-slices.ts';
import { parseAmount, toNumeric } from '../../modules/accounts/money.ts';
import { isOverdraft, moveWallet } from '../../modules/accounts/wallets.ts';
import type { StandingConsents } from '../../modules/consents/standing.ts';
import { canWait, type Restriction, type SendingGate } from '../../modules/sending-policy/gate.ts';
import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import type { MessageKind } from '../carriers/route-conditions.ts';
import type { Events } from '../events/events.ts';
import type { Gate, Pass } from '../gate/gate.ts';
import { BatchCutter } from '../messages/batch-cutter.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import { kindOf } from '../messages/message-kind.ts';
import { accepted } from '../messages/metrics.ts';
import { notAgreed, type PlannedMessage } from '../messages/plan.ts';
import { RESTING_MS } from '../messages/resting.ts';
import { shipmentStates } from '../messages/shipment-states.ts';
import { startShipments } from '../messages/start-shipments.ts';
import { insertMessages, storeBatches } from '../messages/store-messages.ts';
import { faultName } from '../messages/traces.ts';
import { storeWaits } from '../messages/waits.ts';
import type { WorkLease } from '../work/lease.ts';
import type { WorkRunner } from '../work/runner.ts';
import type { Work } from '../work/work.ts';
import type { Outcome } from '../work/worker.ts';
import { lockShipment } from './lock.ts';
import type { CampaignPage, CampaignRow, CampaignSource, CampaignSources } from './source.ts';
import { BY_WORK, CAMPAIGN, previousCampaigns } from './steps.ts';

/** Milliseconds between two looks for due campaigns. */
const LOOK_MS = 200;
/** Steps at a time in one process, each of another account: they wait for the account's wallet. */
const PLACES = 3;
/** Much longer than a step takes. */
const DEADLINE_MS = 120_000;
/** Milliseconds before a step that failed is repeated. */
const PAUSE_MS = 30_000;

export interface ExpanderDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'channels' | 'tracing'> {
  readonly events: Events;
  readonly gate: Pick<Gate, 'refresh' | 'again' | 'isSuspended'>;
  readonly sendingGate: Pick<SendingGate, 'of' | 'needsConsent'>;
  readonly standingConsents: Pick<StandingConsents, 'of'>;
  readonly work: Pick<Work, 'register'>;
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

/** Values that determine the batches of a step. */
interface Cut {
  readonly restriction: Restriction | undefined;
  readonly trace: string | undefined;
  readonly kind: MessageKind;
  readonly now: number;
}

/** A campaign whose step this process makes. */
interface ClaimedCampaign extends CampaignRow {
  /** Due time of the step, in milliseconds since the epoch. */
  readonly next_at: number;
  readonly lease: WorkLease;
  readonly source: CampaignSource;
}

/** The campaign was paused or cancelled, or a process of the version before has its lease. */
class CampaignLost extends Error {}

/**
 * Creates the messages of campaigns: STEP recipients per step, each step in one transaction that also stores the
 * campaign's position. So a list of a million takes no more memory than one of a thousand, and another process repeats
 * the uncommitted work of a killed one without sending to a recipient twice. Each campaign is an item of background
 * work until its last step, so accounts take turns by step, and so do the campaigns of an account.
 */
export class Expander {
  readonly #deps: ExpanderDeps;
  readonly #sources: CampaignSources;
  readonly #runner: WorkRunner;

  /** `sources` may still grow: channels are opened later. */
  constructor(deps: ExpanderDeps, sources: CampaignSources) {
    this.#deps = deps;
    this.#sources = sources;
    this.#runner = deps.work.register({
      kind: CAMPAIGN,
      owner: 'campaigns',
      everyMs: LOOK_MS,
      places: PLACES,
      perAccount: 1,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: [PAUSE_MS] },
      step: (_, lease) => this.#begin(lease),
      previous: previousCampaigns,
    });
  }

  /** Makes steps until none is due. */
  run(): Promise<void> {
    return this.#runner.run();
  }

  async #begin(lease: WorkLease): Promise<Outcome> {
    const { sql, clock } = this.#deps;
    const { accountId, key } = lease.item;
    const [row] = await sql<(CampaignRow & { next_at: number })[]>`
      SELECT * FROM campaigns
      WHERE account_id = ${accountId} AND id = ${key} AND next_at IS NOT NULL AND lease_until = ${BY_WORK}`;
    if (!row) return 'done';
    if (row.next_at > clock.now()) return { later: row.next_at };
    const source = this.#sources.get(row.channel);
    if (!source) throw new Error('no channel has such campaigns');
    try {
      await this.#traced({ ...row, lease, source });
      return 'settled';
    } catch (error) {
      if (!(error instanceof CampaignLost)) throw error;
      // A pause and a cancellation remove the item.
      return { later: clock.now() + PAUSE_MS };
    }
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
      const page = await campaign.source.nextPage(campaign);
      const rendered = await campaign.source.render(campaign, page);
      const agreed = sendingGate.needsConsent(send) ? await this.#withConsent(campaign, rendered) : rendered;
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
  async #rest({ account_id: accountId, id, lease }: ClaimedCampaign): Promise<void> {
    await this.#deps.sql.begin(async (tx) => {
      await tx`
        UPDATE campaigns SET next_at = next_at + ${RESTING_MS}, lease_until = 0
        WHERE account_id = ${accountId} AND id = ${id} AND lease_until = ${BY_WORK} AND next_at < ${RESTING_MS}`;
      await lease.done(tx);
    });
  }

  /** Applies a policy that requires consents: messages to recipients without one are not sent and cost nothing. */
  async #withConsent(
    { account_id: accountId, source }: ClaimedCampaign,
    messages: readonly PlannedMessage[],
  ): Promise<PlannedMessage[]> {
    const recipients = messages.flatMap(({ item, status: planned }) =>
      planned === status.sent ? [{ accountId, recipient: item.phone }] : [],
    );
    const agreed = await this.#deps.standingConsents.of(recipients);
    return messages.map((message) => {
      const channel = message.channel ?? source.channel;
      if (message.status !== status.sent || agreed(accountId, channel, message.item.phone)) return message;
      return { ...message, price: 0, ...notAgreed };
    });
  }

  /**
   * Postpones a campaign if the policy permits no message now, and returns whether it did: its messages are rendered
   * when recipients may receive them. If the time zone of each recipient decides, the messages wait instead.
   */
  async #waits(campaign: ClaimedCampaign, restriction: Restriction): Promise<boolean> {
    const { account_id: accountId, id, lease, next_at: after } = campaign;
    const { sql, ids, clock } = this.#deps;
    const now = clock.now();
    const from = restriction.forAll?.(now) ?? now;
    if (from <= now || !canWait(restriction, from)) return false;
    await sql.begin(async (tx) => {
      const { count } = await tx`
        UPDATE campaigns SET next_at = ${from}
        WHERE account_id = ${accountId} AND id = ${id} AND lease_until = ${BY_WORK} AND next_at <= ${now}`;
      const wait = { reason: 'sending-hours', from: now, until: from, after } as const;
      if (count > 0)
        await storeWaits(tx, [{ ...wait, accountId, id: ids.next(), subjectId: id, messageIds: null }]);
      await lease.later(tx, from);
    });
    return true;
  }

  /**
   * Returns the messages that the account can pay for, and marks the others. The campaign's reservation is used first.
   */
  async #withinCredit(
    campaign: ClaimedCampaign,
    page: CampaignPage,
    messages: PlannedMessage[],
  ): Promise<Step> {
    const { source } = campaign;
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

  /** Stores a step. Returns the number of messages to send. Throws CampaignLost and WorkLost. */
  async #store(
    tx: TransactionSql,
    pass: Pass,
    campaign: ClaimedCampaign,
    step: Step,
    restriction: Restriction | undefined,
    now: number,
  ): Promise<number> {
    const { events } = this.#deps;
    const { account_id: accountId, id, source } = campaign;
    const blocked = await startShipments(tx, this.#deps, now, accountId, [id]);
    const shipment = await lockShipment(tx, accountId, id);
    if (shipment?.state !== shipmentStates.running || shipment.paused_at !== null) throw new CampaignLost();
    const decided = source.authorize
      ? await source.authorize(tx, campaign, step.page, step.messages, now)
      : step.messages;
    const { messages, batches, lastDueAt } = this.#cut(campaign, decided, {
      restriction,
      trace: step.trace,
      kind: kindOf(lanes.bulk, pass.rule),
      now,
    });
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
      storeBatches(tx, [pass], accountId, batches),
    ]);
    await this.#moveOn(tx, campaign, { ...step, messages }, cost, now);
    return messages.length - refused.length;
  }

  /** Puts the messages to send into batches of the campaign. */
  #cut(
    campaign: ClaimedCampaign,
    decided: readonly PlannedMessage[],
    { restriction, trace, kind, now }: Cut,
  ) {
    const cutter = new BatchCutter(this.#deps.channels);
    const wait = { reason: 'sending-hours', from: now } as const;
    let lastDueAt = now;
    const messages = decided.map((planned, index) => {
      const message = trace && index < MAX_TRACED_MESSAGES ? { ...planned, trace } : planned;
      if (message.status !== status.sent) return message;
      const dueAt = restriction?.from(message.item.phone, now) ?? now;
      const to = {
        channel: message.channel ?? campaign.source.channel,
        route: campaign.source.routeOf(campaign, message, { kind, at: dueAt }),
      };
      lastDueAt = Math.max(lastDueAt, dueAt);
      const due = dueAt > now ? { at: dueAt, wait } : { at: dueAt, wait: null };
      const batchId = cutter.take(to, lanes.bulk, due, campaign.id, message.id).id;
      return dueAt > now ? { ...message, batchId, code: ownCodes.sendingHours } : { ...message, batchId };
    });
    return { messages, batches: cutter.batches, lastDueAt };
  }

  /** Stores the campaign's position and pays for the step; the wallet is the last lock. Throws CampaignLost and WorkLost. */
  async #moveOn(
    tx: TransactionSql,
    campaign: ClaimedCampaign,
    { page, messages, isWhole }: Step,
    cost: number,
    now: number,
  ): Promise<void> {
    const { ids } = this.#deps;
    const { account_id: accountId, id, lease, source } = campaign;
    const place = isWhole ? page.next : source.placeAfter!(campaign, page, messages.length);
    const isEnd = place === null;
    const held = parseAmount(campaign.held);
    const released = isEnd ? held : Math.min(held, cost);
    invariant(held >= 0 && cost >= 0, 'counts', () => ({ accountId, campaignId: id, held, cost }));
    const done = isWhole ? page.size : messages.length;
    const rows = await tx`
      UPDATE campaigns SET held = ${toNumeric(held - released)}::numeric,
        ${
          isEnd
            ? tx`remaining = 0, next_at = NULL`
            : tx`remaining = greatest(0, remaining - ${done}), place = ${tx.json(place as never)}`
        }
      WHERE account_id = ${accountId} AND id = ${id} AND lease_until = ${BY_WORK} AND next_at IS NOT NULL
      RETURNING id`;
    if (rows.length === 0) throw new CampaignLost();
    if (isEnd) await lease.done(tx);
    else await lease.later(tx, now);
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
