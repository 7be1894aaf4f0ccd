import type { TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Context } from '../../kit/context.ts';
import type { WatchedKind } from './measure.ts';
import { blocked, guarded } from './metrics.ts';
import { HOUR, prefixOf, type Rule } from './rules.ts';

interface BlocksDeps extends Pick<Context, 'sql' | 'log'> {
  readonly events: Events;
}

/** A send that a rule stopped. */
interface Block {
  readonly accountId: number;
  readonly kind: WatchedKind;
  /** E.164 digits. */
  readonly phone: string;
  readonly rule: Rule;
}

/**
 * Records that a rule stopped a send: in the row of the hour, prefix and kind, in the log and, of a code, as an event, when it is
 * the first of the hour, the tenth, the hundredth and so on, so that an attack is noticed without many repetitions.
 */
export async function recordBlock(
  { sql, events, log }: BlocksDeps,
  block: Block,
  now: number,
): Promise<void> {
  const { accountId, kind, phone, rule } = block;
  if (kind === 'code') blocked.inc({ rule });
  else guarded.inc({ kind, rule });
  const prefix = prefixOf(phone);
  const count = await sql.begin(async (tx) => {
    const stopped = await add(tx, block, now);
    if (kind === 'code' && isMilestone(stopped)) {
      const data = { rule, prefix, phone, count: stopped };
      await events.record(tx, accountId, [{ type: 'otp.blocked', at: now, data }]);
    }
    return stopped;
  });
  if (isMilestone(count))
    log.warn({ account: accountId, kind, rule, prefix, count }, 'fraud guard stopped sends');
}

async function add(
  tx: TransactionSql,
  { accountId, kind, phone, rule }: Block,
  now: number,
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    INSERT INTO otp_blocks AS b (account_id, hour, rule, prefix, kind, count, phone, first_at, last_at)
    VALUES (${accountId}, ${now - (now % HOUR)}, ${rule}, ${prefixOf(phone)}, ${kind}, 1, ${phone}, ${now}, ${now})
    ON CONFLICT ON CONSTRAINT otp_blocks_pkey DO UPDATE SET count = b.count + 1, phone = excluded.phone,
      last_at = excluded.last_at
    RETURNING count`;
  return row!.count;
}

/** 1, 10, 100, … */
function isMilestone(count: number): boolean {
  return /^10*$/.test(String(count));
}
