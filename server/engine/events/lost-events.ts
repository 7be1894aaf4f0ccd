import type { Queryable } from '../../database/connection.ts';
import { isSealed } from '../../database/is-sealed.ts';

/** Deletes events that were encrypted with a lost key. Their batches disappear from the queue automatically. */
export async function discardSealedEvents(tx: Queryable): Promise<void> {
  await tx`DELETE FROM event_batches WHERE ${isSealed(tx, tx`events`)}`;
  await tx`DELETE FROM deliveries WHERE ${isSealed(tx, tx`event`)}`;
  await tx`UPDATE deliveries SET last_answer = NULL WHERE ${isSealed(tx, tx`last_answer`)}`;
}
