import { hostname } from 'node:os';
import type { Queryable } from '../../../database/connection.ts';
import { isLiving, type ProcessNumber } from '../../../database/processes.ts';

/** Stores the address of a dispatcher, for the processes of its machine; null when it closes. */
export async function storeAddress(
  sql: Queryable,
  { number, boot }: ProcessNumber,
  path: string | null,
): Promise<void> {
  await sql`
    UPDATE processes SET host = ${hostname()}, peer_socket = ${path} WHERE number = ${number} AND boot = ${boot}`;
}

/** A living process. */
interface OtherProcess {
  readonly boot: string;
  /** Whether it may dispatch: also true for a process that has not reported its roles. */
  readonly dispatches: boolean;
  /** Path of its socket on this machine. */
  readonly path: string | null;
}

/** Returns the other living processes of the database. */
export async function otherProcesses(sql: Queryable, boot: string): Promise<OtherProcess[]> {
  const rows = await sql<OtherProcess[]>`
    SELECT boot, NOT coalesce(heartbeat_boot = boot AND NOT 'dispatch' = ANY(roles), false) AS dispatches,
      CASE WHEN host = ${hostname()} THEN peer_socket END AS path
    FROM processes WHERE ${isLiving(sql)} AND boot <> ${boot}`;
  return [...rows];
}

/** Whether this run of a process is registered in the database. */
export async function isRegistered(sql: Queryable, boot: string): Promise<boolean> {
  const rows = await sql`SELECT FROM processes WHERE boot = ${boot}`;
  return rows.length > 0;
}
