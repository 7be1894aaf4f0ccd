import type { Queryable, Sql } from '../database/connection.ts';
import { AdjustableClock } from '../kit/clock.ts';

const KEY = 'sandbox.clock-offset';

/**
 * Returns the sandbox's clock with its stored offset: ids and time windows need a time that never goes back, even after
 * restarts.
 */
export async function loadClock(sql: Sql): Promise<AdjustableClock> {
  return new AdjustableClock(await readOffset(sql));
}

/** Advances a clock to the sandbox time that another process has set. */
export async function followClock(sql: Sql, clock: AdjustableClock): Promise<void> {
  clock.advanceTo(await readOffset(sql));
}

/** Advances the sandbox's clock by milliseconds, and stores its offset. */
export async function advanceClock(sql: Sql, clock: AdjustableClock, milliseconds: number): Promise<void> {
  const offset = await sql.begin(async (tx) => {
    await tx`INSERT INTO state (key, value) VALUES (${KEY}, to_jsonb(0)) ON CONFLICT (key) DO NOTHING`;
    await tx`SELECT FROM state WHERE key = ${KEY} FOR UPDATE`;
    const advanced = Math.max(await readOffset(tx), clock.offset) + Math.round(milliseconds);
    await tx`UPDATE state SET value = ${sql.json(advanced)} WHERE key = ${KEY}`;
    return advanced;
  });
  clock.advanceTo(offset);
}

async function readOffset(sql: Queryable): Promise<number> {
  const [row] = await sql<{ value: number }[]>`SELECT value FROM state WHERE key = ${KEY}`;
  return row?.value ?? 0;
}
