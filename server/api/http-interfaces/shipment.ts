import type { AskedCallback } from '../../engine/callbacks/format.ts';
import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import { readSend, readSource } from '../../engine/messages/send-request.ts';
import { type SignedCall, sendContextOf } from './interface-api.ts';

/** A text to numbers, as an interface has read it. */
interface InterfaceSend {
  readonly from: Parameters<typeof readSource>[0];
  readonly text: string | undefined;
  readonly to: readonly string[];
  /** Time to send, in milliseconds since the epoch; null for now. */
  readonly dueAt: number | null;
  /** Maximum time for which delivery is tried, in milliseconds. */
  readonly validityMs: number | undefined;
  readonly options?: CarrierOptions | undefined;
}

/**
 * Checks a send and returns its shipment. Throws Refusal as `readSource` and `readSend` do, and errors of `callbackOf`.
 *
 * @param callbackOf returns the status callback of a send with this sender, if it asks for one
 */
export async function readShipment(
  services: Parameters<typeof sendContextOf>[0],
  call: Pick<SignedCall, 'account' | 'caller'>,
  { from, text, to, dueAt, validityMs, options }: InterfaceSend,
  callbackOf: (source: string) => Promise<AskedCallback | undefined>,
): Promise<ShipmentRequest> {
  const context = sendContextOf(services, call);
  const source = await readSource(from, 'source', context);
  const shipment = await readSend(
    {
      text: { message: text, dynamic: false, removal: null },
      phones: to.map((phone) => ({ text: phone, id: undefined })),
      lists: [],
      international: true,
    },
    { accountId: call.account.id, source, campaignName: null, dueAt, recentDays: null },
    context,
  );
  const callback = await callbackOf(source);
  return {
    ...shipment,
    ...(callback && { callback }),
    ...(validityMs !== undefined && { validityMs }),
    ...(options && { carrierOptions: options }),
  };
}
