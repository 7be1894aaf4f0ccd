import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import { idFloor } from '../../kit/ids.ts';
import type { PlannedShipment } from './plan.ts';

const DAY_MS = 86_400_000;

/** Properties of a request with one text that its shipment does not contain. */
interface KeptRequest {
  readonly text: string;
  /** Written in the text as `[link-<key>]`. */
  readonly links: readonly { readonly key: string; readonly url: string }[];
  readonly dynamic: boolean;
  /** Whether a removal link is appended. */
  readonly removal: boolean;
  /** Ids of contact lists. */
  readonly lists: readonly number[];
  readonly international: boolean;
  readonly recentDays: number | null;
  /** Range of ids of the messages to single phones, inclusive; null for all messages of the shipment. */
  readonly phones: { readonly from: number; readonly to: number } | null;
}

/** Stores the requests of shipments with links or contact lists, in the transaction of the shipments. */
export async function keepRequests(
  tx: TransactionSql,
  accountId: number,
  shipments: readonly PlannedShipment[],
): Promise<void> {
  for (const shipment of shipments) {
    const kept = requestOf(shipment);
    if (!kept) continue;
    await tx`
      INSERT INTO kept_requests (account_id, shipment_id, content)
      VALUES (${accountId}, ${shipment.id}, ${tx.waitingJson(accountId, kept)})`;
  }
}

/** Returns the request of a shipment with one text; undefined when recipients get different texts. */
function requestOf({ request, listSends }: PlannedShipment): KeptRequest | undefined {
  const [first, ...others] = listSends;
  const shared = request.items[0]?.template;
  const template = first?.part.template ?? shared;
  const isOne =
    others.length === 0 &&
    request.items.every((item) => item.source === null && item.text === null && item.template === shared);
  if (!template || !isOne) return undefined;
  const { text, links, dynamic, removal } = template;
  return {
    text,
    links: links.map(({ key, url }) => ({ key, url })),
    dynamic,
    removal,
    lists: first?.part.lists.map(({ id }) => id) ?? [],
    international: first?.part.international ?? false,
    recentDays: request.recentDays,
    phones: first ? { from: first.phonesFrom, to: first.phonesTo } : null,
  };
}

/** Returns the stored request of a shipment, if any. */
export async function findKeptRequest(
  sql: Queryable,
  accountId: number,
  shipmentId: number,
): Promise<KeptRequest | undefined> {
  const [row] = await sql<{ content: KeptRequest }[]>`
    SELECT content FROM kept_requests WHERE account_id = ${accountId} AND shipment_id = ${shipmentId}`;
  return row?.content;
}

/** Deletes the requests of shipments whose messages have expired. */
export async function cleanUpKeptRequests(sql: Sql, now: number, keepDays: number): Promise<void> {
  await sql`DELETE FROM kept_requests WHERE shipment_id < ${idFloor(now - keepDays * DAY_MS)}`;
}
