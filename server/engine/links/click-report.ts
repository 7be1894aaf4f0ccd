import type { Sql } from '../../database/connection.ts';
import { idFloor, PER_MILLISECOND, timeOfId } from '../../kit/ids.ts';
import { type Visitor, visitors } from './visitors.ts';

export type Counts = Readonly<Record<Visitor, number>>;

/** Clicks on one link of a shipment. */
interface LinkClicks {
  readonly linkId: number;
  readonly clicks: Counts;
  /** Number of distinct recipients who followed it. */
  readonly recipients: Counts;
}

/** Clicks of one recipient on one link. */
export interface RecipientClicks {
  readonly messageId: number;
  readonly linkId: number;
  /** E.164 digits; null when the message has expired. */
  readonly phone: string | null;
  readonly externalId: string | null;
  readonly clicks: Counts;
  /** Milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

const { person, preview, bot } = visitors;

/** A shipment with links. */
interface LinkedShipment {
  readonly id: number;
  readonly channel: number;
  readonly campaignName: string | null;
  readonly messages: number;
  /** Number of its links, and the address of the first one. */
  readonly links: number;
  readonly url: string;
}

/** Clicks in an hour. */
interface HourClicks {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly clicks: Counts;
}

const HOUR = 3_600_000;

/** Returns shipments of an account with links, newest first, with ids below `before`, at most `limit`. */
export async function linkedShipments(
  sql: Sql,
  accountId: number,
  before: number,
  limit: number,
): Promise<LinkedShipment[]> {
  return sql<LinkedShipment[]>`
    SELECT s.id, s.channel, s.campaign_name AS "campaignName", s.message_count AS messages, l.links, l.url
    FROM (
      SELECT shipment_id, count(*)::int AS links, (array_agg(url ORDER BY id))[1] AS url FROM short_links
      WHERE account_id = ${accountId} AND shipment_id < ${before}
      GROUP BY shipment_id ORDER BY shipment_id DESC LIMIT ${limit}
    ) l JOIN shipments s ON s.account_id = ${accountId} AND s.id = l.shipment_id
    ORDER BY s.id DESC`;
}

/** Returns the clicks of a shipment by hour, in order; hours without clicks are absent. */
export async function clicksByHour(sql: Sql, accountId: number, shipmentId: number): Promise<HourClicks[]> {
  const sentAt = timeOfId(shipmentId);
  const first = sentAt - (sentAt % HOUR);
  const rows = await sql<{ hour: number; visitor: number; clicks: number }[]>`
    SELECT (id - ${idFloor(first)}::bigint) / ${HOUR * PER_MILLISECOND}::bigint AS hour, visitor, count(*)::int AS clicks
    FROM clicks WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} AND id > ${shipmentId}
    GROUP BY 1, visitor ORDER BY 1`;
  const hours = new Map<number, CountsSoFar>();
  for (const { hour, visitor, clicks } of rows) {
    const counts = hours.get(hour) ?? none();
    counts[visitorNames[visitor]!] = clicks;
    hours.set(hour, counts);
  }
  return [...hours].map(([hour, clicks]) => ({ at: first + hour * HOUR, clicks }));
}

/** Whether an account has an unexpired shipment with this id. */
export async function hasShipment(sql: Sql, accountId: number, shipmentId: number): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM shipments WHERE account_id = ${accountId} AND id = ${shipmentId}`;
  return rows.length > 0;
}

/** Returns the clicks of a shipment by link; links without clicks are absent. */
export async function clicksByLink(sql: Sql, accountId: number, shipmentId: number): Promise<LinkClicks[]> {
  // Clicks are newer than their shipment: the bound skips older partitions.
  const rows = await sql<{ link_id: number; visitor: number; clicks: number; recipients: number }[]>`
    SELECT link_id, visitor, count(*)::int AS clicks, count(DISTINCT message_id)::int AS recipients FROM clicks
    WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} AND id > ${shipmentId}
    GROUP BY link_id, visitor ORDER BY link_id`;
  const links = new Map<number, { linkId: number; clicks: CountsSoFar; recipients: CountsSoFar }>();
  for (const row of rows) {
    const link = links.get(row.link_id) ?? { linkId: row.link_id, clicks: none(), recipients: none() };
    const visitor = visitorNames[row.visitor]!;
    link.clicks[visitor] = row.clicks;
    link.recipients[visitor] = row.recipients;
    links.set(row.link_id, link);
  }
  return [...links.values()];
}

/**
 * Returns the clicks of a shipment by recipient and link, ordered by message and link, at most `limit`, after a
 * position.
 */
export async function clicksByRecipient(
  sql: Sql,
  accountId: number,
  shipmentId: number,
  after: { readonly messageId: number; readonly linkId: number },
  limit: number,
): Promise<RecipientClicks[]> {
  const rows = await sql<RecipientRow[]>`
    SELECT c.*, m.recipient AS phone, m.external_id AS "externalId" FROM (
      SELECT message_id AS "messageId", link_id AS "linkId", min(id) AS "firstId", max(id) AS "lastId",
        count(*) FILTER (WHERE visitor = ${person})::int AS person,
        count(*) FILTER (WHERE visitor = ${preview})::int AS preview,
        count(*) FILTER (WHERE visitor = ${bot})::int AS bot
      FROM clicks
      WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} AND id > ${shipmentId}
        AND (message_id, link_id) > (${after.messageId}, ${after.linkId})
      GROUP BY message_id, link_id ORDER BY message_id, link_id LIMIT ${limit}
    ) AS c
    LEFT JOIN messages m ON m.account_id = ${accountId} AND m.id = c."messageId" AND m.id > ${shipmentId}
    ORDER BY c."messageId", c."linkId"`;
  return rows.map(({ person, preview, bot, firstId, lastId, ...row }) => ({
    ...row,
    clicks: { person, preview, bot },
    firstAt: timeOfId(firstId),
    lastAt: timeOfId(lastId),
  }));
}

interface RecipientRow extends Counts, Omit<RecipientClicks, 'clicks' | 'firstAt' | 'lastAt'> {
  readonly firstId: number;
  readonly lastId: number;
}

type CountsSoFar = Record<Visitor, number>;
const none = (): CountsSoFar => ({ person: 0, preview: 0, bot: 0 });
const visitorNames = (Object.keys(visitors) as Visitor[]).sort((a, b) => visitors[a] - visitors[b]);
