import { channelOf } from '../channels/index.ts';
import type { PlannedBatch } from '../messages/batch-cutter.ts';
import type { AccountPlan } from '../messages/store-shipments.ts';
import { emptyBatch, type LoadedBatch, type PayloadReader, readPayload } from './batches.ts';

interface ReadOptions extends PayloadReader {
  /** How long delivery is tried, in milliseconds. */
  readonly validityMs: number;
}

/** The batches of a plan that was just stored, as `loadBatches` would read them. */
export function batchesOf({ accountId, plan }: AccountPlan, options: ReadOptions): LoadedBatch[] {
  const batches = new Map(plan.batches.map((batch) => [batch.id, firstAttempt(accountId, batch)]));
  for (const { request, dueAt, messages } of plan.shipments) {
    const shared = { payload: request.text, call: request.call ?? null };
    for (const message of messages) {
      const batch = batches.get(message.batchId);
      // It has its final status from the start.
      if (!batch) continue;
      const { id, shipmentId, item, text: own, secretText = null } = message;
      const payload = readPayload(
        options,
        channelOf(batch.channel),
        { accountId, id, own, secretText },
        shared,
      );
      batch.messages.push({
        accountId,
        id,
        shipmentId,
        source: message.callerId ?? item.source ?? request.source,
        destination: item.phone,
        payload,
        validUntil: dueAt + options.validityMs,
        isUnreadable: payload === undefined,
        ...(secretText !== null && { isSecret: true }),
        batch,
        copies: 0,
        rings: 0,
      });
    }
  }
  for (const batch of batches.values()) batch.outstanding = batch.messages.length;
  return [...batches.values()];
}

const firstAttempt = (
  accountId: number,
  { id, channel, lane, route, dueAt, heldShipmentId }: PlannedBatch,
): LoadedBatch => emptyBatch({ accountId, id, channel, lane, route, attempt: 0, dueAt, heldShipmentId });
