import type { AccountPlan } from '../messages/store-shipments.ts';
import { addMessage, emptyBatch, type PayloadReader } from './batch-messages.ts';
import type { LoadedBatch } from './batches.ts';

interface ReadOptions extends PayloadReader {
  /** How long delivery is attempted, in milliseconds. */
  readonly validityMs: number;
}

/** Returns the batches of a plan that was just stored, as `loadBatches` would read them. */
export function batchesOf({ accountId, plan }: AccountPlan, options: ReadOptions): LoadedBatch[] {
  const batches = new Map(
    plan.batches.map((batch) => [
      batch.id,
      emptyBatch({ ...batch, accountId, attempt: 0, epoch: 0, breaks: 0, submittedTo: 0 }),
    ]),
  );
  for (const { request, pass, lastDueAt, messages } of plan.shipments) {
    const shared = {
      payload: request.text,
      call: request.call ?? null,
      validUntil: lastDueAt + options.validityMs,
      rule: pass.rule,
    };
    for (const message of messages) {
      const batch = batches.get(message.batchId);
      // The message has its final status from the start.
      if (!batch) continue;
      const { id, shipmentId, item, callerId, text: own, secretText = null, trace = null } = message;
      const source = callerId ?? item.source ?? request.source;
      const stored = { accountId, id, shipmentId, source, destination: item.phone, own, secretText, trace };
      addMessage(options, batch, stored, shared);
    }
  }
  return [...batches.values()];
}
