import { type AccountPlan, validityOf } from '../messages/store-shipments.ts';
import {
  addMessage,
  emptyBatch,
  type PayloadReader,
  type SharedByShipment,
  type StoredMessage,
} from './batch-messages.ts';
import type { LoadedBatch } from './batches.ts';

interface ReadOptions extends PayloadReader {
  /** How long delivery is attempted, in milliseconds. */
  readonly validityMs: number;
}

/** State of a batch of a plan that was just stored. */
export const firstAttempt = { attempt: 0, epoch: 0, breaks: 0, submittedTo: 0 } as const;

/** Returns the batches of a plan that was just stored, as `loadBatches` would read them. */
export function batchesOf(stored: AccountPlan, options: ReadOptions): LoadedBatch[] {
  const { accountId, plan } = stored;
  const batches = new Map(
    plan.batches.map((batch) => [batch.id, emptyBatch({ ...batch, accountId, ...firstAttempt })]),
  );
  forEachMessage(stored, options.validityMs, (batchId, message, shared) => {
    // The message has its final status from the start.
    const batch = batches.get(batchId);
    if (batch) addMessage(options, batch, message, shared);
  });
  return [...batches.values()];
}

/** Calls `add` for each message of a plan that was just stored; its batch is 0 for a message that is not sent. */
export function forEachMessage(
  { accountId, plan }: AccountPlan,
  validityMs: number,
  add: (batchId: number, message: StoredMessage, shared: SharedByShipment) => void,
): void {
  for (const { request, pass, lastDueAt, messages } of plan.shipments) {
    const shared = {
      payload: request.text,
      call: request.call ?? null,
      validUntil: lastDueAt + validityOf(request, validityMs),
      rule: pass.rule,
      options: request.carrierOptions ?? null,
    };
    for (const message of messages) {
      const { id, shipmentId, batchId, item, callerId, text: own, secretText = null, trace = null } = message;
      const source = callerId ?? item.source ?? request.source;
      const stored = { accountId, id, shipmentId, source, destination: item.phone, own, secretText, trace };
      add(batchId, stored, shared);
    }
  }
}
