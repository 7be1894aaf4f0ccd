import { numbers } from '../../database/arrays.ts';
import type { Query, Queryable, Row, Sql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import type { HourlyStatistics } from './hourly-statistics.ts';
import { hourFloor, hourOf } from './hours.ts';
import { type MessageState, stateSql } from './states.ts';

/*
 * Searches the messages of one account, newest first. Each criterion uses an index:
 *
 *   a number                messages_recipient (account, recipient, id)
 *   a caller's id           messages_external (account, external id, id)
 *   a message               messages_pkey (account, id)
 *   a shipment              messages_pkey, between the shipment's first and last id
 *   a campaign's name       shipments_campaign, then messages_pkey for each shipment
 *   time alone              messages_pkey
 *
 * State and channel have no index: each change of a message would have to be written to it, and no update of a message
 * could stay on its page (HOT), which is worth more than any search. So a search for them is limited: it skips hours
 * without such messages by the table of hours, and reads at most MAX_READ rows of the others for a page. The page may
 * be short or empty and still have a `next`.
 */

/** Maximum rows read for one page that is filtered by state or channel. */
const MAX_READ = 50_000;
/** Milliseconds after which a page is returned, even if it is empty. */
const SEARCH_MS = 300;
const CAMPAIGN_SHIPMENTS = 500;
/** Messages per page of `everyMessage`. */
const EXPORTED = 2_000;

/** A shipment of a campaign, with the range of its message ids. */
interface CampaignShipment {
  readonly id: number;
  readonly first_id: number;
  readonly last_id: number;
  readonly message_count: number;
}

/** Search criteria; all must match. */
export interface MessageQuery {
  /** E.164 digits, or the address for email. */
  readonly phone?: string | undefined;
  readonly messageId?: number | undefined;
  readonly externalId?: string | undefined;
  readonly shipmentId?: number | undefined;
  readonly campaignName?: string | undefined;
  readonly state?: MessageState | undefined;
  /** Id of a channel. */
  readonly channel?: number | undefined;
  /** Time of acceptance: from (inclusive), and to (exclusive), in milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A message found by a search. Times are milliseconds since the epoch. */
export interface FoundMessage {
  readonly id: number;
  readonly shipment_id: number;
  readonly channel: number;
  readonly recipient: string;
  readonly source: string;
  /** Null when the shipment has the payload. */
  readonly payload: string | null;
  /** Whether the message had a separate text that was removed. */
  readonly text_removed: boolean | null;
  readonly external_id: string | null;
  readonly parts: number;
  readonly price: string;
  readonly status: number;
  readonly code: string | null;
  readonly connector: string | null;
  readonly handed_at: number | null;
  readonly final_at: number | null;
  readonly read_at: number | null;
}

interface FoundPage {
  readonly messages: readonly FoundMessage[];
  /** Start of the next page: only ids below this one; null on the last page. */
  readonly next: number | null;
}

interface SearchDeps extends Pick<Context, 'sql'> {
  readonly hourlyStatistics: Pick<HourlyStatistics, 'latestWith'>;
}

/** A range of ids from `first` (inclusive) to `before` (exclusive). */
interface Span {
  readonly first: number;
  readonly before: number;
}

/** Returns matching messages of an account with ids below `before`, at most `limit`. */
export function searchMessages(
  deps: SearchDeps,
  accountId: number,
  query: MessageQuery,
  before: number | null,
  limit: number,
): Promise<FoundPage> {
  return new MessageSearch(deps, accountId, query, before, limit).run();
}

/** Yields all matching messages of an account, newest first, page by page. */
export async function* everyMessage(
  deps: SearchDeps,
  accountId: number,
  query: MessageQuery,
): AsyncGenerator<readonly FoundMessage[]> {
  for (let before: number | null = null; ; ) {
    const page: FoundPage = await searchMessages(deps, accountId, query, before, EXPORTED);
    if (page.messages.length > 0) yield page.messages;
    if (page.next === null) return;
    before = page.next;
  }
}

/** One search. */
class MessageSearch {
  readonly #sql: Sql;
  readonly #hourlyStatistics: SearchDeps['hourlyStatistics'];
  readonly #accountId: number;
  readonly #query: MessageQuery;
  readonly #limit: number;
  readonly #span: Span;
  /** Condition that finds few rows by an index; null without such a criterion. */
  readonly #exact: Query<Row[]> | null;
  readonly #filter: Query<Row[]>;
  readonly #isFiltered: boolean;

  constructor(
    { sql, hourlyStatistics }: SearchDeps,
    accountId: number,
    query: MessageQuery,
    before: number | null,
    limit: number,
  ) {
    const { state, channel } = query;
    this.#sql = sql;
    this.#hourlyStatistics = hourlyStatistics;
    this.#accountId = accountId;
    this.#query = query;
    this.#limit = limit;
    this.#span = spanOf(query, before);
    this.#exact = narrow(sql, query);
    this.#isFiltered = state !== undefined || channel !== undefined;
    this.#filter = sql`
      ${state === undefined ? sql`true` : sql`${stateSql(sql)} = ${state}`}
      AND ${channel === undefined ? sql`true` : sql`m.channel = ${channel}`}`;
  }

  async run(): Promise<FoundPage> {
    const { shipmentId, campaignName } = this.#query;
    const sql = this.#sql;
    const exact = this.#exact;
    if (shipmentId !== undefined) return this.#ofShipment(shipmentId);
    if (campaignName !== undefined && exact === null) return this.#ofCampaign(campaignName);
    if (exact !== null) return this.#plain(sql`${exact} AND ${this.#ofName()}`, this.#span);
    return this.#isFiltered ? this.#scanHours() : this.#plain(sql`true`, this.#span);
  }

  // Must not be awaited: awaiting a fragment executes it.
  #ofName(): Query<Row[]> {
    const { campaignName } = this.#query;
    if (campaignName === undefined) return this.#sql`true`;
    return this.#sql`EXISTS (SELECT 1 FROM shipments s
      WHERE s.account_id = ${this.#accountId} AND s.id = m.shipment_id AND s.campaign_name = ${campaignName})`;
  }

  async #plain(condition: Query<Row[]>, { first, before: end }: Span): Promise<FoundPage> {
    const rows = await this.#sql<FoundMessage[]>`
      SELECT ${foundColumns(this.#sql)} FROM messages m
      WHERE m.account_id = ${this.#accountId} AND m.id >= ${first} AND m.id < ${end} AND ${condition} AND ${this.#filter}
      ORDER BY m.id DESC LIMIT ${this.#limit + 1}`;
    return pageOf(rows, this.#limit);
  }

  async #ofShipment(shipmentId: number): Promise<FoundPage> {
    const [shipment] = await this.#sql<{ first_id: number; last_id: number }[]>`
      SELECT first_id, last_id FROM shipments WHERE account_id = ${this.#accountId} AND id = ${shipmentId}`;
    if (!shipment) return nothing;
    const inside = clip(this.#span, shipment);
    const mine = this
      .#sql`m.shipment_id = ${shipmentId} AND ${this.#exact ?? this.#sql`true`} AND ${this.#ofName()}`;
    return this.#isFiltered && this.#exact === null ? this.#scan(mine, inside) : this.#plain(mine, inside);
  }

  async #ofCampaign(name: string): Promise<FoundPage> {
    for (let older = this.#span.before; ; ) {
      const shipments = await this.#sql<CampaignShipment[]>`
        SELECT id, first_id, last_id, message_count FROM shipments
        WHERE account_id = ${this.#accountId} AND campaign_name = ${name} AND id < ${older}
        ORDER BY id DESC LIMIT ${CAMPAIGN_SHIPMENTS}`;
      if (shipments.length === 0) return nothing;
      const page = await this.#ofShipments(shipments);
      if (page.messages.length > 0 || page.next !== null || shipments.length < CAMPAIGN_SHIPMENTS) {
        // An older shipment may have the next messages.
        const last = page.messages.at(-1)?.id;
        const more = shipments.length === CAMPAIGN_SHIPMENTS && last !== undefined;
        return page.next === null && more ? { ...page, next: last } : page;
      }
      older = shipments.at(-1)!.id;
    }
  }

  /** Returns messages of a campaign's shipments, newest first. */
  async #ofShipments(shipments: readonly CampaignShipment[]): Promise<FoundPage> {
    const inside = clip(this.#span, {
      first_id: Math.min(...shipments.map(({ first_id }) => first_id)),
      last_id: Math.max(...shipments.map(({ last_id }) => last_id)),
    });
    if (!this.#isFiltered) return this.#ofEach(shipments, inside);
    const first = firstToRead(shipments, inside);
    if (first === null) {
      const ids = numbers(shipments.map(({ id }) => id));
      return this.#scan(this.#sql`m.shipment_id = ANY(${ids}::bigint[])`, inside);
    }
    const page = await this.#ofEach(shipments, { first, before: inside.before });
    return page.next === null && first > inside.first ? { ...page, next: first } : page;
  }

  /** Reads the messages of each shipment separately, without those between them. */
  async #ofEach(shipments: readonly CampaignShipment[], inside: Span): Promise<FoundPage> {
    const ids = numbers(shipments.map(({ id }) => id));
    const rows = await this.#sql<FoundMessage[]>`
      SELECT m.* FROM unnest(
        ${ids}::bigint[], ${numbers(shipments.map(({ first_id }) => Math.max(first_id, inside.first)))}::bigint[],
        ${numbers(shipments.map(({ last_id }) => Math.min(last_id, inside.before - 1)))}::bigint[]
      ) AS s (id, first_id, last_id)
      CROSS JOIN LATERAL (
        SELECT ${foundColumns(this.#sql)} FROM messages m
        WHERE m.account_id = ${this.#accountId} AND m.id >= s.first_id AND m.id <= s.last_id AND m.shipment_id = s.id
          AND ${this.#filter}
        ORDER BY m.id DESC LIMIT ${this.#limit + 1}
      ) m
      ORDER BY m.id DESC LIMIT ${this.#limit + 1}`;
    return pageOf(rows, this.#limit);
  }

  /** Reads at most MAX_READ rows of a span. */
  async #scan(condition: Query<Row[]>, { first, before: end }: Span): Promise<FoundPage> {
    const [edge] = await this.#sql<{ id: number }[]>`
      SELECT id FROM messages WHERE account_id = ${this.#accountId} AND id >= ${first} AND id < ${end}
      ORDER BY id DESC OFFSET ${MAX_READ} LIMIT 1`;
    const page = await this.#plain(condition, { first: edge ? edge.id : first, before: end });
    return page.next === null && edge ? { ...page, next: edge.id } : page;
  }

  /** Searches the hours that may have matching messages, one by one. */
  async #scanHours(): Promise<FoundPage> {
    const found: FoundMessage[] = [];
    const [newest] = await this.#sql<{ id: number }[]>`
      SELECT id FROM messages
      WHERE account_id = ${this.#accountId} AND id >= ${this.#span.first} AND id < ${this.#span.before}
      ORDER BY id DESC LIMIT 1`;
    if (!newest) return nothing;
    // Skips the later hours, which have no messages: without an upper bound there are many.
    let end = newest.id + 1;
    for (const deadline = performance.now() + SEARCH_MS; ; ) {
      if (end <= this.#span.first) return { messages: found, next: null };
      const last = hourOf(timeOfId(end - 1));
      const hour = await this.#hourlyStatistics.latestWith(this.#accountId, this.#query, last);
      if (hour === null || hourFloor(hour + 1) <= this.#span.first) return { messages: found, next: null };
      const inside = {
        first: Math.max(this.#span.first, hourFloor(hour)),
        before: Math.min(end, hourFloor(hour + 1)),
      };
      const page = await this.#scan(this.#sql`true`, inside);
      found.push(...page.messages.slice(0, this.#limit - found.length));
      if (found.length === this.#limit) return { messages: found, next: found.at(-1)!.id };
      end = page.next ?? inside.first;
      if (performance.now() > deadline) return { messages: found, next: end };
    }
  }
}

/** Returns the condition that finds few rows by an index; null without such a criterion. */
function narrow(sql: Sql, { phone: recipient, messageId, externalId }: MessageQuery): Query<Row[]> | null {
  if (recipient === undefined && messageId === undefined && externalId === undefined) return null;
  return sql`
    ${recipient === undefined ? sql`true` : sql`m.recipient = ${recipient}`}
    AND ${messageId === undefined ? sql`true` : sql`m.id = ${messageId}`}
    AND ${externalId === undefined ? sql`true` : sql`m.external_id = ${externalId}`}`;
}

const nothing: FoundPage = { messages: [], next: null };

/** Returns the columns of a FoundMessage, from `messages` with the alias `m`. */
export const foundColumns = (
  sql: Queryable,
) => sql`m.id, m.shipment_id, m.channel, m.recipient, m.source, m.payload, m.external_id, m.parts,
  m.price, m.status, m.code, m.link AS connector, m.handed_at, m.final_at, m.read_at, m.text_removed`;

function pageOf(rows: readonly FoundMessage[], limit: number): FoundPage {
  const messages = rows.slice(0, limit);
  return { messages, next: rows.length > limit ? messages.at(-1)!.id : null };
}

function spanOf({ from, to, messageId }: MessageQuery, before: number | null): Span {
  const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, to === undefined ? Infinity : idFloor(to));
  const first = from === undefined ? 0 : idFloor(from);
  // Bounds limit the partitions that are read.
  return messageId === undefined
    ? { first, before: end }
    : { first: Math.max(first, messageId), before: Math.min(end, messageId + 1) };
}

/**
 * Returns the id from which the shipments (newest first) have at most MAX_READ messages in the span; null when the
 * newest alone has more, or many messages of other shipments lie between them.
 */
function firstToRead(shipments: readonly CampaignShipment[], span: Span): number | null {
  let read = 0;
  let count = 0;
  for (; count < shipments.length; count++) {
    read += shipments[count]!.message_count;
    if (read > MAX_READ) break;
  }
  if (count === shipments.length) return span.first;
  const first = Math.min(...shipments.slice(0, count).map(({ first_id }) => first_id));
  const isApart = shipments.slice(count).every(({ last_id }) => last_id < first);
  return count > 0 && isApart ? Math.max(first, span.first) : null;
}

function clip({ first, before }: Span, ids: { first_id: number; last_id: number }): Span {
  return { first: Math.max(first, ids.first_id), before: Math.min(before, ids.last_id + 1) };
}
