import { numbers } from '../../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import { type IdSource, idFloor, timeOfId } from '../../kit/ids.ts';
import { currentSpan } from '../../kit/observability/tracing/tracing.ts';
import { type Author, currentAuthor, noteShipment } from '../../kit/request-context.ts';
import { parseAmount, toNumeric } from '../../modules/accounts/money.ts';
import { moveWallet } from '../../modules/accounts/wallets.ts';
import { checkPasses, type Pass } from '../gate/gate.ts';
import type { Unrendered } from '../messages/cancel.ts';
import { insertShipments } from '../messages/insert-shipments.ts';
import { lanes } from '../messages/lanes.ts';
import { shipmentStates } from '../messages/shipment-states.ts';
import type { CampaignRemains, CampaignRow } from './source.ts';
import { addSteps, BY_WORK, removeSteps } from './steps.ts';

const DAY_MS = 86_400_000;
const CAMPAIGNS_PER_PAGE = 100;

type CampaignState = 'scheduled' | 'running' | 'paused' | 'cancelled' | 'finished';

/** A campaign to store together with its shipment, whose id it has. */
export interface NewCampaign extends Omit<CampaignRow, 'account_id' | 'held'> {
  /** In ten-thousandths of a credit. */
  readonly held: number;
  /** Start time, in milliseconds since the epoch. */
  readonly dueAt: number;
  /** By default the author of the current request. */
  readonly author?: Author | undefined;
  readonly pass: Pass;
}

/** A campaign with its state. Times are milliseconds since the epoch. */
export interface Campaign<Content = unknown> {
  readonly id: number;
  readonly name: string | null;
  readonly sender: string;
  readonly content: Content;
  readonly state: CampaignState;
  readonly total: number;
  readonly dueAt: number;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/**
 * Stores campaigns and reserves their expected cost, in the transaction that stores their shipments. Rejects with a
 * violation of `wallets_balance_check` when the balance is too low. Their trace context is that of the current request,
 * unless they have another.
 */
export async function storeCampaigns(
  tx: TransactionSql,
  ids: IdSource,
  accountId: number,
  campaigns: readonly NewCampaign[],
  now: number,
): Promise<void> {
  checkPasses(
    accountId,
    campaigns.map(({ pass }) => pass),
  );
  const holds = campaigns
    .filter(({ held }) => held > 0)
    .map(({ id, held }) => ({ kind: 'hold' as const, amount: -held, shipmentId: id }));
  if (holds.length > 0) await moveWallet(tx, ids, now, accountId, holds);
  await Promise.all([
    addSteps(tx, accountId, campaigns, now),
    ...campaigns.map((campaign) => {
      const { id, channel, sender, content, place, total, held, dueAt } = campaign;
      const trace = campaign.trace ?? currentSpan()?.trace;
      const { tokenId, personId } = campaign.author ?? currentAuthor();
      return tx`
        INSERT INTO campaigns (account_id, id, channel, sender, content, place, total, remaining, held, next_at, lease_until,
          author_token_id, author_person_id${trace ? tx`, trace` : tx``})
        VALUES (${accountId}, ${id}, ${channel}, ${sender}, ${tx.json(content as never)}, ${tx.json(place as never)},
          ${total}, ${total}, ${toNumeric(held)}, ${dueAt}, ${BY_WORK}, ${tokenId}, ${personId}${trace ? tx`, ${trace}` : tx``})`;
    }),
  ]);
}

/** A campaign whose shipment is stored with it. */
interface WholeCampaign extends NewCampaign {
  readonly name: string | null;
  readonly isScheduled: boolean;
  /** Payload shared by all its messages; null if each has its own. */
  readonly payload: string | null;
  /** The shipment whose messages it replaces (engine/fallback). */
  readonly fallbackOf?: number | undefined;
  /** How long delivery of a message is attempted, in milliseconds. */
  readonly validityMs: number;
}

/** Stores a campaign with its shipment, like `storeCampaigns`. */
export async function storeCampaign(
  tx: TransactionSql,
  ids: IdSource,
  accountId: number,
  { name, isScheduled, payload, fallbackOf, validityMs, ...campaign }: WholeCampaign,
  now: number,
): Promise<void> {
  const { id, channel, dueAt, pass } = campaign;
  tx.afterCommit(() => noteShipment(id));
  const common = tx.waitingText(accountId, payload);
  const shipment = {
    id,
    lane: lanes.bulk,
    channel,
    isScheduled,
    name,
    payload: common,
    dueAt,
    pass,
    fallbackOf,
  };
  await insertShipments(tx, accountId, [{ ...shipment, validUntil: dueAt + validityMs }]);
  await storeCampaigns(tx, ids, accountId, [campaign], now);
}

/** Returns the columns of a Campaign except `createdAt`, and their tables. */
const columns = (sql: Queryable) => sql`
  c.id, s.campaign_name AS name, c.sender, c.content, c.total, s.due_at AS "dueAt", c.finished_at AS "finishedAt",
  CASE
    WHEN s.state = ${shipmentStates.cancelled} THEN 'cancelled'
    WHEN c.finished_at IS NOT NULL THEN 'finished'
    WHEN s.paused_at IS NOT NULL THEN 'paused'
    WHEN s.state = ${shipmentStates.scheduled} THEN 'scheduled'
    ELSE 'running'
  END AS state
  FROM campaigns c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.id`;

type CampaignColumns<Content> = Omit<Campaign<Content>, 'createdAt'>;

const withTime = <Content>(row: CampaignColumns<Content>): Campaign<Content> => ({
  ...row,
  createdAt: timeOfId(row.id),
});

/** Returns one campaign of an account on a channel. */
export async function findCampaign<Content>(
  sql: Sql,
  accountId: number,
  channel: number,
  id: number,
): Promise<Campaign<Content> | undefined> {
  const [row] = await sql<CampaignColumns<Content>[]>`
    SELECT ${columns(sql)} WHERE c.account_id = ${accountId} AND c.id = ${id} AND c.channel = ${channel}`;
  return row && withTime(row);
}

/** Returns campaigns of an account on a channel, newest first, with ids below `beforeId`, at most `limit`. */
export async function listCampaigns<Content>(
  sql: Sql,
  accountId: number,
  channel: number,
  beforeId = Number.MAX_SAFE_INTEGER,
  limit = CAMPAIGNS_PER_PAGE,
): Promise<Campaign<Content>[]> {
  const rows = await sql<CampaignColumns<Content>[]>`
    SELECT ${columns(sql)} WHERE c.account_id = ${accountId} AND c.id < ${beforeId} AND c.channel = ${channel}
    ORDER BY c.id DESC LIMIT ${limit}`;
  return rows.map(withTime);
}

/** Returns the interface of these channels' campaigns for cancelling. */
export function unrenderedOf(of: (channel: number) => CampaignRemains | undefined): Unrendered {
  return {
    async remaining(sql, accountId, shipmentIds) {
      const rows = await sql<{ id: number; remaining: number; held: string }[]>`
        SELECT id, remaining, held FROM campaigns
        WHERE account_id = ${accountId} AND id = ANY(${numbers(shipmentIds)}::bigint[]) AND next_at IS NOT NULL`;
      // Lists may have grown since they were counted, so recipients may be left until the last step is done.
      return new Map(
        rows.map(({ id, remaining, held }) => [
          id,
          { contacts: Math.max(1, remaining), held: parseAmount(held) },
        ]),
      );
    },

    async drop(tx, accountId, shipmentIds, now) {
      const dropped = await tx<{ id: number; channel: number }[]>`
        UPDATE campaigns SET next_at = NULL, held = 0, finished_at = ${now},
          remaining = CASE WHEN next_at IS NULL THEN 0 ELSE greatest(1, remaining) END
        WHERE account_id = ${accountId} AND id = ANY(${numbers(shipmentIds)}::bigint[])
        RETURNING id, channel`;
      await removeSteps(
        tx,
        accountId,
        dropped.map(({ id }) => id),
      );
      for (const [channel, mine] of Map.groupBy(dropped, (campaign) => campaign.channel)) {
        await of(channel)?.drop?.(
          tx,
          accountId,
          mine.map(({ id }) => id),
        );
      }
    },

    async reverse(tx, accountId, channel, cancelled) {
      await of(channel)?.reverse?.(tx, accountId, cancelled);
    },
  };
}

/** Deletes finished campaigns whose messages have expired. */
export async function cleanUpCampaigns(sql: Sql, now: number, keepDays: number): Promise<void> {
  await sql`
    DELETE FROM campaigns WHERE id < ${idFloor(now - keepDays * DAY_MS)} AND finished_at IS NOT NULL`;
}
