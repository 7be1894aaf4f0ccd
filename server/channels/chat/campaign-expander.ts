import type { Accounts } from '../../accounts/accounts.ts';
import { parseAmount, toNumeric } from '../../accounts/money.ts';
import type { PriceFinder, Prices } from '../../accounts/prices.ts';
import { isOverdraft, moveWallet } from '../../accounts/wallets.ts';
import type { ContactLists } from '../../audience/contact-lists.ts';
import type { Clock } from '../../clock.ts';
import type { Sql, TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Events, Pending } from '../../events/events.ts';
import type { IdSource } from '../../ids.ts';
import { lockShipment } from '../../messages/campaign-state.ts';
import { type Lane, lanes } from '../../messages/lanes.ts';
import { accepted } from '../../messages/metrics.ts';
import { startShipments } from '../../messages/start-shipments.ts';
import { insertBatches, insertFailed, insertMessages } from '../../messages/store-messages.ts';
import type { Logger } from '../../observability/log.ts';
import { admit, CHAT_PRICES } from './admit.ts';
import { cutBatches, failedEvents, failedOf, type Made } from './campaign-messages.ts';
import { type Page, placeWithin, readPage } from './campaign-recipients.ts';
import type { CampaignRow } from './campaign-rows.ts';
import { type Wish, wishFor, withinCredit } from './campaign-wishes.ts';
import { chatChannel } from './channel.ts';
import type { ChatNumber, ChatNumbers } from './numbers.ts';
import { chatStatus } from './statuses.ts';
import type { Templates } from './templates.ts';

// What a killed process worked on is taken up by another one after this.
const LEASE_MS = 30_000;
const CANDIDATES = 10;
const STATE_RUNNING = 1;

export interface CampaignExpanderParts {
  readonly sql: Sql;
  /** For leases (see database/connection.ts). */
  readonly relaxed: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly prices: Prices;
  readonly events: Events;
  readonly contactLists: ContactLists;
  readonly chatNumbers: Pick<ChatNumbers, 'find'>;
  readonly templates: Pick<Templates, 'byRowId'>;
  /** Of accounts that have none of their own. */
  readonly defaultZone: string;
  /** Templates are held for unanswered so long, in milliseconds; 0: until the client writes (CHAT_UNANSWERED_DAYS). */
  readonly forgetUnansweredMs: number;
  /** How long delivery of a message is tried, in milliseconds. */
  readonly validityMs: number;
  /** Names this process in leases. */
  readonly owner: string;
  /** Called after the commit for an account that has new work. A hint; nothing rests on it. */
  readonly wake: (accountId: number, lane: Lane) => void;
}

/** What is known before the transaction of a step. */
interface Step {
  readonly page: Page;
  /** By the page's recipients. */
  readonly wishes: readonly Wish[];
  readonly number: ChatNumber | undefined;
  readonly priceOf: PriceFinder;
  readonly zone: string;
}

/** The campaign was paused or cancelled, or its lease is another's now. */
class CampaignLost extends Error {}

/**
 * Makes the messages of campaigns: 2,000 recipients a step, each step one transaction that also says how far it is, as
 * messages/expander.ts does for sends to lists. Who cannot be sent to has a message that failed, with why.
 */
export class CampaignExpander {
  readonly #parts: CampaignExpanderParts;
  #stopping = false;

  constructor(parts: CampaignExpanderParts) {
    this.#parts = parts;
  }

  /** Works until nothing is due, or `stop` is called. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      const campaign = await this.#claim();
      if (!campaign) return;
      try {
        await this.#step(campaign);
      } catch (error) {
        if (error instanceof CampaignLost) continue;
        if (isDatabaseTrouble(error)) throw error;
        // The lease runs out, and that is the pause before the next attempt.
        this.#parts.log.error({ err: error, campaignId: campaign.id }, 'a campaign could not be expanded');
      }
    }
  }

  /** Lets `run` end after the step that it is in. */
  stop(): void {
    this.#stopping = true;
  }

  /** Gives back every lease there is: only for the one process of an embedded database, when it starts. */
  async releaseAll(): Promise<void> {
    await this.#parts.sql`UPDATE chat_campaigns SET lease_until = 0 WHERE lease_until > 0`;
  }

  async #claim(): Promise<CampaignRow | undefined> {
    const { relaxed, clock, owner } = this.#parts;
    const now = Date.now();
    const due = await relaxed<{ account_id: number; id: number }[]>`
      SELECT account_id, id FROM chat_campaigns
      WHERE state IN ('scheduled', 'running') AND NOT expanded AND due_at <= ${clock.now()} AND lease_until < ${now}
      ORDER BY turn_at LIMIT ${CANDIDATES}`;
    for (const { account_id, id } of due) {
      const [campaign] = await relaxed<CampaignRow[]>`
        UPDATE chat_campaigns SET lease_owner = ${owner}, lease_until = ${now + LEASE_MS}, turn_at = ${now}
        WHERE account_id = ${account_id} AND id = ${id} AND lease_until < ${now} AND NOT expanded
          AND state IN ('scheduled', 'running')
        RETURNING *`;
      if (campaign) return campaign;
    }
    return undefined;
  }

  async #step(campaign: CampaignRow): Promise<void> {
    const { sql, clock, wake } = this.#parts;
    const step = await this.#prepare(campaign);
    for (;;) {
      const wishes = await withinCredit(sql, campaign, step.wishes, step.priceOf, clock.now());
      try {
        const stored = await sql.begin((tx) => this.#store(tx, campaign, step, wishes, clock.now()));
        stored.pending?.committed();
        accepted.inc(stored.sent);
        if (stored.sent > 0) wake(campaign.account_id, lanes.bulk);
        return;
      } catch (error) {
        // The account spent elsewhere what was there a moment ago: again, with what is left.
        if (!isOverdraft(error)) throw error;
      }
    }
  }

  async #prepare(campaign: CampaignRow): Promise<Step> {
    const { sql, clock, accounts, prices, chatNumbers, templates, defaultZone } = this.#parts;
    const { account_id: accountId } = campaign;
    const [page, account, priceOf, number, template] = await Promise.all([
      readPage(this.#parts, campaign),
      accounts.byId(accountId),
      prices.of(accountId, CHAT_PRICES),
      chatNumbers.find(campaign.number),
      templates.byRowId(accountId, campaign.template_id),
    ]);
    const zone = account?.timeZone ?? defaultZone;
    const time = { now: clock.now(), zone };
    const wishes = await wishFor(sql, campaign, page.recipients, { number, template, time });
    return { page, wishes, number, priceOf, zone };
  }

  /** Writes a step: the wishes of the first recipients of its page, or of all. Throws CampaignLost. */
  async #store(
    tx: TransactionSql,
    campaign: CampaignRow,
    step: Step,
    wishes: readonly Wish[],
    now: number,
  ): Promise<{ sent: number; pending: Pending }> {
    const { events, ids, validityMs } = this.#parts;
    const { account_id: accountId, id } = campaign;
    await startShipments(tx, ids, now, accountId, [id]);
    const shipment = await lockShipment(tx, accountId, id);
    if (shipment?.state !== STATE_RUNNING) throw new CampaignLost();
    ids.passOver(shipment.last_id);
    const made = await this.#admit(tx, step, wishes, now);
    const { messages, batches } = cutBatches(campaign, made, now);
    const cost = messages.reduce((sum, { price }) => sum + price, 0);
    const sources = messages.map(() => campaign.number);
    const own = messages.map(({ text }) => text);
    const [pending] = await Promise.all([
      events.record(tx, accountId, failedEvents(campaign, made, now)),
      tx`
        UPDATE shipments SET message_count = message_count + ${made.length},
          cost = cost + ${toNumeric(cost)}::numeric, last_id = ${made.at(-1)?.id ?? shipment.last_id},
          valid_until = greatest(valid_until, ${now + validityMs}::bigint)
        WHERE account_id = ${accountId} AND id = ${id}`,
      insertMessages(tx, accountId, messages, sources, own, now, chatChannel.id),
      insertFailed(
        tx,
        accountId,
        { shipmentId: id, source: campaign.number, channel: chatChannel.id },
        failedOf(made),
        now,
      ),
      insertBatches(tx, accountId, batches),
    ]);
    await this.#moveOn(tx, campaign, step, { done: made.length, cost }, now);
    return { sent: messages.length, pending };
  }

  /** Decides on the wishes, and gives them their ids. */
  async #admit(
    tx: TransactionSql,
    { number, priceOf, zone }: Step,
    wishes: readonly Wish[],
    now: number,
  ): Promise<Made[]> {
    const { ids, forgetUnansweredMs } = this.#parts;
    const clients = wishes.filter(({ failure }) => failure === null).map(({ phone }) => phone);
    const admissions =
      number && clients.length > 0
        ? await admit(tx, { priceOf, forgetUnansweredMs }, { number, clients, kind: 'template', now, zone })
        : [];
    const admissionOf = new Map(admissions.map((admission) => [admission.client, admission]));
    return wishes.map((wish): Made => {
      const { problem = null, price = 0 } = wish.failure ? {} : (admissionOf.get(wish.phone) ?? {});
      const made = { id: ids.next(), phone: wish.phone };
      if (problem)
        return { ...made, text: null, price: 0, failure: { status: chatStatus.refused, code: problem } };
      return { ...made, text: wish.text, price, failure: wish.failure };
    });
  }

  /** Stores how far the campaign is, and pays for the step, the wallet last as `admit` asks. Throws CampaignLost. */
  async #moveOn(
    tx: TransactionSql,
    campaign: CampaignRow,
    { page, wishes }: Step,
    { done, cost }: { readonly done: number; readonly cost: number },
    now: number,
  ): Promise<void> {
    const { ids, owner } = this.#parts;
    const { account_id: accountId, id, phones_chunk: chunk } = campaign;
    const isWhole = done === wishes.length;
    const place = isWhole ? page.next : placeWithin(campaign, page, done);
    const held = parseAmount(campaign.held);
    const released = place.isEnd ? held : Math.min(held, cost);
    const rows = await tx`
      UPDATE chat_campaigns SET state = 'running', phones_chunk = ${place.chunk}, list_index = ${place.listIndex},
        after_phone = ${place.afterPhone}, expanded = ${place.isEnd}, held = ${toNumeric(held - released)}::numeric,
        lease_owner = NULL, lease_until = 0
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${owner} AND state IN ('scheduled', 'running')
      RETURNING id`;
    if (rows.length === 0) throw new CampaignLost();
    if (page.isChunk) {
      await (isWhole
        ? tx`
            DELETE FROM chat_campaign_phones
            WHERE account_id = ${accountId} AND campaign_id = ${id} AND chunk = ${chunk}`
        : tx`
            UPDATE chat_campaign_phones SET phones = phones[${done + 1}::integer:]
            WHERE account_id = ${accountId} AND campaign_id = ${id} AND chunk = ${chunk}`);
    }
    const entries = [
      ...(released > 0 ? [{ kind: 'release', amount: released, shipmentId: id } as const] : []),
      ...(cost > 0 ? [{ kind: 'charge', amount: -cost, shipmentId: id } as const] : []),
    ];
    if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
  }
}
