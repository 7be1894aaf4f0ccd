import { createHash } from 'node:crypto';
import type { Sql } from '../../server/database/connection.ts';
import { idFloor } from '../../server/kit/ids.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** A service that was just started has partitions for this month and the last one, which always include 28 days. */
const SPAN = 28 * DAY;
/** Number of accounts; their messages are interleaved, as in a real service. */
const ACCOUNTS = 20;
/** Messages per shipment. */
const SHIPMENT_SIZE = 500;
const SLICE = 1_000_000;

/** Messages stored for a bench, and the values that identify them. */
export interface StoredMessages {
  /** Time of the first message, in milliseconds since the epoch; the last is 28 days later. */
  readonly from: number;
  readonly to: number;
  /**
   * Returns external ids of `howMany` different messages of the account, chosen at random from a span. Throws when the
   * span has fewer.
   */
  choose(howMany: number, from: number, to: number): string[];
  /** Returns a random message of the account. */
  one(): StoredMessage;
}

interface StoredMessage {
  readonly id: number;
  readonly shipmentId: number;
  readonly recipient: string;
  readonly externalId: string;
  /** Time of acceptance, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Fills the empty table of messages: `count` messages of 20 accounts (or `accounts`) in turn, evenly over the last 28
 * days. The first account is `accountId`; the others have the ids after it, and need not exist. All messages have a
 * result, a text and a random external id of 36 characters. They are written in one transaction with a TRUNCATE, which
 * bypasses PostgreSQL's log. Indexes are created afterwards, which is faster and leaves them fuller than in a real
 * service.
 */
export async function storeMessages(
  sql: Sql,
  accountId: number,
  count: number,
  progress: (line: string) => void,
  accounts = ACCOUNTS,
): Promise<StoredMessages> {
  // Number of messages of all accounts while each of them has one shipment.
  const round = SHIPMENT_SIZE * accounts;
  const from = Date.now() - SPAN;
  await sql.begin(async (tx) => {
    await tx`SET LOCAL maintenance_work_mem = '256MB'`;
    await tx`TRUNCATE messages`;
    const indexes = await tx<{ name: string; definition: string }[]>`
      SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid = 'messages'::regclass AND NOT indisprimary`;
    for (const { name } of indexes) await tx.unsafe(`DROP INDEX ${name}`);
    for (let first = 0; first < count; first += SLICE) {
      const last = Math.min(first + SLICE, count) - 1;
      await tx`
        INSERT INTO messages (account_id, id, shipment_id, batch_id, recipient, source, payload, external_id, parts, price, status,
          handed_at, final_at, link, code, delivered_parts)
        SELECT ${accountId}::bigint + number % ${accounts}::bigint,
          ${idFloor(from)}::bigint + number * ${SPAN}::bigint / ${count}::bigint * 4096,
          ${idFloor(from)}::bigint + (number - number % ${round}::bigint) * ${SPAN}::bigint / ${count}::bigint * 4096,
          0, '97250' || lpad((number * 7919 % 10000000)::text, 7, '0'), 'Carillon',
          'Hello, your order ' || number || ' is on its way and will be with you tomorrow before noon.',
          md5(number::text)::uuid::text, 1, 1, CASE WHEN number % 29 = 0 THEN 103 ELSE 102 END,
          ${from}::bigint + number * ${SPAN}::bigint / ${count}::bigint + 300,
          ${from}::bigint + number * ${SPAN}::bigint / ${count}::bigint + 2500, 'default', 'DELIVRD', 1
        FROM generate_series(${first}::bigint, ${last}::bigint) AS number`;
      progress(`${last + 1} messages are stored`);
    }
    for (const { definition } of indexes) await tx.unsafe(definition.replace(' ON ONLY ', ' ON '));
  });
  progress('indexes are made');
  // PostgreSQL's autovacuum would do this within minutes, in the middle of the measurement.
  await sql`VACUUM (ANALYZE) messages`;
  await sql`CHECKPOINT`;

  return {
    from,
    to: from + SPAN,
    choose(howMany, spanFrom, spanTo) {
      const indexAt = (time: number) => Math.ceil(((time - from) / SPAN) * (count / accounts));
      const first = indexAt(spanFrom);
      const available = indexAt(spanTo) - first;
      if (available < howMany) throw new Error(`${count} messages are too few: ${available} in the span`);
      const chosen = new Set<number>();
      while (chosen.size < howMany) chosen.add(first + Math.floor(Math.random() * available));
      return [...chosen].map((index) => externalIdOf(index * accounts));
    },
    one() {
      const number = Math.floor((Math.random() * count) / accounts) * accounts;
      const offset = (of: number) => Number((BigInt(of) * BigInt(SPAN)) / BigInt(count));
      return {
        id: idFloor(from) + offset(number) * 4096,
        shipmentId: idFloor(from) + offset(number - (number % round)) * 4096,
        recipient: `97250${String((number * 7919) % 10_000_000).padStart(7, '0')}`,
        externalId: externalIdOf(number),
        at: from + offset(number),
      };
    },
  };
}

/** Returns the same id as the statement above. */
function externalIdOf(number: number): string {
  const hex = createHash('md5').update(String(number)).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** One of this many shipments has a campaign name, `campaign <number>`. */
const NAMED_EVERY = 20;
export const CAMPAIGNS = 50;

/**
 * Stores the data that a service has together with messages: their shipments, carrier ids of the weeks that have a
 * partition, and the hourly statistics.
 */
export async function storeAround(sql: Sql, progress: (line: string) => void): Promise<void> {
  await sql.begin({ deadlineMs: HOUR }, async (tx) => {
    await tx`TRUNCATE shipments, carrier_messages, message_hours`;
    await tx`
      INSERT INTO shipments (account_id, id, lane, state, campaign_name, message_count, cost, first_id, last_id, due_at, valid_until)
      SELECT account_id, shipment_id, 2, 1,
        CASE WHEN row_number() OVER () % ${NAMED_EVERY} = 0
          THEN 'campaign ' || row_number() OVER () / ${NAMED_EVERY} % ${CAMPAIGNS} END,
        count(*), sum(price), min(id), max(id), min(handed_at), max(handed_at) + ${DAY}::bigint
      FROM messages GROUP BY account_id, shipment_id`;
    progress('their shipments are stored');
    const [bound] = await tx<{ first: number | null }[]>`
      SELECT min((regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''(\\d+)''\\)'))[1]::bigint) AS first
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'carrier_messages'::regclass`;
    await tx`
      INSERT INTO carrier_messages (carrier_id, link, message_id, part, account_id, phone)
      SELECT 's' || id, 'smpp', id, 0, account_id, recipient FROM messages WHERE id >= ${bound!.first}::bigint ORDER BY id`;
    progress("the carrier's ids are stored");
    await tx`
      INSERT INTO message_hours (account_id, hour, channel, taken, waiting, handed_over, delivered, read, failed, cancelled,
        parts, spent, counted_at)
      SELECT account_id, (final_at - 2500) / ${HOUR}::bigint, channel, count(*), 0, 0, count(*) FILTER (WHERE status = 102), 0,
        count(*) FILTER (WHERE status <> 102), 0, sum(parts), sum(price), max(final_at)
      FROM messages GROUP BY 1, 2, 3`;
  });
  await sql.unsafe('VACUUM (ANALYZE) shipments, carrier_messages, message_hours');
  await sql`CHECKPOINT`;
  progress('the hourly statistics are stored');
}
