import type { Lane } from '../../messages/lanes.ts';
import type { BatchLease } from '../../messages/store-messages.ts';
import type { AccountPlan } from '../../messages/store-shipments.ts';
import { addMessage, emptyBatch, type PayloadReader, type SharedByShipment } from '../batch-messages.ts';
import type { LoadedBatch } from '../batches.ts';
import { firstAttempt, forEachMessage } from '../hand-over.ts';

/** A stored plan of one account, as JSON for another process. */
export interface HandedPlan {
  readonly accountId: number;
  /** End of the lease of its batches, by the database's clock. */
  readonly leaseUntil: number;
  readonly batches: readonly HandedBatch[];
  /** Values that the messages of a shipment share. */
  readonly shipments: readonly SharedByShipment[];
  readonly messages: readonly HandedMessage[];
}

interface HandedBatch {
  readonly id: number;
  readonly channel: number;
  readonly lane: Lane;
  readonly route: string;
  readonly dueAt: number;
}

interface HandedMessage {
  readonly id: number;
  readonly shipmentId: number;
  readonly batchId: number;
  /** Index in `shipments`. */
  readonly shipment: number;
  readonly source: string;
  readonly destination: string;
  /** Absent for a message with the text of its shipment. */
  readonly own?: string;
  /** Encrypted text, base64. */
  readonly secretText?: string;
  readonly trace?: string;
}

/** Returns a plan that was stored with a lease, for the process that has the lease. */
export function handedPlan(
  stored: AccountPlan & { readonly lease: BatchLease },
  validityMs: number,
): HandedPlan {
  const { accountId, plan, lease } = stored;
  const shipments: SharedByShipment[] = [];
  const messages: HandedMessage[] = [];
  forEachMessage(stored, validityMs, (batchId, message, shared) => {
    // The message has its final status from the start.
    if (batchId === 0) return;
    if (shipments.at(-1) !== shared) shipments.push(shared);
    const { id, shipmentId, source, destination, own, secretText, trace } = message;
    messages.push({
      ...{ id, shipmentId, batchId, shipment: shipments.length - 1, source, destination },
      ...(own !== null && { own }),
      ...(secretText && { secretText: Buffer.from(secretText).toString('base64') }),
      ...(trace && { trace }),
    });
  });
  const batches = plan.batches.map(({ id, channel, lane, route, dueAt }) => ({
    id,
    channel,
    lane,
    route,
    dueAt,
  }));
  return { accountId, leaseUntil: lease.until, batches, shipments, messages };
}

/** Returns the batches of a plan from another process, as `loadBatches` would read them. */
export function batchesOfHanded(
  { accountId, batches, shipments, messages }: HandedPlan,
  reader: PayloadReader,
): LoadedBatch[] {
  const loaded = new Map(
    batches.map((batch) => [
      batch.id,
      emptyBatch({ ...batch, accountId, heldShipmentId: null, ...firstAttempt }),
    ]),
  );
  for (const { batchId, shipment, own = null, secretText, trace = null, ...message } of messages) {
    const secret = secretText === undefined ? null : Buffer.from(secretText, 'base64');
    const stored = { ...message, accountId, own, secretText: secret, trace };
    addMessage(reader, loaded.get(batchId)!, stored, shipments[shipment]!);
  }
  return [...loaded.values()];
}

/** Counts the messages of a plan. */
export const countHanded = (plans: readonly HandedPlan[]): number =>
  plans.reduce((sum, { messages }) => sum + messages.length, 0);
