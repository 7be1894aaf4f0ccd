import { AdjustableClock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';

const KEY = 'sandbox.clock-offset';

/** The sandbox's clock where it was left: ids and windows rest on time never going back, over restarts too. */
export async function loadClock(sql: Sql): Promise<AdjustableClock> {
  const [row] = await sql<{ value: number }[]>`SELECT value FROM state WHERE key = ${KEY}`;
  return new AdjustableClock(row?.value ?? 0);
}

/** Keeps how far the sandbox's clock was moved. */
export async function saveClock(sql: Sql, clock: AdjustableClock): Promise<void> {
  await sql`
    INSERT INTO state (key, value) VALUES (${KEY}, ${sql.json(clock.offset)})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}
