import type { Sql } from '../database/connection.ts';

/** A link that its holder does not renew for this long may be taken by another process. */
const LEASE_MS = 15_000;
export const LINK_RENEW_MS = 5_000;

/**
 * A link to a carrier has a fixed number of binds, so one process holds it at a time. Takes or renews the lease;
 * false when another process has it. Real time, not the sandbox's: the lease is about processes, not messages.
 */
export async function holdLink(sql: Sql, name: string, owner: string): Promise<boolean> {
  const now = Date.now();
  const rows = await sql`
    INSERT INTO links (name, lease_owner, lease_until) VALUES (${name}, ${owner}, ${now + LEASE_MS})
    ON CONFLICT (name) DO UPDATE SET lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
    WHERE links.lease_owner = ${owner} OR links.lease_owner IS NULL OR links.lease_until < ${now}
    RETURNING name`;
  return rows.length === 1;
}

/** Lets another process take the link at once. */
export async function releaseConnector(sql: Sql, name: string, owner: string): Promise<void> {
  await sql`UPDATE links SET lease_until = 0, lease_owner = NULL WHERE name = ${name} AND lease_owner = ${owner}`;
}
