import { TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { Sql } from '../../database/connection.ts';
import { QUALITY_DIGITS } from '../../engine/carriers/quality.ts';
import { QUALITY_HOURS } from '../../engine/connectors/delivery-quality.ts';
import { HOUR_MS, hourFloor, hourOf } from '../../engine/messages/hours.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor, PER_MILLISECOND } from '../../kit/ids.ts';
import { status } from '../../kit/statuses.ts';
import { MINUTE } from '../fraud-guard/rules.ts';
import { MAX_MINUTES } from './codes.ts';

/*
 * Sent and used one-time codes by hour, prefix and connector, from which routes learn. A code is counted when it can no longer be
 * used. An earlier count would make a connector look better than it is, because people use codes before other codes expire. So
 * neither a send nor a check does anything for the count, and a count never changes.
 */

const COUNTED_KEY = 'code-hours.counted';
/** Milliseconds after its send at which a code has expired and checks of it have been committed. */
const FINAL_MS = (MAX_MINUTES + 2) * MINUTE;
/** Two processes may count at the same time with clocks that differ: the later one may have counted less. */
const OVERLAP_MS = 10 * MINUTE;
/** Maximum distance of the id of a message from that of its code: two minutes. */
const MAX_DISTANCE = 2 * MINUTE * PER_MILLISECOND;

/** Counts the codes of hours, again from the start of an hour until all codes of the hour are final. */
export class CodeHours {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
  }

  /** Counts the codes that have become final since the last run of any process. For a job. */
  async run(): Promise<void> {
    const { sql, clock } = this.#deps;
    const until = clock.now() - FINAL_MS;
    const oldest = until - QUALITY_HOURS * HOUR_MS;
    const [row] = await sql<{ value: number }[]>`SELECT value FROM state WHERE key = ${COUNTED_KEY}`;
    const since = Math.max(row?.value ?? oldest, oldest) - OVERLAP_MS;
    for (let hour = hourOf(since); hour <= hourOf(until); hour++) {
      const next = Math.min(hourFloor(hour + 1), idFloor(until));
      await countCodes(sql, hour, next);
    }
    await sql`
      INSERT INTO state (key, value) VALUES (${COUNTED_KEY}, ${sql.json(until)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
  }

  /** Deletes hours that are too old for any decision. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM code_hours WHERE hour < ${hourOf(clock.now()) - QUALITY_HOURS}`;
  }
}

/**
 * Counts the codes of an hour, up to an id. The message of a code follows it within seconds, to the same number, and its send
 * names the code. Its connector is the last one that it was sent over. Codes whose message reached no connector in time are not
 * counted.
 */
async function countCodes(sql: Sql, hour: number, nextId: number): Promise<void> {
  const firstId = hourFloor(hour);
  const lastId = nextId + MAX_DISTANCE;
  await sql`
    INSERT INTO code_hours (account_id, hour, prefix, connector, sent, used)
    SELECT c.account_id, ${hour}::integer, c.prefix, c.link, c.sent, c.used
    FROM wallets w CROSS JOIN LATERAL (
      SELECT s.account_id, left(s.phone, ${QUALITY_DIGITS}::integer) AS prefix, m.link, count(*)::integer AS sent,
        count(s.verified_at)::integer AS used
      FROM otp_sends s
      JOIN messages m ON m.account_id = s.account_id AND m.recipient = s.phone AND m.id > s.id
        AND m.id < s.id + ${MAX_DISTANCE}::bigint
      JOIN shipments p ON p.account_id = m.account_id AND p.id = m.shipment_id
      WHERE s.account_id = w.account_id AND s.id >= ${firstId} AND s.id < ${nextId}
        AND m.id >= ${firstId} AND m.id < ${lastId} AND m.channel = ${TEXT_CHANNEL} AND m.link IS NOT NULL
        AND m.status <> ${status.blockedOnRequest} AND coalesce(m.handed_at, m.final_at) < s.expires_at
        AND p.id >= ${firstId} AND p.id < ${lastId} AND (p.sending_rule -> 'exempt' ->> 'code')::bigint = s.id
      -- Citus groups within a shard only by its account.
      GROUP BY 1, 2, 3
    ) AS c
    ON CONFLICT (account_id, hour, prefix, connector) DO UPDATE SET sent = excluded.sent, used = excluded.used`;
}
