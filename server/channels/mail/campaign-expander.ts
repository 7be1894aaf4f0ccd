import { parseAmount, toNumeric } from '../../accounts/money.ts';
import type { Prices } from '../../accounts/prices.ts';
import { isOverdraft, moveWallet } from '../../accounts/wallets.ts';
import type { Clock } from '../../clock.ts';
import { texts } from '../../database/arrays.ts';
import type { Sql, TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { IdSource } from '../../ids.ts';
import { lockShipment } from '../../messages/campaign-state.ts';
import { type Lane, lanes } from '../../messages/lanes.ts';
import { accepted } from '../../messages/metrics.ts';
import { startShipments } from '../../messages/start-shipments.ts';
import { insertBatches, insertFailed, insertMessages } from '../../messages/store-messages.ts';
import type { Logger } from '../../observability/log.ts';
import { status } from '../../statuses.ts';
import { MAIL_PRICES, type MailCampaignRow, type PlannedMail, planMails, STEP } from './campaign-rows.ts';
import { mailChannel } from './channel.ts';
import type { Contents } from './contents.ts';
import type { MailLists } from './lists.ts';
import { fieldsFor } from './mail-text.ts';
import type { MailUsers } from './users.ts';

// What a killed process worked on is taken up by another one after this.
const LEASE_MS = 30_000;
const CANDIDATES = 10;
const STATE_RUNNING = 1;
/** The code of mails that there was no credit for. */
const NO_CREDIT = 'no-credit';

export interface MailExpanderParts {
  readonly sql: Sql;
  /** For leases (see database/connection.ts). */
  readonly relaxed: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly prices: Prices;
  readonly lists: Pick<MailLists, 'find'>;
  readonly users: Pick<MailUsers, 'page'>;
  readonly contents: Contents;
  /** Names this process in leases. */
  readonly owner: string;
  /** Called after the commit for an account that has new work. A hint; nothing rests on it. */
  readonly wake: (accountId: number, lane: Lane) => void;
}

/** The recipients of a step, and where the campaign is when they are done. */
interface Step {
  readonly mails: readonly PlannedMail[];
  readonly listIndex: number;
  readonly afterUser: number;
  readonly isEnd: boolean;
  /** Of one mail, in ten-thousandths of a credit. */
  readonly price: number;
}

/** The campaign was paused or cancelled, or its lease is another's now. */
class CampaignLost extends Error {}

/**
 * Makes the mails of campaigns: 2,000 users a step, each step one transaction that also says how far it is, as
 * messages/expander.ts does for sends to lists. For whom there is no credit has a mail that failed.
 */
export class MailCampaignExpander {
  readonly #parts: MailExpanderParts;
  #stopping = false;

  constructor(parts: MailExpanderParts) {
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
        this.#parts.log.error(
          { err: error, campaignId: campaign.id },
          'a mail campaign could not be expanded',
        );
      }
    }
  }

  /** Lets `run` end after the step that it is in. */
  stop(): void {
    this.#stopping = true;
  }

  /** Gives back every lease there is: only for the one process of an embedded database, when it starts. */
  async releaseAll(): Promise<void> {
    await this.#parts.sql`UPDATE mail_campaigns SET lease_until = 0 WHERE lease_until > 0`;
  }

  async #claim(): Promise<MailCampaignRow | undefined> {
    const { relaxed, clock, owner } = this.#parts;
    const now = Date.now();
    const due = await relaxed<{ account_id: number; id: number }[]>`
      SELECT account_id, id FROM mail_campaigns
      WHERE state IN ('scheduled', 'running') AND NOT expanded AND due_at <= ${clock.now()} AND lease_until < ${now}
      ORDER BY turn_at LIMIT ${CANDIDATES}`;
    for (const { account_id, id } of due) {
      const [campaign] = await relaxed<MailCampaignRow[]>`
        UPDATE mail_campaigns SET lease_owner = ${owner}, lease_until = ${now + LEASE_MS}, turn_at = ${now}
        WHERE account_id = ${account_id} AND id = ${id} AND lease_until < ${now} AND NOT expanded
          AND state IN ('scheduled', 'running')
        RETURNING *`;
      if (campaign) return campaign;
    }
    return undefined;
  }

  async #step(campaign: MailCampaignRow): Promise<void> {
    const { sql, clock, wake } = this.#parts;
    const step = await this.#prepare(campaign);
    let payable = step.mails.length;
    for (;;) {
      try {
        const count = payable;
        await sql.begin((tx) => this.#store(tx, campaign, step, count, clock.now()));
        accepted.inc(count);
        if (count > 0) wake(campaign.account_id, lanes.bulk);
        return;
      } catch (error) {
        if (!isOverdraft(error)) throw error;
        payable = Math.min(payable - 1, await this.#payable(campaign, step.price));
      }
    }
  }

  async #prepare(campaign: MailCampaignRow): Promise<Step> {
    const { sql, prices, lists, users, contents } = this.#parts;
    const {
      account_id: accountId,
      id,
      list_ids: listIds,
      list_index: listIndex,
      after_user: after,
    } = campaign;
    const listId = listIds[listIndex]!;
    const [found, page, content, priceOf] = await Promise.all([
      lists.find(accountId, [listId]),
      users.page(sql, accountId, listId, after, STEP),
      contents.of(accountId, id),
      prices.of(accountId, MAIL_PRICES),
    ]);
    const passed = await this.#passed(
      campaign,
      page.map(({ address }) => address),
    );
    const track = found.get(listId)?.track ?? false;
    const isListEnd = page.length < STEP;
    return {
      mails: page
        .filter(({ address }) => !passed.has(address))
        .map((user) => ({
          to: user.address,
          own: { userId: user.id, listId, track, fields: fieldsFor(user, content.fields) },
        })),
      listIndex: isListEnd ? listIndex + 1 : listIndex,
      afterUser: isListEnd ? 0 : page.at(-1)!.id,
      isEnd: isListEnd && listIndex === listIds.length - 1,
      price: priceOf(''),
    };
  }

  /** Those of the addresses that have their mail by an earlier list. */
  async #passed(
    { account_id: accountId, id, list_index: listIndex }: MailCampaignRow,
    addresses: readonly string[],
  ): Promise<Set<string>> {
    if (listIndex === 0) return new Set();
    const rows = await this.#parts.sql<{ phone: string }[]>`
      SELECT recipient AS phone FROM messages
      WHERE account_id = ${accountId} AND recipient = ANY(${texts(addresses)}::text[]) AND id > ${id}
        AND shipment_id = ${id}`;
    return new Set(rows.map(({ phone }) => phone));
  }

  /** How many mails the account can pay for now, with what is held for the campaign. */
  async #payable({ account_id: accountId, held }: MailCampaignRow, price: number): Promise<number> {
    const [wallet] = await this.#parts.sql<{ balance: string }[]>`
      SELECT balance FROM wallets WHERE account_id = ${accountId}`;
    return Math.max(0, Math.floor((parseAmount(held) + parseAmount(wallet!.balance)) / price));
  }

  /** Stores a step: mails to the first `payable` of its recipients, failed ones to the others. Throws CampaignLost. */
  async #store(
    tx: TransactionSql,
    campaign: MailCampaignRow,
    step: Step,
    payable: number,
    now: number,
  ): Promise<void> {
    const { ids } = this.#parts;
    const { account_id: accountId, id, route, from_address: source } = campaign;
    await startShipments(tx, ids, now, accountId, [id]);
    const shipment = await lockShipment(tx, accountId, id);
    if (shipment?.state !== STATE_RUNNING) throw new CampaignLost();
    ids.passOver(shipment.last_id);
    const { price } = step;
    const common = { campaignId: id, lane: lanes.bulk, route, canPause: true, price, now };
    const { messages, batches } = planMails(ids, common, step.mails.slice(0, payable));
    const failed = step.mails
      .slice(payable)
      .map(({ to }) => ({ id: ids.next(), phone: to, status: status.noCredit, code: NO_CREDIT }));
    const cost = messages.length * price;
    await Promise.all([
      tx`
        UPDATE shipments SET message_count = message_count + ${step.mails.length},
          cost = cost + ${toNumeric(cost)}::numeric,
          last_id = ${failed.at(-1)?.id ?? messages.at(-1)?.id ?? shipment.last_id}
        WHERE account_id = ${accountId} AND id = ${id}`,
      insertMessages(
        tx,
        accountId,
        messages,
        messages.map(() => source),
        messages.map(({ text }) => text),
        now,
        mailChannel.id,
      ),
      insertFailed(tx, accountId, { shipmentId: id, source, channel: mailChannel.id }, failed, now),
      insertBatches(tx, accountId, batches),
    ]);
    await this.#moveOn(tx, campaign, step, cost, now);
  }

  /** Stores how far the campaign is, and pays for the step, the wallet last. Throws CampaignLost. */
  async #moveOn(
    tx: TransactionSql,
    campaign: MailCampaignRow,
    { listIndex, afterUser, isEnd }: Step,
    cost: number,
    now: number,
  ): Promise<void> {
    const { ids, owner } = this.#parts;
    const { account_id: accountId, id } = campaign;
    const held = parseAmount(campaign.held);
    const released = isEnd ? held : Math.min(held, cost);
    const rows = await tx`
      UPDATE mail_campaigns SET state = 'running', list_index = ${listIndex}, after_user = ${afterUser},
        expanded = ${isEnd}, held = ${toNumeric(held - released)}::numeric, lease_owner = NULL, lease_until = 0
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${owner} AND state IN ('scheduled', 'running')
      RETURNING id`;
    if (rows.length === 0) throw new CampaignLost();
    const entries = [
      ...(released > 0 ? [{ kind: 'release', amount: released, shipmentId: id } as const] : []),
      ...(cost > 0 ? [{ kind: 'charge', amount: -cost, shipmentId: id } as const] : []),
    ];
    if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
  }
}
