import { createHash } from 'node:crypto';
import type { Sql } from '../../server/database/connection.ts';
import { idFloor } from '../../server/ids.ts';

const DAY = 86_400_000;
/** A service that was just started has partitions for this month and the last: 28 days are always within them. */
const SPAN = 28 * DAY;
/** Whose messages stand among each other, as they come in real life. */
const ACCOUNTS = 20;
/** Messages of all accounts while one of them has a shipment of 500. */
const SHIPMENT = 500 * ACCOUNTS;
const SLICE = 1_000_000;

/** Messages that were stored for a bench, as far as it has to know them again. */
export interface StoredMessages {
  /** Milliseconds since the epoch of the first message; the last is 28 days later. */
  readonly from: number;
  readonly to: number;
  /** External ids of so many different messages of the account, chosen at random among those of a span. Throws when it has fewer. */
  choose(howMany: number, from: number, to: number): string[];
}

/**
 * Fills the empty table of messages: so many of 20 accounts in turn, evenly over the last 28 days. The first account is
 * `accountId`; of the others there are messages alone. All have a result, a text and an external id of 36 characters in no order. In one transaction with a
 * TRUNCATE, so that nothing of it goes through PostgreSQL's log; indexes are made afterwards, which is faster and leaves
 * them fuller than real life would.
 */
export async function storeMessages(
  sql: Sql,
  accountId: number,
  count: number,
  progress: (line: string) => void,
): Promise<StoredMessages> {
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
        SELECT ${accountId}::bigint + number % ${ACCOUNTS}::bigint,
          ${idFloor(from)}::bigint + number * ${SPAN}::bigint / ${count}::bigint * 4096,
          ${idFloor(from)}::bigint + (number - number % ${SHIPMENT}::bigint) * ${SPAN}::bigint / ${count}::bigint * 4096,
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
  // What PostgreSQL would do by itself within minutes, in the middle of the measurement.
  await sql`VACUUM (ANALYZE) messages`;
  await sql`CHECKPOINT`;

  return {
    from,
    to: from + SPAN,
    choose(howMany, spanFrom, spanTo) {
      const indexAt = (time: number) => Math.ceil(((time - from) / SPAN) * (count / ACCOUNTS));
      const first = indexAt(spanFrom);
      const available = indexAt(spanTo) - first;
      if (available < howMany) throw new Error(`${count} messages are too few: ${available} in the span`);
      const chosen = new Set<number>();
      while (chosen.size < howMany) chosen.add(first + Math.floor(Math.random() * available));
      return [...chosen].map((index) => externalIdOf(index * ACCOUNTS));
    },
  };
}

/** As the statement above makes it. */
function externalIdOf(number: number): string {
  const hex = createHash('md5').update(String(number)).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
