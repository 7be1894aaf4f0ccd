import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree, isHeldBy, released, takenByInsert } from '../../database/leases.ts';

/** Milliseconds without renewal after which another process may take a connector. */
export const LEASE_MS = 15_000;
export const LINK_RENEW_MS = 5_000;

/** Lease of a connector after an attempt to take or renew it. */
interface ConnectorLease {
  readonly isHeld: boolean;
  /** Whether another process asked for it while this one holds it. */
  readonly isAwaited: boolean;
}

/**
 * Takes or renews the lease of a connector, or of a part of it (`partName`), for a claim (database/leases.ts): one process holds it
 * at a time, because carriers allow a fixed number of binds. With `asks`, a holder whose connector is down learns that this process
 * waits for it.
 */
export async function holdConnector(
  sql: Sql,
  name: string,
  claim: string,
  asks: boolean,
): Promise<ConnectorLease> {
  const leaseNow = leaseClock.now();
  const isRenewed = sql`links.lease_owner = excluded.lease_owner`;
  const rows = await sql<{ awaited_until: number }[]>`
    INSERT INTO links (name, lease_owner, lease_until) VALUES (${name}, ${claim}, ${leaseNow + LEASE_MS})
    ON CONFLICT (name) DO UPDATE SET ${takenByInsert(sql)},
      awaited_until = CASE WHEN ${isRenewed} THEN links.awaited_until ELSE 0 END
    WHERE ${isRenewed} OR ${isFree(sql, leaseNow, sql`links.lease_until`)}
    RETURNING awaited_until`;
  const [row] = rows;
  if (!row && asks)
    await sql`UPDATE links SET awaited_until = ${leaseNow + LEASE_MS} WHERE name = ${name} AND lease_owner <> ${claim}`;
  return { isHeld: row !== undefined, isAwaited: row !== undefined && row.awaited_until >= leaseNow };
}

/** Ends the lease of a connector, if the claim still has it. */
export async function releaseConnector(sql: Sql, name: string, claim: string): Promise<void> {
  await sql`UPDATE links SET ${released(sql)} WHERE name = ${name} AND ${isHeldBy(sql, { owner: claim })}`;
}
