import { AdjustableClock } from '../clock.ts';
import type { Queryable, Sql } from '../database/connection.ts';

const KEY = 'sandbox.clock-offset';

/** The sandbox's clock where it was left: ids and windows rest on time never going back, over restarts too. */
export async function loadClock(sql: Sql): Promise<AdjustableClock> {
  return new AdjustableClock(await readOffset(sql));
}

/** Moves a clock to where another process has moved the sandbox's. */
export async function followClock(sql: Sql, clock: AdjustableClock): Promise<void> {
  clock.advanceTo(await readOffset(sql));
}

/** Moves the sandbox's clock on by milliseconds, and keeps it. */
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
