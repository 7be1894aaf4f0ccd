import { type Channels, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { numbers, texts } from '../../database/arrays.ts';
import type { Query, Queryable, Row, Sql } from '../../database/connection.ts';
import type { Tables } from '../../database/define-tables.ts';
import { isWithin } from '../../database/rows-by-key.ts';
import { sentFile } from '../media/references.ts';
import type { Span } from './spans.ts';

/** Rows of messages that one statement reads, and that one statement changes. */
const LOOKED_AT = 20_000;
const BATCH = 1_000;

/** A receipt that comes after three weeks changes nothing (engine/dispatch/tables.ts). */
const RECEIPT_MS = 21 * 86_400_000;

export interface TextRemovalDeps {
  readonly sql: Sql;
  readonly channels: Channels;
  readonly tables: Tables;
  /** Called with the number of rows that lost their text, after each statement. */
  readonly removed: (count: number) => void;
  readonly isStopping: () => boolean;
  /** Channels whose texts are removed on submission, for an account that does not store texts. */
  readonly atOnce: readonly number[];
}

/** Whether a message `m` expects no further change: it has its final status, or the time for a receipt is over. */
export const isOver = (sql: Queryable, now: number): Query<Row[]> =>
  sql`(m.final_at IS NOT NULL OR coalesce(m.handed_at < ${now - RECEIPT_MS}, false))`;

/**
 * Whether the text of a message `m` is no longer needed. In channels that store the data for receipts separately, it is not
 * needed after submission; an email, for example, has no final status but a bounce.
 */
const isSaid = ({ sql, channels, atOnce }: TextRemovalDeps, now: number): Query<Row[]> => sql`(
  ${isOver(sql, now)}
    OR (m.handed_at IS NOT NULL AND m.channel = ANY(${idsWithRest(channels)}::smallint[] || ${numbers(atOnce)}::smallint[])))`;

/** Channels that keep a part of the payload without the text. */
const idsWithRest = (channels: Channels): string =>
  numbers([...channels].filter(({ codec }) => codec.withoutText).map(({ id }) => id));

/**
 * Removes the texts of an account from rows with ids in a span, in statements of 1,000 rows: of sent messages, stored
 * requests, incoming messages, and the previews of conversations. Messages that wait, or whose receipt may still arrive,
 * keep their text. Returns the id below which no text is left: the next removal starts there.
 */
export async function removeTexts(deps: TextRemovalDeps, span: Span, now: number): Promise<number> {
  const ends = [await removeOwnTexts(deps, span, now)];
  ends.push(await removeSharedTexts(deps, span, now));
  for (const { table, emptied } of deps.tables.withTexts) await removeIncoming(deps, span, table, emptied);
  await removeLastLines(deps, span);
  return deps.isStopping() ? span.from : Math.min(...ends);
}

/**
 * Removes the texts stored with single messages. Returns the id of the first message that keeps its text, or the end of the
 * span.
 */
async function removeOwnTexts(deps: TextRemovalDeps, span: Span, now: number): Promise<number> {
  const { sql } = deps;
  const { accountId, before } = span;
  let kept = before;
  for (let from = span.from; from < before && !deps.isStopping(); ) {
    const [edge] = await sql<{ id: number }[]>`
      SELECT id FROM messages WHERE account_id = ${accountId} AND id >= ${from} AND id < ${before}
      ORDER BY id OFFSET ${LOOKED_AT} LIMIT 1`;
    const window = { accountId, from, before: edge?.id ?? before };
    await removeOfWindow(deps, window, now);
    const [first] = await sql<{ id: number | null }[]>`
      SELECT min(id) AS id FROM messages m
      WHERE account_id = ${accountId} AND id >= ${from} AND id < ${window.before} AND payload IS NOT NULL
        AND text_removed IS NULL`;
    kept = Math.min(kept, first!.id ?? before);
    from = window.before;
  }
  return kept;
}

async function removeOfWindow(
  deps: TextRemovalDeps,
  { accountId, from, before }: Span,
  now: number,
): Promise<void> {
  const { sql, channels, removed, isStopping } = deps;
  const chat = channels.named('chat').id;
  const due = (hasRest: boolean) => sql`
    SELECT id FROM messages m
    WHERE m.account_id = ${accountId} AND m.id >= ${from} AND m.id < ${before} AND m.payload IS NOT NULL
      AND m.text_removed IS NULL AND (m.channel = ANY(${idsWithRest(channels)}::smallint[])) = ${hasRest} AND ${isSaid(deps, now)}
    ORDER BY m.id LIMIT ${BATCH}`;
  for (let count = BATCH; count === BATCH && !isStopping(); ) {
    const changed = await sql`
      UPDATE messages SET media_id = ${sentFile(sql, chat)}, payload = NULL, text_removed = true
      WHERE account_id = ${accountId} AND id >= ${from} AND id < ${before} AND id = ANY(ARRAY(${due(false)}))`;
    count = changed.count;
    removed(count);
  }
  for (let count = BATCH; count === BATCH && !isStopping(); ) {
    const rows = await sql<{ id: number; channel: number; payload: string }[]>`
      SELECT id, channel, payload FROM messages
      WHERE account_id = ${accountId} AND id >= ${from} AND id < ${before} AND id = ANY(ARRAY(${due(true)}))`;
    count = rows.length;
    if (count === 0) return;
    await sql`
      UPDATE messages m SET payload = u.payload, text_removed = true
      FROM unnest(${numbers(rows.map(({ id }) => id))}::bigint[],
        ${texts(rows.map(({ channel, payload }) => payload && channels.of(channel).codec.withoutText!(payload)))}::text[]
      ) AS u (id, payload)
      WHERE m.account_id = ${accountId} AND m.id = u.id
        AND ${isWithin(sql, sql`m.id`, { first: from, last: before - 1 })}`;
    removed(count);
  }
}

/** Whether a row of `campaigns` is of chat, and has a value that goes into its template for all (channels/chat/stored-values.ts). */
const hasValues = ({ sql, channels }: TextRemovalDeps): Query<Row[]> => sql`
  channel = ${channels.named('chat').id}
    AND coalesce(content ->> 'headerLink', content -> 'coupon' ->> 'code') IS NOT NULL`;

/**
 * Removes the contents of shipments: the shared text of their messages, the spoken text, the content of emails, and the
 * stored request. A shipment keeps them while one of its messages keeps its text or is still to be created. Returns the id
 * of the first such shipment, or the end of the span.
 */
async function removeSharedTexts(
  deps: TextRemovalDeps,
  { accountId, from, before }: Span,
  now: number,
): Promise<number> {
  const { sql, tables, removed, isStopping } = deps;
  const ofTexts = tables.ofShipments.filter(({ isText }) => isText);
  const inSpan = (key: Query<Row[]>) => sql`${key} >= ${from} AND ${key} < ${before}`;
  const hasText = sql`
    SELECT id FROM shipments
    WHERE account_id = ${accountId} AND ${inSpan(sql`id`)} AND text_removed IS NULL AND (payload IS NOT NULL OR call IS NOT NULL)
    ${ofTexts.reduce(
      (before, { table, column }) => sql`${before} UNION SELECT ${sql(column)} FROM ${sql(table)}
      WHERE account_id = ${accountId} AND ${inSpan(sql`${sql(column)}`)}`,
      sql``,
    )}
    UNION SELECT id FROM campaigns WHERE account_id = ${accountId} AND ${inSpan(sql`id`)} AND ${hasValues(deps)}`;
  let kept = before;
  for (let after = from - 1, count = BATCH; count === BATCH && !isStopping(); ) {
    const rows = await sql<{ id: number; isOver: boolean }[]>`
      SELECT t.id, NOT EXISTS (
          SELECT FROM shipments s JOIN messages m ON m.account_id = ${accountId} AND m.id >= s.first_id AND m.id <= s.last_id
            AND m.shipment_id = s.id
          WHERE s.account_id = ${accountId} AND s.id = t.id AND NOT ${isSaid(deps, now)}
        ) AND NOT EXISTS (
          SELECT FROM campaigns c WHERE c.account_id = ${accountId} AND c.id = t.id AND c.finished_at IS NULL
        ) AS "isOver"
      FROM (${hasText}) t WHERE t.id > ${after} ORDER BY t.id LIMIT ${BATCH}`;
    count = rows.length;
    after = rows.at(-1)?.id ?? after;
    kept = Math.min(kept, rows.find((row) => !row.isOver)?.id ?? before);
    const ids = numbers(rows.flatMap((row) => (row.isOver ? [row.id] : [])));
    if (ids === '{}') continue;
    removed(
      await sql.begin(async (tx) => {
        for (const { table, column } of ofTexts) {
          await tx`DELETE FROM ${tx(table)} WHERE account_id = ${accountId} AND ${tx(column)} = ANY(${ids}::bigint[])`;
        }
        // Text read aloud to contact lists.
        await tx`
          UPDATE campaigns SET content = content || '{"call": null}'::jsonb
          WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[]) AND channel = ${TEXT_CHANNEL}`;
        await tx`
          UPDATE campaigns SET content = content || '{"headerLink": null, "coupon": null, "isRemoved": true}'::jsonb
          WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[]) AND ${hasValues(deps)}`;
        const changed = await tx`
          UPDATE shipments SET payload = NULL, call = call || '{"text": ""}'::jsonb, text_removed = true
          WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[]) AND text_removed IS NULL`;
        return changed.count;
      }),
    );
  }
  return kept;
}

async function removeIncoming(
  { sql, removed, isStopping }: TextRemovalDeps,
  { accountId, from, before }: Span,
  table: string,
  emptied: string,
): Promise<void> {
  for (let count = BATCH; count === BATCH && !isStopping(); ) {
    const changed = await sql.unsafe(
      `UPDATE ${table} SET ${emptied}, text_removed = true
       WHERE account_id = $1 AND id >= $2 AND id < $3 AND id = ANY(ARRAY(
         SELECT id FROM ${table}
         WHERE account_id = $1 AND id >= $2 AND id < $3 AND text_removed IS NULL ORDER BY id LIMIT ${BATCH}))`,
      [accountId, from, before],
    );
    count = changed.count;
    removed(count);
  }
}

/** The list of conversations shows the beginning of the last message. */
async function removeLastLines(
  { sql, removed, isStopping }: TextRemovalDeps,
  { accountId, before }: Span,
): Promise<void> {
  for (let count = BATCH; count === BATCH && !isStopping(); ) {
    const changed = await sql`
      UPDATE conversations SET last_text = ''
      WHERE account_id = ${accountId} AND last_id < ${before} AND id = ANY(ARRAY(
        SELECT id FROM conversations WHERE account_id = ${accountId} AND last_id < ${before} AND last_text <> ''
        ORDER BY id LIMIT ${BATCH}))`;
    count = changed.count;
    removed(count);
  }
}
