import type { Context } from '../context.ts';
import type { TransactionSql } from '../database/connection.ts';
import type { Events } from '../events/events.ts';
import { HOUR, prefixOf, type Rule } from './fraud-guard.ts';
import { blocked } from './metrics.ts';

interface BlocksDeps extends Pick<Context, 'sql' | 'log'> {
  readonly events: Events;
}

/**
 * Records that a rule stopped a send to `phone` (E.164 digits): in the hour's row of its prefix, and as an event when
 * that is the first of the hour, the tenth, the hundredth and so on, so that an attack is heard of and not repeated.
 */
export async function recordBlock(
  { sql, events, log }: BlocksDeps,
  accountId: number,
  phone: string,
  rule: Rule,
  now: number,
): Promise<void> {
  blocked.inc({ rule });
  const prefix = prefixOf(phone);
  const count = await sql.begin(async (tx) => {
    const stopped = await add(tx, accountId, phone, rule, now);
    if (isMilestone(stopped)) {
      const data = { rule, prefix, phone, count: stopped };
      await events.record(tx, accountId, [{ type: 'otp.blocked', at: now, data }]);
    }
    return stopped;
  });
  if (isMilestone(count)) log.warn({ account: accountId, rule, prefix, count }, 'one-time codes are stopped');
}

async function add(
  tx: TransactionSql,
  accountId: number,
  phone: string,
  rule: Rule,
  now: number,
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    INSERT INTO otp_blocks AS b (account_id, hour, rule, prefix, count, phone, first_at, last_at)
    VALUES (${accountId}, ${now - (now % HOUR)}, ${rule}, ${prefixOf(phone)}, 1, ${phone}, ${now}, ${now})
    ON CONFLICT ON CONSTRAINT otp_blocks_pkey DO UPDATE SET count = b.count + 1, phone = excluded.phone,
      last_at = excluded.last_at
    RETURNING count`;
  return row!.count;
}

/** 1, 10, 100, … */
function isMilestone(count: number): boolean {
  return /^10*$/.test(String(count));
}
