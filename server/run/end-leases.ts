import { endLeases, isOfProcess } from '../database/leases.ts';
import { releaseNumbers } from '../database/processes.ts';
import type { AppContext } from './app-context.ts';

/** As the other tables with leases; releaseAllBatches (engine/dispatch/batches.ts) has more to do when a service starts. */
const BATCHES = 'dispatch_batches';

/**
 * Ends all leases of processes that have certainly ended, so that others take their work immediately. The leases of
 * batches count as broken. Rejects with errors of the database.
 *
 * @param boots names of the processes in leases
 */
export async function endLeasesOf(
  { database: { sql }, tables }: Pick<AppContext, 'database' | 'tables'>,
  boots: readonly string[],
): Promise<void> {
  for (const boot of boots) await endLeases(sql, [BATCHES, ...tables.leased], isOfProcess(sql, boot));
  await releaseNumbers(sql, boots);
}
