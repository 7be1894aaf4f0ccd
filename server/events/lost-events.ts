import type { Queryable } from '../database/connection.ts';
import { isSealed } from '../database/is-sealed.ts';

/** Deletes events that are sealed, with a key that is lost; a batch that is not there any more leaves the queue by itself. */
export async function discardSealedEvents(tx: Queryable): Promise<void> {
  await tx`DELETE FROM event_batches WHERE ${isSealed(tx, tx`events`)}`;
  await tx`DELETE FROM deliveries WHERE ${isSealed(tx, tx`event`)}`;
  await tx`UPDATE deliveries SET last_answer = NULL WHERE ${isSealed(tx, tx`last_answer`)}`;
}
